package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLoadErrors(t *testing.T) {
	folder := t.TempDir()
	shipped := strings.Join(Names(), ", ")
	for path, hint := range map[string]string{
		"configs/snek.yaml": "tune init snake", "snake": "tune init snake", "quick.yaml": "tune init quickstart",
		"configs/zzzzzz.yaml": "tune init NAME",
	} {
		_, err := Load(path)
		want := path + ": no such file; shipped configs: " + shipped + "; write one here with: " + hint
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := Load(folder); err == nil || err.Error() != folder+": is a directory, want a file" {
		t.Errorf("a folder: got %v", err)
	}
	large := filepath.Join(folder, "large.yaml")
	must(t, os.WriteFile(large, make([]byte, 3*MaxBytes), 0o600))
	if _, err := Load(large); err == nil || err.Error() != large+":1:1: the file is larger than 1 MB" {
		t.Errorf("a large file: got %v", err)
	}
	if _, err := Embedded("snek"); err == nil || !strings.HasSuffix(err.Error(), "tune init snake") {
		t.Errorf("an unknown shipped config: got %v", err)
	}
}
