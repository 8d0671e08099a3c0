//go:build !linux

package bot

import (
	"os/exec"
	"testing"
)

func adoptOrphans() {}

func leaveGroup(*exec.Cmd) {}

func starve(string) {}

func checkGone(*testing.T, []string) {}
