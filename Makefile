# Boulevard. `make help` lists what can be made.
SHELL := /bin/bash -o pipefail
.DEFAULT_GOAL := help

# The toolchain that go.mod names, whichever is installed: it has the standard library's security fixes.
export GOTOOLCHAIN := $(shell sed -n 's/^toolchain //p' go.mod)

# Versions of the programs that check and generate; they are built into .tools and are no part of the module.
OGEN          := v1.24.0
GOLANGCI_LINT := v2.15.0
GOVULNCHECK   := v1.9.0
VULNDB        := v0.0.0-20261105234957-e22db6528018

# The emulator of Lambda's runtime, which tests run functions under; scripts/coldstart/emulator names the same version.
EMULATOR := .tools/bin/aws-lambda-rie-v0.0.0-20261030222936-bef5c4ba774d

# The programs that tests run under Node.js.
NODE_MODULES := scripts/dynalite/node_modules scripts/pushreceiver/node_modules

# What runs anywhere. The stack at AWS is apart: CDK is large, and whoever does not deploy needs none of it.
PACKAGES := ./api/... ./engine/... ./functions/... ./scripts/...

TOOLS  := .tools/bin
DRIVER ?= sqlite
SEED   ?= 0
GAME   ?= lords-of-vegas
BENCH  ?= .

.PHONY: help
help: ## List what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: play
play: bin/boulevard ## Run everything on this machine: http://127.0.0.1:8080, games kept in .data
	./bin/boulevard serve

.PHONY: test
test: $(NODE_MODULES) $(EMULATOR) ## Run all tests but the stack's (see infra-test)
	go test $(PACKAGES)

.PHONY: race
race: $(NODE_MODULES) $(EMULATOR) ## Run the same tests with the race detector
	go test -race $(PACKAGES)

.PHONY: demo
demo: bin/boulevard $(if $(filter dynamodb,$(DRIVER)),scripts/dynalite/node_modules) ## Play a whole game over HTTP (DRIVER=sqlite|dynamodb SEED=n)
	go run ./scripts/demo --driver $(DRIVER) --seed $(SEED) --game $(GAME)

.PHONY: bench
bench: $(NODE_MODULES) ## Measure (BENCH=regular expression)
	go test -run '^$$' -bench '$(BENCH)' -benchmem $(PACKAGES)

.PHONY: cost
cost: $(NODE_MODULES) ## Price what the benchmarks measure: dollars for a million actions, and for a game
	go test -run '^$$' -bench '^Benchmark(Designs|Command|Fanout)$$/^(boulevard|transaction|history|dynamodb)$$' -benchtime 1000x \
		./functions/internal/host ./functions/internal/rest ./functions/internal/notify | go run ./scripts/cost

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
lint: $(TOOLS)/golangci-lint-$(GOLANGCI_LINT) audit ## Check style and common faults, and audit dependencies
	$(TOOLS)/golangci-lint-$(GOLANGCI_LINT) run ./...

# The database of vulnerabilities is a module like others, so that the audit needs no network once it is there.
.PHONY: audit
audit: $(TOOLS)/govulncheck-$(GOVULNCHECK) .tools/vulndb-$(VULNDB) ## Look for known vulnerabilities that the programs can reach
	$(TOOLS)/govulncheck-$(GOVULNCHECK) -db "file://$(CURDIR)/.tools/vulndb-$(VULNDB)" $(PACKAGES) ./infra/...
	./scripts/audit.sh scripts/dynalite scripts/pushreceiver infra

# The stack at AWS. The programs of all functions are built into build/, a folder each; FUNCTIONS may name fewer.
# BUILD marks a build, so that its bytes are others than those of the same source without it.
FUNCTIONS ?= http socket stream notify clock
STAGE     ?= example
ARCH      ?= $(if $(filter emulator,$(STAGE)),$(shell go env GOARCH),arm64)
BUILD     ?=
APPROVAL  ?= broadening
INFRA     := infra/node_modules
CFN_LINT  := .tools/cfn-lint/bin/cfn-lint
MINISTACK := .tools/ministack/bin/ministack
CDK        = PATH="$(CURDIR)/$(INFRA)/.bin:$$PATH" cdk --app build/cdk --no-notices
# jsii runs the Node.js of the lock file where it has one for this machine, and the machine's own elsewhere.
infra-test synth bootstrap diff deploy destroy: export JSII_NODE = $(firstword $(wildcard $(CURDIR)/$(INFRA)/node-linux-*/bin/node) node)
bootstrap diff deploy destroy: export CDK_DISABLE_CLI_TELEMETRY = true

