package main

import (
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// functionsOf are the functions of a stage by name.
func functionsOf(t *testing.T, s synthesized) map[string]object {
	t.Helper()
	all := map[string]object{}
	for id, resource := range s.resources("AWS::Lambda::Function") {
		for _, name := range functionNames() {
			if strings.HasPrefix(id, "Functions"+name) {
				all[name] = properties(resource)
			}
		}
	}
	require.Len(t, all, len(functionSpecs))
	return all
}

func TestEveryFunctionRunsItsOwnProgram(t *testing.T) {
	code := map[string]bool{}
	for name, f := range functionsOf(t, everything()) {
		require.Equal(t, "provided.al2023", f["Runtime"], name)
		require.Equal(t, "bootstrap", f["Handler"], name)
		require.Equal(t, []any{"arm64"}, f["Architectures"], name)
		code[fmt.Sprint(f["Code"])] = true
	}
	require.Len(t, code, len(functionSpecs))
}

func TestAFunctionHasItsLimits(t *testing.T) {
	for _, spec := range functionSpecs {
		f := functionsOf(t, everything())[spec.name]
		require.InDelta(t, spec.memory, f["MemorySize"], 0)
		require.InDelta(t, spec.timeout, f["Timeout"], 0)
		require.InDelta(t, spec.concurrency, f["ReservedConcurrentExecutions"], 0)
	}
	require.Less(t, functionsOf(t, everything())[clockName]["Timeout"], 60.0, "one tick ends before the next")
}

func TestAStageMayReserveNothing(t *testing.T) {
	config := smallestConfig()
	config.Concurrency = map[string]int{httpName: 0, socketName: 7}
	require.Equal(t, 0, config.concurrency(functionSpecs[0]))
	require.Equal(t, 7, config.concurrency(functionSpecs[1]))
	require.Equal(t, functionSpecs[2].concurrency, config.concurrency(functionSpecs[2]))
}

func TestLogsAreJSONAndEnd(t *testing.T) {
	for name, f := range functionsOf(t, everything()) {
		require.Equal(t, "JSON", f["LoggingConfig"].(object)["LogFormat"], name)
		require.Contains(t, f["LoggingConfig"], "LogGroup", name)
	}
	for id, group := range everything().resources("AWS::Logs::LogGroup") {
		require.InDelta(t, 30, properties(group)["RetentionInDays"], 0, id)
	}
}

func TestFunctionsAreTracedWhereConfigured(t *testing.T) {
	require.Contains(t, functionsOf(t, everything())[httpName], "TracingConfig")
	require.NotContains(t, functionsOf(t, smallest())[httpName], "TracingConfig")
}

// The names that the functions read, of which each finds these and no others.
func TestAFunctionFindsInItsEnvironmentWhatItNeeds(t *testing.T) {
	common := []string{"BOULEVARD_STAGE", "BOULEVARD_TABLE", "BOULEVARD_SECRET_ID", "BOULEVARD_SITE"}
	live := slices.Concat(common, []string{"BOULEVARD_LIVE_ENDPOINT"})
	tellers := slices.Concat(live, []string{"BOULEVARD_MAIL_FROM", "BOULEVARD_MAIL_CONFIGURATION", "BOULEVARD_APNS",
		"BOULEVARD_FCM", "BOULEVARD_PUSH_SUBJECT", "BOULEVARD_PUSH_KEY", "BOULEVARD_PUSH_SECRET_ID"})
	for name, want := range map[string][]string{
		httpName:   slices.Concat(common, []string{"BOULEVARD_CHANNELS", "BOULEVARD_PUSH_KEY"}),
		socketName: live, streamName: live, notifyName: tellers, clockName: tellers,
	} {
		require.ElementsMatch(t, want, sortedKeys(variablesOf(t, everything(), name)), name)
	}
	for name, want := range map[string][]string{
		httpName:   slices.Concat(common, []string{"BOULEVARD_CHANNELS"}),
		socketName: live, streamName: live, notifyName: live, clockName: live,
	} {
		require.ElementsMatch(t, want, sortedKeys(variablesOf(t, smallest(), name)), name)
	}
}

func variablesOf(t *testing.T, s synthesized, function string) object {
	t.Helper()
	return functionsOf(t, s)[function]["Environment"].(object)["Variables"].(object)
}

func TestAnEnvironmentNamesWhereThingsAre(t *testing.T) {
	clock := variablesOf(t, smallest(), clockName)
	require.Equal(t, "${TableCD117FA1}", text(clock["BOULEVARD_TABLE"]))
	require.Equal(t, "${Keyring5277DB2C}", text(clock["BOULEVARD_SECRET_ID"]))
	require.Equal(t, "${HttpApiB1B95647.ApiEndpoint}", text(clock["BOULEVARD_SITE"]))
	require.Equal(t, "https://${LiveApiACBCF7C0}.execute-api.${AWS::Region}.${AWS::URLSuffix}/live",
		text(clock["BOULEVARD_LIVE_ENDPOINT"]))

	require.Equal(t, "https://play.example.org", variablesOf(t, everything(), clockName)["BOULEVARD_SITE"])
	require.Equal(t, "webhook,webpush,email,mobile", variablesOf(t, everything(), httpName)["BOULEVARD_CHANNELS"])
	require.Equal(t, "webhook", variablesOf(t, smallest(), httpName)["BOULEVARD_CHANNELS"])
}

func TestADomainIsTheSiteUnlessAnotherIsConfigured(t *testing.T) {
	t.Parallel()
	config := Config{Domain: &Domain{Name: "api.example.org"}}
	require.Equal(t, "https://api.example.org", site(config, &httpAPI{config: config}))
	config.Site = "https://play.example.org"
	require.Equal(t, "https://play.example.org", site(config, &httpAPI{config: config}))
}

// notHere are what programs read that no stage sets: for emulators and for one machine.
var notHere = []string{"BOULEVARD_SECRET", "BOULEVARD_PUSH_SECRET", "BOULEVARD_DYNAMODB_ENDPOINT"}

// What programs of the cloud call by name in their sources is what they are given, or it is listed above.
func TestNoProgramReadsAVariableThatNobodySets(t *testing.T) {
	t.Parallel()
	set := newEnvironment(exampleConfig(), addresses{table: "t", keyring: "k", site: "s", live: "l"})
	known := map[string]bool{}
	for _, variables := range set {
		for name := range variables {
			known[name] = true
		}
	}
	read := variablesRead(t, append(functionNames(), "internal/cloud")...)
	require.NotEmpty(t, read)
	for _, name := range read {
		require.True(t, known[name] || slices.Contains(notHere, name), "%s is read, and set nowhere", name)
	}
}

// variablesRead are the names in the sources below folders of functions/.
func variablesRead(t *testing.T, folders ...string) []string {
	t.Helper()
	functions := os.DirFS("../functions")
	name, names := regexp.MustCompile(`"(BOULEVARD_[A-Z_]+)"`), map[string]bool{}
	for _, folder := range folders {
		require.NoError(t, fs.WalkDir(functions, folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := fs.ReadFile(functions, path)
			for _, match := range name.FindAllStringSubmatch(string(source), -1) {
				names[match[1]] = true
			}
			return err
		}))
	}
	return sortedKeys(names)
}
