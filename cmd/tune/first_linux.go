package main

import (
	"os"
	"os/signal"
	"syscall"
)

// beFirst is for the first process of a container: the orphans of all others become its children,
// and stay as zombies until it waits for them. It runs this program in a second process, passes
// signals on, waits for whatever ends, and ends as the program does. Elsewhere, and where the
// program cannot be started again, it returns.
func beFirst() {
	if os.Getpid() != 1 {
		return
	}
	binary, err := os.Executable()
	if err != nil {
		return
	}
	signals := make(chan os.Signal, 16)
	signal.Notify(signals)
	program, err := os.StartProcess(binary, os.Args, &os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
	if err != nil {
		signal.Reset()
		return
	}
	go func() {
		for s := range signals {
			if s != syscall.SIGCHLD && s != syscall.SIGURG { // SIGURG is the runtime's
				program.Signal(s)
			}
		}
	}()
	for {
		var status syscall.WaitStatus
		switch pid, err := syscall.Wait4(-1, &status, 0, nil); {
		case err == syscall.EINTR:
		case err != nil:
			os.Exit(exitFailed) // its end was missed
		case pid == program.Pid && status.Exited():
			os.Exit(status.ExitStatus())
		case pid == program.Pid && status.Signaled():
			os.Exit(128 + int(status.Signal()))
		}
	}
}
