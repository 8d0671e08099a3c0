package main

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"tune": main, "nats-server": natsServer})
}

// TestScripts runs the command-line scripts in testdata, each in an empty folder with the real program.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			repository, err := filepath.Abs("../..")
			e.Setenv("REPOSITORY", repository)
			e.Setenv("HOME", e.WorkDir)
			return err
		},
	})
}
