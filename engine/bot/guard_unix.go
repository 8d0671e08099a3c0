//go:build unix && !aix && !solaris

package bot

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
)

// A guard is a process of this program that outlives it, even a kill -9. It reads from a pipe which
// groups and folders the bots have. At the end of the pipe it kills the groups and removes the
// folders that are left.

const guardVariable = "TUNE_GUARDS_BOTS" // in the environment of a guard

func init() {
	if os.Getenv(guardVariable) != "" {
		signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
		guard(os.Stdin)
		os.Exit(0)
	}
}

func guard(in io.Reader) {
	groups, folders := map[string]bool{}, map[string]bool{}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		var there bool
		var group int
		var folder string
		if fmt.Sscanf(lines.Text(), "%t %d %q", &there, &group, &folder); group > 0 {
			groups[strconv.Itoa(group)] = there
		}
		if folder != "" {
			folders[folder] = there
		}
	}
	for text, there := range groups {
		if group, _ := strconv.Atoi(text); there {
			syscall.Kill(-group, syscall.SIGKILL)
		}
	}
	for folder, there := range folders {
		if there {
			os.RemoveAll(folder)
		}
	}
}

// toGuard is the pipe to this process's guard, or nil where it has none.
var toGuard = sync.OnceValue(func() io.Writer {
	binary, err := os.Executable()
	if err != nil {
		return nil
	}
	cmd := exec.Command(binary)
	cmd.Env = []string{guardVariable + "=1"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // a terminal's signals do not reach it
	pipe, err := cmd.StdinPipe()
	if err != nil || cmd.Start() != nil {
		return nil
	}
	return pipe
})

// tellGuard says that a group or a folder is there, or is there no longer.
func tellGuard(there bool, group int, folder string) {
	if pipe := toGuard(); pipe != nil {
		fmt.Fprintf(pipe, "%t %d %q\n", there, group, folder)
	}
}
