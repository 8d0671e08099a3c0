package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"tune2048/configs"
	"tune2048/results"
)

// initConfig writes a shipped config to the current folder, or with -from a config that starts from
// a run. It also writes the schema that the config's first line names. It overwrites no config.
func initConfig(ctx context.Context, in *invocation) error {
	f := in.flags()
	in.databaseFlag(f)
	from := f.String("from", "", "write a config that starts from the champion of this `RUN`, or from RUN:CANDIDATE;\n"+
		"if NAME is not given, it is the name of the run's config with -next")
	arguments, err := in.parse(f)
	if err != nil {
		return err
	}
	var name string
	if len(arguments) == 1 {
		name = strings.TrimSuffix(arguments[0], ".yaml")
	}
	var data []byte
	switch {
	case len(arguments) > 1 && given(f, "from"):
		return usagef("init: want one NAME at most with -from, got %d", len(arguments))
	case given(f, "from"):
		reader, err := results.OpenReader(in.database)
		if err != nil {
			return err
		}
		defer reader.Close()
		record, err := findRecord(ctx, reader, *from)
		if err != nil {
			return err
		}
		if name == "" {
			name = record.NextName()
		}
		data, err = record.YAML(name)
		if err != nil {
			return usagef("init: %w", err)
		}
	case len(arguments) != 1:
		return usagef("init: want one name of %s", strings.Join(configs.Names(), ", "))
	default:
		if data, err = configs.Embedded(name); err != nil {
			return usagef("init: %w", err)
		}
	}
	return in.writeConfig(name, data)
}

// writeConfig writes a config to the current folder, unless there is one of that name.
func (in *invocation) writeConfig(name string, data []byte) error {
	path := name + ".yaml"
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("init: %s exists already: move it away, or go to another folder", path)
	} else if err != nil {
		return fmt.Errorf("init: %w", err)
	}
	_, err = file.Write(data)
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("init: write %s: %w", path, err)
	}
	beside, err := writeSchema()
	if err != nil {
		return fmt.Errorf("init: wrote %s, but not the schema that its first line names for editors: %w", path, err)
	}
	fmt.Fprintf(in.stdout, "wrote %s%s\nnext: %s -config %s\n", path, beside, program, path)
	return nil
}

// writeSchema writes the schema of configs beside them, for editors. It leaves another file of that
// name alone.
func writeSchema() (wrote string, err error) {
	old, err := configs.ReadFile(configs.SchemaFile)
	switch {
	case bytes.Equal(old, configs.Schema):
		return "", nil
	case err == nil && !bytes.Contains(old, []byte(configs.SchemaTitle)):
		return fmt.Sprintf(" (%s, for editors, is not written: there is another file of that name)", configs.SchemaFile), nil
	}
	return " and " + configs.SchemaFile + ", for editors", os.WriteFile(configs.SchemaFile, configs.Schema, 0o644)
}
