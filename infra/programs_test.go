package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// build makes the smallest program as the Makefile makes the functions', and gives it to each of them.
func build(t *testing.T, goArch string) string {
	t.Helper()
	source := filepath.Join(t.TempDir(), "main.go")
	require.NoError(t, os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600))
	assets := t.TempDir()
	program := filepath.Join(assets, "bootstrap")
	command := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -buildid=",
		"-o", program, source)
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+goArch)
	output, err := command.CombinedOutput()
	require.NoError(t, err, string(output))
	for _, spec := range functionSpecs {
		require.NoError(t, os.Mkdir(filepath.Join(assets, spec.name), 0o750))
		require.NoError(t, os.Link(program, filepath.Join(assets, spec.name, "bootstrap")))
	}
	return assets
}

func TestProgramsForAnotherMachineAreRefused(t *testing.T) {
	t.Parallel()
	require.ErrorContains(t, CheckPrograms(exampleConfig(), t.TempDir()), "make functions ARCH=arm64")

	assets := build(t, "arm64")
	require.NoError(t, CheckPrograms(exampleConfig(), assets))
	emulated := Config{Stage: "dev", Architecture: "x86_64"}
	require.ErrorContains(t, CheckPrograms(emulated, assets), "make functions ARCH=amd64")
}
