package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tune2048/configs/config"
)

// readmes are the front page and the folders' pages, whose commands go on from the front page's.
func readmes(t *testing.T) []string {
	t.Helper()
	pages := []string{"../../README.md"}
	for _, pattern := range []string{"../../*/README.md", "../../configs/champions/README.md"} {
		found, err := filepath.Glob(pattern)
		must(t, err)
		pages = append(pages, found...)
	}
	return pages
}

// blocks returns a page's fenced code blocks of a language.
func blocks(t *testing.T, page, language string) (found []string) {
	t.Helper()
	text, err := os.ReadFile(page)
	must(t, err)
	for i, part := range strings.Split(string(text), "```") {
		if block, ok := strings.CutPrefix(part, language+"\n"); ok && i%2 == 1 {
			found = append(found, block)
		}
	}
	return found
}

// TestReadmeCommands runs every command of the READMEs, in order, in a folder with the configs. The
// quickstart and the front page's own config are small there, and 8 hours are three generations: a
// busy machine may need any time for them.
// .ci/run runs the whole quickstart.
func TestReadmeCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many small runs")
	}
	t.Parallel()
	if _, err := exec.LookPath("sqlite3"); err != nil {
		t.Skip("needs the sqlite3 shell")
	}
	folder := t.TempDir()
	quickstart, err := config.ReadFile("../../configs/quickstart.yaml")
	must(t, err)
	small := strings.NewReplacer("depth: 3", "depth: 1", "max_games: 10000", "max_games: 200").Replace(string(quickstart))
	must(t, os.Mkdir(filepath.Join(folder, "configs"), 0o755))
	mine := strings.Replace(blocks(t, "../../README.md", "yaml")[0], "depth: 3", "depth: 1", 1) +
		"stages: [{generations: 2}]\nplayoff: {games: 20}\nvalidation: {games: 30}\nablation: {games: 20}\n"
	for name, text := range map[string]string{"configs/quickstart.yaml": small, "mine.yaml": mine, "other.yaml": mine} {
		must(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	games := regexp.MustCompile(`-games \d+`)
	for _, page := range readmes(t) {
		for line := range strings.Lines(strings.Join(blocks(t, page, "sh"), "")) {
			line = strings.Replace(line, "go run ./cmd/tune", "tune", 1)
			if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "go ") {
				continue
			}
			command := exec.Command("sh", "-c",
				games.ReplaceAllString(strings.Replace(line, "-for 8h", "-generations 3", 1), "-games 2"))
			command.Dir = folder
			out, err := command.CombinedOutput()
			if err != nil {
				t.Errorf("%s: %s: %v\n%s", page, line, err, out)
			} else if strings.HasPrefix(line, "sqlite3") && len(out) == 0 {
				t.Errorf("%s: %s: no rows", page, line)
			}
		}
	}
}

// TestReadmeLinks: every relative link of the READMEs leads to a file, and to a heading of it.
func TestReadmeLinks(t *testing.T) {
	link, mark := regexp.MustCompile(`\]\(([^)#: ]*)(#[^)]*)?\)`), regexp.MustCompile(`[^\w\- ]`)
	headings := func(page string) string {
		text, err := os.ReadFile(page)
		must(t, err)
		var all strings.Builder
		for line := range strings.Lines(string(text)) {
			if title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && line[0] == '#' {
				all.WriteString("#" + strings.ReplaceAll(mark.ReplaceAllString(strings.ToLower(title), ""), " ", "-") + "\n")
			}
		}
		return all.String()
	}
	links := 0
	for _, page := range append(readmes(t), "bots/README.md", "../../experiments/cluster/README.md",
		"../../results/export/README.md") {
		text, err := os.ReadFile(page)
		must(t, err)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			links++
			target := page
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(page), m[1])
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", page, m[0], err)
			} else if m[2] != "" && !strings.Contains(headings(target), m[2]+"\n") {
				t.Errorf("%s links to %s: no such heading", page, m[0])
			}
		}
	}
	if links < 20 {
		t.Errorf("found %d links", links)
	}
}

// TestReadmeGoCommands: `go test` and `go doc` of the pages name tests, benchmarks and declarations
// that their packages have. go test passes where -run finds nothing.
func TestReadmeGoCommands(t *testing.T) {
	test, doc := regexp.MustCompile("go test ([^`#]*)"), regexp.MustCompile("go doc ([^`#]*)")
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Benchmark)\w+)`)
	found := 0
	for _, page := range append(readmes(t), "../../.github/CONTRIBUTING.md", "../../experiments/cluster/README.md",
		"../../results/export/README.md") {
		text, err := os.ReadFile(page)
		must(t, err)
		for _, m := range test.FindAllStringSubmatch(string(text), -1) {
			words := strings.Fields(m[1])
			var names strings.Builder
			for _, word := range words {
				files, err := filepath.Glob(filepath.Join("../..", word, "*_test.go"))
				must(t, err)
				for _, file := range files {
					code, err := os.ReadFile(file)
					must(t, err)
					for _, name := range declared.FindAllStringSubmatch(string(code), -1) {
						names.WriteString(name[1] + "\n")
					}
				}
			}
			for i, word := range words[1:] {
				name, _, _ := strings.Cut(strings.Trim(word, "'"), "/")
				if words[i] != "-run" && words[i] != "-bench" || name == "NONE" {
					continue
				}
				found++
				if !regexp.MustCompile(name).MatchString(names.String()) {
					t.Errorf("%s: go test %s: the package has no test %s", page, m[1], name)
				}
			}
		}
		for _, m := range doc.FindAllStringSubmatch(string(text), -1) {
			found++
			command := exec.Command("go", append([]string{"doc"}, strings.Fields(m[1])...)...)
			command.Dir = "../.."
			if out, err := command.CombinedOutput(); err != nil {
				t.Errorf("%s: go doc %s: %v\n%s", page, m[1], err, out)
			}
		}
	}
	if found < 15 {
		t.Errorf("found %d commands", found)
	}
}

// TestReadmeConfigs: every config of the READMEs is valid. One that shows some keys only is tried
// with a heuristic.
func TestReadmeConfigs(t *testing.T) {
	for _, page := range readmes(t) {
		for _, text := range blocks(t, page, "yaml") {
			if !strings.Contains("\n"+text, "\nheuristic:") {
				text += "heuristic: {features: [{feature: empty, weight: {min: 0, max: 9}}]}\n"
			}
			if _, err := config.Parse([]byte(text), page); err != nil {
				t.Errorf("%v\n%s", err, text)
			}
		}
	}
}
