package results

import "testing"

// TestWindowsWord: a path in a suggested command means the same to cmd and PowerShell.
func TestWindowsWord(t *testing.T) {
	for path, want := range map[string]string{
		`C:\tune\a.db`: `C:\tune\a.db`, `my runs\it's.db`: `"my runs\it's.db"`, "": `""`, "@a": `"@a"`, "a&b": `"a&b"`,
	} {
		if got := windowsWord(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}