.PHONY: functions
functions: $(FUNCTIONS:%=build/%/bootstrap) ## Build the functions' programs (ARCH=arm64|amd64)

# The same source makes the same bytes, so what has not changed is not deployed again.
.PHONY: $(FUNCTIONS:%=build/%/bootstrap)
$(FUNCTIONS:%=build/%/bootstrap): build/%/bootstrap:
	CGO_ENABLED=0 GOOS=linux GOARCH=$(ARCH) go build -tags lambda.norpc -trimpath -buildvcs=false -ldflags "-s -w -buildid=$(BUILD)" \
		-o $@ ./functions/$*

.PHONY: infra-test
infra-test: $(INFRA) ## Try the stack: permissions, guards, configuration
	go test -count=1 ./infra/...

.PHONY: synth
synth: $(INFRA) functions ## Make the templates of a stage in build/cdk, offline (STAGE=name)
	@rm -rf build/cdk
	go run ./infra synth --stage $(STAGE)

.PHONY: lint-template
lint-template: synth $(CFN_LINT) ## Hold the template of a stage against CloudFormation's schemas (STAGE=name)
	$(CFN_LINT) --config-file infra/.cfnlintrc.yaml build/cdk/*.template.json

.PHONY: bootstrap
bootstrap: synth ## Prepare a stage's account and region for CDK, once (STAGE=name)
	$(CDK) bootstrap

.PHONY: diff
diff: synth ## Show what a deployment would change (STAGE=name)
	$(CDK) diff

.PHONY: deploy
deploy: synth ## Deploy a stage (STAGE=name; APPROVAL=never asks nothing)
	$(CDK) deploy --all --require-approval $(APPROVAL) --outputs-file build/outputs.json

.PHONY: destroy
destroy: $(INFRA) ## Destroy a stage (STAGE=name CONFIRM=name CONFIRM_DATA_LOSS=name)
	go run ./infra destroy --stage $(STAGE) --confirm "$(CONFIRM)" --confirm-data-loss "$(CONFIRM_DATA_LOSS)"
	$(MAKE) synth
	$(CDK) destroy --all --force

$(CFN_LINT): infra/requirements.txt
	python3 -m venv .tools/cfn-lint
	.tools/cfn-lint/bin/pip install --quiet --require-hashes -r infra/requirements.txt
	@touch $@

$(MINISTACK): scripts/e2e/requirements.txt
	python3 -m venv .tools/ministack
	.tools/ministack/bin/pip install --quiet --require-hashes -r scripts/e2e/requirements.txt
	@touch $@

# The program is built, not run by go, so that it is told when it is to stop and can take the emulator with it.
.PHONY: e2e
e2e: $(MINISTACK) $(INFRA) bin/boulevard ## Deploy to an emulator of AWS, play through it, destroy it (logs are left in build/e2e)
	go build -o bin/e2e ./scripts/e2e
	./bin/e2e

.PHONY: verify
verify: generate ## Fail where generated files or the module's lists are stale
	git diff --exit-code -- api
	go mod tidy -diff

.PHONY: bin/boulevard
bin/boulevard:
	CGO_ENABLED=0 go build -trimpath -o $@ ./functions/local

$(NODE_MODULES) $(INFRA): %/node_modules: %/package-lock.json
	cd $* && npm ci --no-audit --no-fund
	@touch $@

$(TOOLS)/ogen-$(OGEN):
	GOBIN=$(CURDIR)/$(TOOLS) go install github.com/ogen-go/ogen/cmd/ogen@$(OGEN)
	mv $(TOOLS)/ogen $@

$(TOOLS)/govulncheck-$(GOVULNCHECK):
	GOBIN=$(CURDIR)/$(TOOLS) go install golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK)
	mv $(TOOLS)/govulncheck $@

.tools/vulndb-$(VULNDB):
	go mod download golang.org/x/vulndb@$(VULNDB)
	go run golang.org/x/vulndb/cmd/indexdb@$(VULNDB) -vulns "$$(go env GOMODCACHE)/golang.org/x/vulndb@$(VULNDB)/data/osv" -out $@.new
	mv $@.new $@

$(TOOLS)/golangci-lint-$(GOLANGCI_LINT):
	GOBIN=$(CURDIR)/$(TOOLS) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT)
	mv $(TOOLS)/golangci-lint $@

$(EMULATOR):
	GOBIN=$(CURDIR)/$(TOOLS) go install github.com/aws/aws-lambda-runtime-interface-emulator/cmd/aws-lambda-rie@$(@:$(TOOLS)/aws-lambda-rie-%=%)
	mv $(TOOLS)/aws-lambda-rie $@
