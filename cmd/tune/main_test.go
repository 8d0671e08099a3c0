package main

import (
	"net"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"tune2048/results"
)

var defaultDatabase = results.DefaultPath

// TestMain makes the programs that scripts call.
func TestMain(m *testing.M) {
	tune := func() { // testscript calls it by its path
		program = "tune"
		main()
	}
	testscript.Main(m, map[string]func(){"tune": tune, "nats-server": natsServer, "greedybot": greedyBot,
		"gamesbot": gamesBot, "frailbot": frailBot})
}

// TestScripts runs the command-line scripts in testdata, each in an empty folder with the real
// program. With -short it runs each third of them.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	must(t, err)
	if testing.Short() {
		i := -1
		files = slices.DeleteFunc(files, func(string) bool { i++; return i%3 < 2 })
	}
	testscript.Run(t, testscript.Params{
		Files: files,
		Setup: func(e *testscript.Env) error {
			repository, err := filepath.Abs("../..")
			e.Setenv("REPOSITORY", repository)
			e.Setenv("HOME", e.WorkDir)
			for _, name := range []string{"PORT", "PORT2"} { // on which nobody listens
				_, port, _ := net.SplitHostPort(freeAddress(t))
				e.Setenv(name, port)
			}
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"await": func(s *testscript.TestScript, _ bool, args []string) { // until a server listens at this port
				for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
					c, err := net.Dial("tcp", "127.0.0.1:"+args[0])
					if err == nil {
						c.Close()
						return
					}
					if time.Now().After(deadline) {
						s.Check(err)
					}
				}
			},
		},
	})
}

// must ends the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
