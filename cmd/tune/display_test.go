package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"tune2048/configs"
	"tune2048/experiments"
)

// TestWarningsAreSaidTwice: what became of a worker that told wrong is said at once, and again when the run ends.
func TestWarningsAreSaidTwice(t *testing.T) {
	c, err := configs.LoadEmbedded("quickstart")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	d := newDisplay(&out, c, runFlags{workers: 1}, time.Now())
	said := func(want ...int) {
		t.Helper()
		for i, text := range []string{"worker x is cut off", "game 7 of the run"} {
			if n := strings.Count(out.String(), "level=WARN msg=\""+text); n != want[i] {
				t.Errorf("%q is said %d times, want %d:\n%s", text, n, want[i], out.String())
			}
		}
	}
	p := experiments.Progress{}
	d.observe(p)
	said(0, 0)
	p.Warnings = []string{"worker x is cut off\x1b[2J"}
	d.observe(p)
	d.observe(p)
	said(1, 0)
	p.Warnings = append(p.Warnings, "game 7 of the run does not end so")
	d.observe(p)
	p.Warnings = p.Warnings[:2:2]
	d.observe(p)
	said(1, 1)
	d.close(true)
	said(2, 2)
	if strings.Contains(out.String(), "\x1b") {
		t.Error("a worker's name is obeyed")
	}
}
