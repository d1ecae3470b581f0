package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// asCommand has the test program be the command, in a process of its own.
const asCommand = "BOULEVARD_INFRA_AS_COMMAND"

// bare is an environment without an account, credentials, or a way to the network: proxies lead to a closed port, and the
// home, where configurations could be, is empty.
func bare(t *testing.T) []string {
	t.Helper()
	const nowhere = "http://127.0.0.1:1"
	env := []string{
		asCommand + "=1", "HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "AWS_EC2_METADATA_DISABLED=true",
		"HTTP_PROXY=" + nowhere, "HTTPS_PROXY=" + nowhere, "http_proxy=" + nowhere, "https_proxy=" + nowhere,
	}
	if node := os.Getenv("JSII_NODE"); node != "" {
		env = append(env, "JSII_NODE="+node)
	}
	return env
}

// run runs the command with arguments, and returns what it says.
func run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0], args...)
	command.Env, command.WaitDelay = bare(t), time.Second
	output, err := command.CombinedOutput()
	return string(output), err
}

func synth(t *testing.T, assets string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "cdk")
	output, err := run(t, "--stages", "stages", "synth", "--stage", "example", "--contract", "../api/openapi.yaml",
		"--assets", assets, "--out", out)
	require.NoError(t, err, output)
	template, err := os.ReadFile(filepath.Join(out, "boulevard-example.template.json"))
	require.NoError(t, err)
	return string(template)
}

// The programs are real ones, as the command looks at what they were built for.
func TestAStageIsSynthesizedWithoutAnAccountOrANetworkAndAlwaysAlike(t *testing.T) {
	assets := build(t, "arm64")
	template := synth(t, assets)
	same := template == synth(t, build(t, "arm64"))
	require.True(t, same, "where and when programs were built is not part of a template")
	require.NotContains(t, template, assets, "nor is where they are")
}

func TestAStageIsNotDestroyedWithoutConfirmation(t *testing.T) {
	t.Parallel()
	destroy := []string{"--stages", "stages", "destroy", "--stage", "example"}
	output, err := run(t, destroy...)
	require.Error(t, err)
	require.Contains(t, output, "CONFIRM=example")
	output, err = run(t, append(destroy, "--confirm", "example")...)
	require.Error(t, err)
	require.Contains(t, output, "CONFIRM_DATA_LOSS=example")
	output, err = run(t, append(destroy, "--confirm", "example", "--confirm-data-loss", "example")...)
	require.NoError(t, err, output)
	require.Contains(t, output, "--no-enable-termination-protection")
}

func TestAStageThatIsNotThereIsToldByItsFile(t *testing.T) {
	t.Parallel()
	output, err := run(t, "--stages", "stages", "synth", "--stage", "nowhere")
	require.Error(t, err)
	require.Contains(t, output, strings.Join([]string{"stages", "nowhere.yaml"}, "/"))
}
