package results

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Some tests need another process: this binary again, with the role in the environment.
const (
	roleVariable = "RESULTS_TEST_ROLE"
	pathVariable = "RESULTS_TEST_PATH"
)

var roles = map[string]func(path string) error{"hold": holdRun, "unprivileged": unprivileged, "visit": visit}

func TestMain(m *testing.M) {
	if role := roles[os.Getenv(roleVariable)]; role != nil {
		if err := role(os.Getenv(pathVariable)); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// process is this binary in another role. It lives until its standard input ends.
type process struct {
	cmd   *exec.Cmd
	lines *bufio.Reader
	stdin io.Closer
}

func start(t *testing.T, role, path string) *process {
	t.Helper()
	program := sure(os.Executable())(t)
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), roleVariable+"="+role, pathVariable+"="+path)
	cmd.Stderr = os.Stderr
	stdin := sure(cmd.StdinPipe())(t)
	stdout := sure(cmd.StdoutPipe())(t)
	must(t, cmd.Start())
	p := &process{cmd: cmd, lines: bufio.NewReader(stdout), stdin: stdin}
	t.Cleanup(func() { stdin.Close(); cmd.Process.Kill(); cmd.Wait() })
	return p
}

func (p *process) line(t *testing.T) string {
	t.Helper()
	line, err := p.lines.ReadString('\n')
	if err != nil {
		t.Fatalf("the other process said %q, then: %v", line, err)
	}
	return strings.TrimSpace(line)
}
