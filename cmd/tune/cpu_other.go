//go:build !unix

package main

import "time"

var processStart = time.Now()

// cpuTime returns the time since the start, where the system does not report CPU time.
func cpuTime() time.Duration { return time.Since(processStart) }
