package main

import "testing"

// TestInColours: colours are drawn where a terminal has 256, and never with NO_COLOR.
func TestInColours(t *testing.T) {
	for _, c := range []struct {
		term, colorterm, noColor string
		want                     bool
	}{
		{"xterm", "", "", false},
		{"tmux-256color", "", "", true},
		{"xterm", "truecolor", "", true},
		{"xterm-256color", "truecolor", "1", false},
	} {
		env := map[string]string{"TERM": c.term, "COLORTERM": c.colorterm, "NO_COLOR": c.noColor}
		if got := inColours(func(name string) string { return env[name] }); got != c.want {
			t.Errorf("%v: %v, want %v", env, got, c.want)
		}
	}
}
