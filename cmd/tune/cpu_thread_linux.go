package main

import (
	"syscall"
	"time"
)

// threadTime returns the CPU time that this thread has used.
func threadTime() (time.Duration, bool) {
	const thread = 1 // RUSAGE_THREAD
	var u syscall.Rusage
	err := syscall.Getrusage(thread, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), err == nil
}
