//go:build !linux

package main

import "time"

// threadTime says that the system does not tell the CPU time of a thread.
func threadTime() (time.Duration, bool) { return 0, false }
