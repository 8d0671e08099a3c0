package config

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tune2048/engine/eval"
)

// place is how every line of an error of a file begins.
var place = regexp.MustCompile(`^fuzz\.yaml:[1-9][0-9]*:[1-9][0-9]*: [^ ]`)

// noFiles is the reader for hostile configs: they must not reach the file system. Its error says
// the path, as one of the system does.
func noFiles(path string) ([]byte, error) {
	return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
}

// checkParse parses hostile data: it ends in an error whose every line has a place, or in a config
// that says in its own text what it is.
func checkParse(t testing.TB, data []byte) {
	t.Helper()
	c, err := parse(data, &document{path: "fuzz.yaml", open: noFiles})
	if err == nil {
		checkRoundTrip(t, c)
		return
	}
	checkPlaces(t, err, data)
}

func checkPlaces(t testing.TB, err error, data []byte) {
	t.Helper()
	lines := strings.Split(err.Error(), "\n")
	if len(lines) > maxShown+1 {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		if !place.MatchString(line) || len(line) > 2000 {
			t.Errorf("%q\nis said of %q", line, data)
		}
	}
	var problems problems
	if errors.As(err, &problems) &&
		problems[0].Line > 1+strings.Count(string(data), "\n")+strings.Count(string(data), "\r")+
			strings.Count(string(data), "\u0085")+strings.Count(string(data), "\u2028")+strings.Count(string(data), "\u2029") {
		t.Errorf("%v is behind the end of %q", problems[0], data)
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range Names() {
		data, err := Embedded(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(chosenRanges))
	f.Fuzz(func(t *testing.T, data []byte) { checkParse(t, data) })
}

// Files that are right but for a slip of the pen.
func TestDamagedConfigs(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	texts := []string{string(full(t).YAML()), chosenRanges}
	for _, path := range []string{"testdata/full.yaml", "../nneonneo.yaml", "../cluster.yaml"} {
		data, err := os.ReadFile(path)
		must(t, err)
		texts = append(texts, string(data))
	}
	const marks = " \t\n:-{}[],#&*!|>'\"%@`0.e~\x00\xff"
	for range 500 {
		data := []byte(texts[random.IntN(len(texts))])
		for range 1 + random.IntN(3) {
			i := random.IntN(len(data))
			switch random.IntN(3) {
			case 0:
				data[i] = marks[random.IntN(len(marks))]
			case 1:
				data = append(data[:i], data[i+1:]...)
			case 2:
				data = append(data[:i], append([]byte{marks[random.IntN(len(marks))]}, data[i:]...)...)
			}
		}
		checkParse(t, data)
	}
}

// TestHostileConfigs: what would take a careless reader for ever, or all of its memory. Each takes
// well below a second. A quadratic reader takes minutes, so the limit of go test ends it.
func TestHostileConfigs(t *testing.T) {
	const head = "heuristic: {family: snake}\n"
	bomb := "a: &a [x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c < 'z'; c++ {
		ref := "*" + string(c-1)
		bomb += string(c) + ": &" + string(c) + " [" + strings.Repeat(ref+", ", 8) + ref + "]\n"
	}
	for name, text := range map[string]string{
		"alias bomb":        bomb,
		"deep list":         strings.Repeat("[", 500_000),
		"deep closed list":  head + "stages: " + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000),
		"deep mapping":      strings.Repeat("{a: ", 200_000),
		"deep blocks":       strings.Repeat("- ", 500_000),
		"many keys":         "{" + strings.Repeat("a,", 500_000) + "}",
		"many unknown keys": "{" + manyKeys(70_000) + "}",
		"many null keys":    "{a: (, " + strings.ReplaceAll(manyKeys(70_000), ": 1", "") + "}",
		"many items":        head + "stages: [" + strings.Repeat("{},", 300_000) + "]",
		"many numbers": "heuristic: {numbers: {" + manyKeys(80_000) + "}, features: [" +
			strings.Repeat("{feature: sum, name: a},", 60) + "]}",
		"many names": "heuristic: {numbers: {p: 1}, features: [{feature: formula, line: a, numbers: {" +
			strings.ReplaceAll(manyKeys(60_000), ": 1", ": q") + "}}]}",
		"many weights":    head + "references: {x: {weights: {" + manyKeys(80_000) + "}}}",
		"long line":       head + "name: " + strings.Repeat("x", 1_000_000),
		"long key":        head + "? " + strings.Repeat("x", 1_000_000) + "\n: 1\n",
		"long number":     head + "seed: " + strings.Repeat("9", 1_000_000),
		"long fraction":   head + "game: {four_probability: 0." + strings.Repeat("1", 1_000_000) + "}",
		"long alias":      head + "name: *" + strings.Repeat("x", 1_000_000),
		"many comments":   strings.Repeat("# a\n", 250_000),
		"open list":       head + "stages: [\n" + strings.Repeat("1,#\n", 250_000),
		"open quote":      head + "name: \"" + strings.Repeat("\n", 1_000_000),
		"many lines, bad": head + strings.Repeat("\n", 900_000) + "]",
	} {
		_, err := parse([]byte(text), &document{path: "fuzz.yaml", open: noFiles})
		if err == nil && name != "long fraction" {
			t.Errorf("%s: no error", name)
		} else if err != nil {
			checkPlaces(t, err, []byte(text))
		}
	}
}

// TestManyWeights: four times as many weights take at most six times as much.
func TestManyWeights(t *testing.T) {
	allocated := func(n int) uint64 {
		weights := strings.ReplaceAll(manyKeys(n), ": 1", ": {min: 0, max: 1}")
		text := "player: {command: [b], answers: moves, weights: {" + weights + "}}\nreferences: {a: {weights: {" +
			manyKeys(n) + "}}}\nstarts: [" + strings.Repeat("{weights: {k0: 1}}, ", 20) + "]\n"
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c := load(t, text)
		_, _, err := c.Next("next", slices.Repeat(eval.Vector{1}, n), eval.Dead{}) // each at its edge
		must(t, err)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if few, many := allocated(1000), allocated(4000); many > 6*few {
		t.Errorf("1,000 weights take %d bytes, 4,000 take %d", few, many)
	}
}

func manyKeys(n int) string {
	var text strings.Builder
	for i := range n {
		text.WriteString("k" + strings.Repeat("x", i%5) + strconv.Itoa(i) + ": 1,")
	}
	return text.String()
}
