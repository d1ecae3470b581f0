package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"boulevard/functions/internal/store"
)

type rebuild struct {
	Repair bool `help:"Write what is missing or stale, and remove what is superfluous."`
}

// Run compares all derived items with the games, and fails when a difference is left.
func (r *rebuild) Run(ctx context.Context, place *place) (err error) {
	site, err := place.open(ctx, slog.New(slog.NewTextHandler(os.Stderr, nil)), nobody)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, site.close()) }()
	differences, err := site.table.Differences(ctx)
	if err != nil {
		return err
	}
	for _, d := range differences {
		fmt.Printf("%-11s %s %s\n", d.Fault, d.Key.PK, d.Key.SK)
	}
	fmt.Printf("%d differences found\n", len(differences))
	if !r.Repair && len(differences) > 0 {
		return errors.New("the table is not as its games say: rebuild --repair mends it")
	}
	return repair(ctx, site.table, differences)
}

func repair(ctx context.Context, table *store.Table, differences []store.Difference) error {
	var errs []error
	for _, d := range differences {
		if err := table.Repair(ctx, d); err != nil {
			errs = append(errs, err)
		}
	}
	if repaired := len(differences) - len(errs); repaired > 0 {
		fmt.Printf("%d repaired\n", repaired)
	}
	return errors.Join(errs...)
}
