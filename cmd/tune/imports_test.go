package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// floors are the packages of the program. Each imports only packages that stand before it.
var floors = strings.Fields(`engine/portable experiments/stats engine/key engine engine/bot engine/eval engine/simulator tuner experiments/fitness
	configs configs/config experiments experiments/summary experiments/cluster results/cgo results results/report results/export results/dashboard cmd/tune tuner/testdata/eaopt_eval`)

// judge is the engine in plain code, which only tests import.
const judge = "engine/plain"

// TestImportsRunDownward: no package imports one that stands above it, or beside it.
func TestImportsRunDownward(t *testing.T) {
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		folder, _ := filepath.Rel("../..", filepath.Dir(path))
		floor := slices.Index(floors, filepath.ToSlash(folder))
		if floor < 0 && filepath.ToSlash(folder) != judge {
			t.Errorf("%s: say in floors where its package stands", path)
		}
		for _, i := range file.Imports {
			if to, own := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), "tune2048/"); own &&
				(slices.Index(floors, to) >= floor || to == judge) {
				t.Errorf("%s imports upward: %s", path, to)
			}
		}
		return nil
	})
	must(t, err)
}

// TestReadingOrders: a package's story names only files that the package has.
func TestReadingOrders(t *testing.T) {
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != "doc.go" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, name := range regexp.MustCompile(`\b[a-z0-9_]+\.(go|s)\b`).FindAllString(string(text), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), name)); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
		return err
	})
	must(t, err)
}

// TestWhatIsShipped: modules that only tests need are not in the program.
func TestWhatIsShipped(t *testing.T) {
	list := exec.Command("go", "list", "-deps", ".")
	packages, err := list.Output()
	must(t, err)
	for _, module := range []string{"github.com/chromedp/", "github.com/santhosh-tekuri/jsonschema", "pgregory.net/rapid",
		"github.com/rogpeppe/"} {
		if strings.Contains(string(packages), module) {
			t.Errorf("the program imports %s", module)
		}
	}
	if !strings.Contains(string(packages), "github.com/mattn/go-sqlite3") {
		t.Error("the list has no go-sqlite3")
	}
}
