//go:build unix && !aix && !solaris

package bot

import (
	"os"
	"syscall"
)

// attributes makes a bot the leader of a process group, which a terminal's Ctrl-C does not reach.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills the group that p leads.
func killGroup(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }

// unread reads bytes from a pipe that are there already, and returns their number.
func unread(out *os.File, into []byte) (n int) {
	if raw, err := out.SyscallConn(); err == nil {
		raw.Read(func(fd uintptr) bool { n, _ = syscall.Read(int(fd), into); return true })
	}
	return max(n, 0)
}
