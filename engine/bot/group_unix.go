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

// adopts reports whether the orphans of bots become children of this process: it is the first one,
// as in a container.
var adopts = os.Getpid() == 1

// buryOrphans waits for the processes of a killed group whose parents have ended, if they are this
// process's. Otherwise each would stay as a zombie, until no more processes may be started. The
// leader was waited for before.
func buryOrphans(p *os.Process) {
	for err := error(nil); adopts && (err == nil || err == syscall.EINTR); {
		_, err = syscall.Wait4(-p.Pid, nil, 0, nil) // in the end there is no such child
	}
}

// unread reads bytes from a pipe that are there already, and returns their number.
func unread(out *os.File, into []byte) (n int) {
	if raw, err := out.SyscallConn(); err == nil {
		raw.Read(func(fd uintptr) bool { n, _ = syscall.Read(int(fd), into); return true })
	}
	return max(n, 0)
}
