package main

import (
	"debug/elf"
	"errors"
	"fmt"
	"path/filepath"
)

// machines by the names of architectures at AWS.
var machines = map[string]elf.Machine{"arm64": elf.EM_AARCH64, "x86_64": elf.EM_X86_64}

// CheckPrograms refuses programs that are missing, or were built for another machine than the stage is to run on: they
// would be deployed well, and fail at their first call.
func CheckPrograms(config Config, assets string) error {
	var faults []error
	for _, spec := range functionSpecs {
		if err := checkProgram(config, filepath.Join(assets, spec.name, "bootstrap")); err != nil {
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}

func checkProgram(config Config, path string) error {
	program, err := elf.Open(path)
	if err != nil {
		return fmt.Errorf("%w (make functions ARCH=%s)", err, config.goArch())
	}
	defer program.Close()
	if want := machines[config.Architecture]; program.Machine != want {
		return fmt.Errorf("%s: built for %s, and the stage runs on %s (make functions ARCH=%s)",
			path, program.Machine, config.Architecture, config.goArch())
	}
	return nil
}
