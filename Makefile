# Boulevard. `make help` lists what can be made.
SHELL := /bin/bash -o pipefail
.DEFAULT_GOAL := help

# Versions of the programs that check and generate; they are built into .tools and are no part of the module.
OGEN          := v1.24.0
GOLANGCI_LINT := v2.15.0

# The emulator of Lambda's runtime, which tests run functions under; scripts/coldstart/emulator names the same version.
EMULATOR := .tools/bin/aws-lambda-rie-v0.0.0-20261030222936-bef5c4ba774d

# The programs that tests run under Node.js.
NODE_MODULES := scripts/dynalite/node_modules scripts/pushreceiver/node_modules

TOOLS  := .tools/bin
DRIVER ?= sqlite
SEED   ?= 0
GAME   ?= lords-of-vegas
BENCH  ?= .

.PHONY: help
help: ## List what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: play
play: bin/boulevard ## Run everything on this machine: http://127.0.0.1:8080, games kept in .data
	./bin/boulevard serve

.PHONY: test
test: $(NODE_MODULES) $(EMULATOR) ## Run all tests
	go test ./...

.PHONY: race
race: $(NODE_MODULES) $(EMULATOR) ## Run all tests with the race detector
	go test -race ./...

.PHONY: demo
demo: bin/boulevard $(if $(filter dynamodb,$(DRIVER)),scripts/dynalite/node_modules) ## Play a whole game over HTTP (DRIVER=sqlite|dynamodb SEED=n)
	go run ./scripts/demo --driver $(DRIVER) --seed $(SEED) --game $(GAME)

.PHONY: bench
bench: $(NODE_MODULES) ## Measure (BENCH=regular expression)
	go test -run '^$$' -bench '$(BENCH)' -benchmem ./...

.PHONY: coldstart
coldstart: scripts/dynalite/node_modules $(EMULATOR) ## Measure how functions/http starts beside a bare handler, and what is in it
	go run ./scripts/coldstart

.PHONY: fuzz
fuzz: ## Fuzz every decoder and the rules, half a minute each
	./scripts/fuzz.sh

.PHONY: generate
generate: $(TOOLS)/ogen-$(OGEN) ## Generate the server and client from api/openapi.yaml
	cd api && ../$(TOOLS)/ogen-$(OGEN) --clean --config .ogen.yml --package api --target . openapi.yaml

.PHONY: lint
lint: $(TOOLS)/golangci-lint-$(GOLANGCI_LINT) ## Check style and common faults
	$(TOOLS)/golangci-lint-$(GOLANGCI_LINT) run ./...

.PHONY: verify
verify: generate ## Fail where generated files or the module's lists are stale
	git diff --exit-code -- api
	go mod tidy -diff

.PHONY: bin/boulevard
bin/boulevard:
	CGO_ENABLED=0 go build -trimpath -o $@ ./functions/local

$(NODE_MODULES): %/node_modules: %/package-lock.json
	cd $* && npm ci --no-audit --no-fund
	@touch $@

$(TOOLS)/ogen-$(OGEN):
	GOBIN=$(CURDIR)/$(TOOLS) go install github.com/ogen-go/ogen/cmd/ogen@$(OGEN)
	mv $(TOOLS)/ogen $@

$(TOOLS)/golangci-lint-$(GOLANGCI_LINT):
	GOBIN=$(CURDIR)/$(TOOLS) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT)
	mv $(TOOLS)/golangci-lint $@

$(EMULATOR):
	GOBIN=$(CURDIR)/$(TOOLS) go install github.com/aws/aws-lambda-runtime-interface-emulator/cmd/aws-lambda-rie@$(@:$(TOOLS)/aws-lambda-rie-%=%)
	mv $(TOOLS)/aws-lambda-rie $@
