package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"tune": main})
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
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			// readonly FILE...: nobody may write there, not even root (who ignores permissions): skips if so.
			"readonly": func(ts *testscript.TestScript, _ bool, args []string) {
				for _, a := range args {
					ts.Check(os.Chmod(ts.MkAbs(a), 0o555))
				}
			},
		},
		Condition: func(cond string) (bool, error) { return cond == "root" && os.Getuid() == 0, nil },
	})
}
