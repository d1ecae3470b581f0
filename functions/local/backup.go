package main

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

type backup struct {
	File string `arg:"" help:"File to write. It holds what players may not know, but no secret of the host's." type:"path"`
}

// Run writes all items of the table into a file. What is under that name stays until the new one is whole.
func (b *backup) Run(ctx context.Context, place *place) error {
	return place.at(ctx, func(site *site) (err error) {
		file, err := os.CreateTemp(filepath.Dir(b.File), ".boulevard-*")
		if err != nil {
			return err
		}
		defer func() { _ = os.Remove(file.Name()) }()
		packed := gzip.NewWriter(file)
		count, err := site.table.Export(ctx, packed)
		if err = errors.Join(err, packed.Close(), file.Sync(), file.Close()); err != nil {
			return err
		}
		fmt.Printf("%d items written\n", count)
		return os.Rename(file.Name(), b.File)
	})
}

type restore struct {
	File string `arg:"" help:"File that backup has written, on this driver or on another." type:"existingfile"`
}

// Run writes the items of a file into the table, unless it has newer ones. It can be repeated.
func (r *restore) Run(ctx context.Context, place *place) error {
	return place.at(ctx, func(site *site) (err error) {
		file, err := os.Open(r.File)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		packed, err := gzip.NewReader(file)
		if err != nil {
			return fmt.Errorf("%s: %w", r.File, err)
		}
		count, err := site.table.Import(ctx, packed)
		fmt.Printf("%d items written\n", count)
		return err
	})
}
