package main

import (
	"cmp"
	"debug/elf"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// part is what a program has of one origin.
type part struct {
	name  string
	bytes int64
}

// tables are what symbols of no package stand for, or no symbol at all.
const tables = "types and other tables"

// network is what the standard library has for it, also where it is the work of others.
const network = "net and crypto"

// shown is the size from which a part has a row of its own.
const shown = 50_000

// contents are the parts of a program that was built with its symbols, the largest first. What the stripped file has beside
// them is what no symbol names: the tables that the runtime finds functions and types by.
func contents(named string, stripped int64) ([]part, error) {
	file, err := elf.Open(named)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	symbols, err := file.Symbols()
	if err != nil {
		return nil, err
	}
	sizes := map[string]int64{}
	rest := stripped
	add := func(name string, bytes int64) {
		sizes[name] += bytes
		rest -= bytes
	}
	for _, section := range file.Sections {
		if section.Name == ".gopclntab" {
			add("names and lines of functions (.gopclntab)", int64(section.FileSize))
		}
	}
	for _, s := range symbols {
		if isInFile(file, s) {
			add(originOf(s.Name), int64(s.Size))
		}
	}
	sizes[tables] += rest
	var parts []part
	small := part{name: "others"}
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		if sizes[name] < shown {
			small.bytes += sizes[name]
		} else {
			parts = append(parts, part{name, sizes[name]})
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.bytes, a.bytes) })
	return append(parts, small), nil
}

// isInFile tells what takes room in the file from what is only memory, and from what is counted as a section.
func isInFile(file *elf.File, s elf.Symbol) bool {
	if int(s.Section) >= len(file.Sections) {
		return false
	}
	section := file.Sections[s.Section]
	return section.Type == elf.SHT_PROGBITS && section.Name != ".gopclntab"
}

// originOf is where a symbol comes from: a part of this module, another module, or a part of the standard library.
func originOf(symbol string) string {
	at := packageOf(symbol)
	elements := strings.Split(at, "/")
	switch {
	case at == "":
		return tables
	case elements[0] == "boulevard":
		return strings.Join(elements[:min(2, len(elements))], "/")
	case strings.HasPrefix(at, "github.com/aws/aws-sdk-go-v2/service/"):
		return strings.Join(elements[:min(5, len(elements))], "/")
	case strings.Contains(elements[0], "."):
		return strings.Join(elements[:min(3, len(elements))], "/")
	case elements[0] == "vendor":
		return network
	}
	return standard(elements)
}

func standard(elements []string) string {
	switch elements[0] {
	case "net", "crypto", "hash", "mime":
		return network
	case "runtime", "internal", "reflect", "sync", "syscall", "os", "main":
		return "runtime, reflect, os"
	case "encoding", "time", "unicode", "regexp", "math":
		return elements[0]
	}
	return "rest of the standard library"
}

// packageOf is the path of a symbol's package, or "" where the linker made it.
func packageOf(symbol string) string {
	for _, prefix := range []string{"type:.eq.", "type:.hash.", "go:itab.", "type:"} {
		symbol = strings.TrimPrefix(symbol, prefix)
	}
	symbol, _, _ = strings.Cut(strings.TrimLeft(symbol, "*"), "[")
	symbol, _, _ = strings.Cut(symbol, ",")
	symbol, _, _ = strings.Cut(symbol, "(")
	slash := strings.LastIndexByte(symbol, '/')
	dot := strings.IndexByte(symbol[slash+1:], '.')
	if dot <= 0 || strings.HasPrefix(symbol, "go:") {
		return ""
	}
	return strings.ReplaceAll(symbol[:slash+1+dot], "%2e", ".")
}

func printParts(parts []part) {
	for _, p := range parts {
		fmt.Printf("%12s  %s\n", grouped(p.bytes), p.name)
	}
}
