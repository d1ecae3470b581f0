package functions_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every test that the threats are said to be held off by exists.
func TestThreats_NameTestsThatExist(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("threats.md")
	require.NoError(t, err)
	named := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9_]+)`").FindAllStringSubmatch(string(text), -1)
	require.NotEmpty(t, named)
	there := testsBelow(t, "..")
	for _, name := range named {
		require.Contains(t, there, name[1])
	}
}

// testsBelow are the names of all tests in a folder.
func testsBelow(t *testing.T, folder string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "node_modules" || strings.HasPrefix(entry.Name(), ".") && len(entry.Name()) > len("..")) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(path) //nolint:gosec // the folder is this project's own
		for _, match := range declared.FindAllStringSubmatch(string(source), -1) {
			names[match[1]] = true
		}
		return err
	})
	require.NoError(t, err)
	return names
}
