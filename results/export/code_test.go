package export

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/eval"
	"tune2048/engine/key"
)

// player is one that is exported in these tests, and the tables that the engine plays it with.
type player struct {
	*Record
	tables *engine.Tables
}

// exported returns what is exported of a heuristic written as the section of a config.
func exported(t testing.TB, text string) *Record {
	t.Helper()
	c, err := config.Parse([]byte(text), "test.yaml")
	must(t, err)
	r := &Record{Run: c.Name, Candidate: 7, Role: "champion", config: c}
	r.Heuristic.Name, r.Game.FourProbability = c.Name, c.Rules.FourProbability
	r.heuristic, r.values = c.Heuristic, c.Start()
	return r
}

// formulas has every operation and quantity of formulas, in fixed point and in floating point, and
// hazards: a division by 0, a power and a root without a result where nothing asks for it.
const formulas = `
game: {four_probability: 0.25}
heuristic:
  dead: -12.5
  features:
    - {feature: formula, name: 3-Odd.name, tile: rank, weight: -10.7, line: "-min(max(a*b - c/3, -d), 2*w, (x + y)*z) + choose(!(a < b || c >= d) && a != d, largest, -empty)"}
    - {feature: formula, name: 3_odd_name, tile: face, weight: 0.37, line: "(max(a, d) == largest) * pow(largest, p) - (merges - (runs - a))/(1 + b)", numbers: {p: 1.3}}
    - {feature: formula, name: int, tile: rank, weight: 3, line: "choose(b != 0 && a/b > 1 || d <= 2, 7.25, -p) + log2(1 + a*d) + sqrt(abs(c - d)) * (a - -q)", numbers: {p: -2, q: -1.5}}
    - {feature: formula, name: guarded, weight: 1.5, line: "choose(a > 0, log2(max(a, 1))/a, 0) + choose(b != 0, pow(b, -0.5), c) + -(a + b)*0.01"}
    - {feature: formula, name: late, weight: 2, line: "(1/a > 0.3 && a != 0) + (pow(b, -1) < 0.2 && b != 0)"}
    - {feature: formula, name: constant, weight: 2, line: "1.5"}
    - {feature: empty, weight: 0.123456789}
    - {feature: merges, weight: 4.4}
    - {feature: line, weight: 0}
`

// families are of five kinds, each with a search of its own. Of symmetry best it has every kind of
// feature but formulas of a direction.
var families = []struct{ name, search, text string }{
	{"lines", "depth by distinct -8 least 1 p 0.02", `
heuristic:
  features:
    - {feature: line, weight: 200000}
    - {feature: empty, weight: 270}
    - {feature: merges, count: runs, weight: 700}
    - {feature: monotonicity, tile: rank, blanks: keep, power: 4, weight: -47}
    - {feature: sum, tile: rank, power: 3.5, weight: -11}
`},
	{"squares and the board", "depth by empty >2:1 else 2", `
heuristic:
  dead: -1000
  features:
    - {feature: formula, name: spread, tile: rank, square: "pow(largest, 2) - pow(min(a, b, c, d), 2) + (empty == 1)", weight: -0.3}
    - {feature: formula, name: blanks, board: "log(1 + empty) * moves + distinct", weight: 31}
    - {feature: formula, name: alone, board: "log2(largest) * log(distinct) + exp(corner) - log(1 + edge) * exp(moves)", weight: 9}
    - {feature: formula, name: ranked, tile: rank, board: "pow(largest, 1.3) * log2(1 + moves)", weight: 5}
    - {feature: formula, name: whole, tile: rank, board: "corner*pow(largest, 1.7) - down", sums: {down: {column: "max(b - a, 0)"}}, weight: 17}
`},
	{"matrix and snake", "depth by distinct -7 least 1 p 0.005", `
game: {four_probability: 0.25}
heuristic:
  features:
    - {feature: position, power: 1.1, matrix: [[9, 5, 3, 1], [5, 3, 1, 0], [3, 1, 0, -1], [1, 0, -1, -3]], weight: 0.5}
    - {feature: snake, corner: upper_right, first: row, decay: 0.37, power: 1.2, weight: 1}
    - {feature: empty, weight: 50}
`},
	{"symmetry best", "depth 4 p 0.01", `
heuristic:
  symmetry: best
  features:
    - {feature: snake, corner: upper_right, first: row, decay: 0.37, power: 1.2, weight: 1}
    - {feature: position, tile: rank, power: 2.5, matrix: [[9, -3, 2, 0], [3, 1, 0, 0.5], [0, 0, 0, 0], [-1, 0, 0, 0]], weight: 3}
    - {feature: corner, corner: lower_right, tile: rank, power: 2.3, weight: -7}
    - {feature: corner, name: plain_corner, corner: upper_left, weight: -0.01}
    - {feature: largest, power: 0.5, weight: 5}
    - {feature: monotonicity, blanks: skip, power: 0.8, weight: -0.4}
    - {feature: difference, tile: rank, weight: -1.7}
    - {feature: formula, name: ends, tile: rank, weight: 11, line: "(max(a, d) == largest) * pow(largest, p)", numbers: {p: 1.5}}
`},
	{"no results", "depth 3", `
heuristic:
  features:
    - {feature: formula, name: quotient, line: "max(a / b, -floor(c / 3)) + pow(a - b, 2) / 1000", weight: 3}
    - {feature: formula, name: roots, tile: rank, square: "sqrt(a - b) + log(c - d) + exp(800 * empty) + 1e200 * (a - b) * 1e200", weight: -2.5}
    - {feature: formula, name: large, line: "pow(largest, 4.1)", weight: -0.001}
    - feature: formula
      name: direction
      tile: rank
      let: {rise: "(a <= b) * pow(b, 1.5) + (b <= c) * pow(c, 1.5)", fall: "(a >= b) * pow(a, 1.5) + (b >= c) * pow(b, 1.5)", both: "rise + fall"}
      line: "max(rise, fall) - both / 3"
      weight: 7
    - {feature: formula, name: whole, tile: rank, board: "part / (s - 6) + sqrt(s - distinct)", let: {part: "floor(points / 100)"}, sums: {s: {row: "max(a - b, 0) + 0.5"}}, weight: 0.3}
`},
	{"corner", "depth 3", `
heuristic:
  features:
    - {feature: corner, tile: rank, corner: lower_right, power: 2.3, weight: -7}
    - {feature: largest, power: 0.5, weight: 5}
    - {feature: empty, weight: 30}
    - {feature: difference, tile: rank, weight: -3}
`},
	{"shared", "depth 2", `
heuristic:
  numbers: {p: 1.3, edge: 2.5, inner: -0.5}
  features:
    - {feature: monotonicity, tile: rank, power: p, weight: -40}
    - {feature: sum, tile: rank, power: p, weight: -11}
    - {feature: position, power: p, weight: 3, matrix: [[9, edge, edge, 9], [edge, inner, inner, edge], [edge, inner, inner, edge], [9, edge, edge, 9]]}
    - {feature: formula, name: top, tile: rank, line: "pow(largest, q) + r * a", numbers: {q: p, r: edge}, weight: 3}
    - {feature: formula, name: far, tile: rank, cell: "(tile == largest) * q * row + r * (tile > 4 && column == 3)", numbers: {q: p, r: inner}, weight: 5}
`},
	{"largest alone", "depth 2", "heuristic: {features: [{feature: largest, power: 0.5, weight: 5}]}\n"},
	{"nothing", "depth 2", "heuristic: {features: [{feature: largest, weight: 0}]}\n"},
}

// compared and drawn are how much the tests compare in each language.
var (
	compared = flag.Int("boards", 20, "on how many boards of games TestSource compares each player's moves, by 200 also "+
		"of long searches; TestBots plays a game for every 40")
	drawn = flag.Int("families", 8, "how many random families TestSource compares")
)

// board has formulas over the board that turn with it.
const board = `
heuristic:
  symmetry: best
  features:
    - {feature: formula, name: blanks, board: "log(1 + empty)", weight: 3.1}
    - feature: formula
      name: whole
      tile: rank
      weight: -1.7
      board: "corner*pow(largest, 1.7) - edge + distinct*moves/(1 + points) - max(int, down) + choose(empty > 3, s_q, 0)"
      sums: {int: {row: "max(a - b, 0)"}, down: {column: "min(pow(a, 1.2), b)"}, s_q: {square: "log(1 + empty) * 0.1"}}
    - {feature: formula, name: f, tile: rank, board: "a_b * 10 - ab + a_bb", sums: {a_b: {row: "a"}, ab: {column: "abs(a - b)"}, a_bb: {row: "c"}}, weight: 1}
    - {feature: formula, name: f_a, tile: rank, board: "bb + bb_of", sums: {bb: {column: "max(c, d)"}, bb_of: {row: "abs(b - c)"}}, weight: 1}
    - {feature: formula, name: sum_f_ab, tile: rank, line: "a - b", weight: 1}
    - {feature: snake, corner: upper_right, first: row, decay: 0.37, power: 1.2, weight: 1}
    - {feature: corner, corner: lower_right, tile: rank, power: 2.3, weight: -7}
`

// hostile is a text that somebody may have written into a database. It must not end a comment in
// any language.
const hostile = "x */ /*/ */*/ \\u002a\\u002f \\u000a int oops; \n#error oops\r\noops(\x00\u2028oops\u2029\u0085 " +
	"\x1b[31m \u202e \"\"\" ` é -->\\"

func players(t *testing.T) (all []player) {
	texts := []string{}
	for _, f := range families {
		texts = append(texts, f.text)
	}
	texts = append(texts, formulas, board)
	for _, name := range config.Names() {
		text, err := config.Embedded(name)
		must(t, err)
		texts = append(texts, string(text))
	}
	for k, text := range texts {
		if k < len(families) {
			search, err := engine.ParseSettings(families[k].search)
			must(t, err)
			text += "search: " + key.Writer{}.Text(&search) + "\n"
		}
		r := exported(t, text)
		if k < len(families) {
			r.Run = families[k].name
		} else if slices.Contains(config.Champions(), r.Run) {
			data, err := config.ReadFile("champions/" + r.Run)
			must(t, err)
			r, err = Read(data)
			must(t, err)
		}
		if text == formulas {
			r.Run, r.Role, r.Heuristic.Name, r.Search.Text, r.Signature, r.Verify = hostile, hostile, hostile, hostile, hostile,
				hostile
			r.HeldOut = []HeldOut{{Search: hostile, CI: &[2]float64{1, 2}}, {}}
			for i := range r.heuristic.Features {
				r.heuristic.Features[i].Name += hostile
			}
		}
		tables, err := eval.NewCompiler(&r.heuristic).Compile(r.values, r.heuristic.Dead)
		must(t, err)
		all = append(all, player{r, tables})
	}
	return all
}

// stages are positions of all stages of whole games, from nearly empty boards to large tiles.
func stages(t *testing.T, p player, n int) (all [][4][4]int) {
	var positions []engine.Board
	chooser := new(engine.Searcher)
	chooser.Prepare(p.tables, engine.FixedDepth(3), engine.DefaultRules())
	for seed := range uint64(5) {
		engine.Play(engine.DefaultRules(), seed, chooser, func(s engine.Step) bool {
			positions = append(positions, s.Board)
			return true
		})
	}
	for i := range n {
		all = append(all, positions[i*len(positions)/n].Faces())
	}
	return all
}

// boards are positions of games, boards of random tiles up to 65536, and some that are odd.
func boards(t *testing.T, n int) (all [][4][4]int) {
	random := rand.New(rand.NewPCG(1, 2))
	for seed := uint64(0); len(all) < n/2; seed++ {
		result := engine.Play(engine.DefaultRules(), seed, engine.Greedy{}, func(s engine.Step) bool {
			if random.IntN(8) == 0 {
				all = append(all, s.Board.Faces())
			}
			return true
		})
		all = append(all, result.Final.Faces()) // dead
	}
	all = append(all, [4][4]int{}, [4][4]int{{2}},
		[4][4]int{{32768, 32768, 4, 8}, {2, 4, 2, 4}, {4, 2, 0, 2}, {2, 4, 2, 4}},
		[4][4]int{{2, 0, 0, 2}, {0, 4, 4, 0}, {0, 4, 4, 0}, {2, 0, 0, 2}}) // as good from all sides: ties
	for len(all) < n {
		var faces [4][4]int
		blank, highest := random.IntN(10), 2+random.IntN(15)
		for i := range 16 {
			if random.IntN(10) >= blank {
				faces[i/4][i%4] = 1 << (1 + random.IntN(highest))
			}
		}
		all = append(all, faces)
	}
	return all
}

// ownSearch is the depth of a question for the best move by the record's own search, and its value.
const ownSearch = -1

// question is asked of an exported player: its value (depth 0), or its best move.
type question struct {
	player, depth int
	faces         [4][4]int
	again         int    // so often more; see BenchmarkExports
	nodes         int64  // of the own search
	want          string // the engine's answer
}

func (q question) String() string {
	return strings.NewReplacer("[", "", "]", "").Replace(fmt.Sprint(q.player, q.depth, q.again, q.faces))
}

// answer is the engine's.
func (q question) answer(p player, s *engine.Searcher) string {
	for i := range 16 { // a 65536 counts as a 32768
		q.faces[i/4][i%4] = min(q.faces[i/4][i%4], 32768)
	}
	b, err := engine.FromFaces(q.faces)
	switch {
	case err != nil:
		panic(err)
	case q.depth > 0:
		s.Prepare(p.tables, engine.FixedDepth(q.depth), engine.Rules{FourProbability: p.Game.FourProbability})
		return s.Search(b).Best.String()
	}
	return fmt.Sprint(p.tables.Value(b))
}

// questions are asked of all players: values, and moves at depths 1 to 5 and by their own search.
func questions(t *testing.T, all []player) (list []question) {
	positions, games := boards(t, 1000), stages(t, all[0], *compared)
	full := [4][4]int{{2, 8, 2, 8}, {8, 16, 4, 2}, {4, 32, 16, 64}, {2, 64, 64, 4}}
	late := [4][4]int{{16384, 8, 2, 8}, {32768, 32768, 4, 2}, {4, 32, 16, 64}, {2, 256, 64, 4}}
	// Two 32768s merge, and two 16384s become another one.
	both := [4][4]int{{32768, 0, 32768, 2}, {4, 16384, 16384, 1024}, {128, 16, 8, 8}, {4096, 128, 1024, 32}}
	dead := [4][4]int{{2, 4, 2, 4}, {4, 2, 4, 2}, {2, 4, 2, 4}, {4, 2, 4, 2}}
	for i, p := range all {
		var s, own engine.Searcher
		rules := engine.Rules{FourProbability: p.Game.FourProbability}
		own.Prepare(p.tables, p.config.Search, rules)
		ask := func(depth int, faces [4][4]int) {
			if _, err := engine.FromFaces(faces); err != nil && depth > 0 {
				return // a 65536 has ended the game
			}
			q := question{player: i, depth: depth, faces: faces}
			q.want = q.answer(p, &s)
			list = append(list, q)
		}
		for k, faces := range positions {
			ask(0, faces)
			if k%10 == 0 || k >= 500 && k < 520 {
				ask(1, faces)
			}
			if k%100 == 0 || k >= 500 && k < 504 {
				ask(3, faces)
			}
		}
		for _, faces := range games {
			ask(1, faces)
			ask(3, faces)
		}
		for _, faces := range append(slices.Clone(games), full, late, both, dead) {
			b, err := engine.FromFaces(faces)
			must(t, err)
			d := own.Search(b)
			if *compared < 200 && d.Nodes > 5000 {
				continue
			}
			value := p.tables.Dead
			if d.Best != engine.NoMove {
				value = d.Values[d.Best]
			}
			list = append(list, question{player: i, depth: ownSearch, faces: faces, nodes: d.Nodes,
				want: fmt.Sprint(d.Best, " ", value)})
		}
		ask(2, full)
		ask(4, full)
		ask(5, late)
	}
	return list
}

// TestCommentsAreText: tools that read comments as HTML show a record's texts as they are, and obey
// none of their tags. In a page no text ends the script.
func TestCommentsAreText(t *testing.T) {
	const evil = `</script><script>alert(1)</script> <!-- &lt; {@code x} @deprecated`
	r := exported(t, families[3].text)
	r.Run, r.Role, r.Heuristic.Name, r.Search.Text, r.Signature, r.Verify = evil, evil, evil, evil, evil, evil
	r.HeldOut = []HeldOut{{Search: evil}}
	for i := range r.heuristic.Features {
		r.heuristic.Features[i].Name += evil
	}
	var code bytes.Buffer
	must(t, Source(&code, "javascript", "player", false, r))
	for _, harm := range []string{"<script", "</", "<!--", "{@code", "@deprecated"} {
		if n := strings.Count(code.String(), harm); n > 0 {
			t.Errorf("%d times %s", n, harm)
		}
	}
	if !strings.Contains(code.String(), "&amp;lt;") {
		t.Error("&lt; is shown as another text")
	}
}

// TestSource: what is exported, compiled and run by each language's own tools, has the engine's
// values and moves. In full it takes an hour: go test -run TestSource -boards 200 -families 100
// -timeout 9h -v ./results/export.
func TestSource(t *testing.T) {
	all := append(players(t), randomFamilies(t, *drawn)...)
	list := questions(t, all)
	for _, language := range Languages() {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			list := list
			if language == "python" { // a million nodes take some 10 seconds
				list = slices.DeleteFunc(slices.Clone(list), func(q question) bool { return q.nodes > 200_000 })
			}
			var codes []string
			for _, p := range all {
				var code strings.Builder
				must(t, Source(&code, language, "player", false, p.Record))
				if i := strings.IndexFunc(code.String(),
					func(c rune) bool { return c != '\n' && c != '\t' && (c < ' ' || c > '~') }); i >= 0 {
					t.Errorf("it has the character %q", code.String()[i:i+4])
				}
				codes = append(codes, code.String())
			}
			ask := build(t, language, codes...)
			var input strings.Builder
			for _, q := range list {
				fmt.Fprintln(&input, q)
			}
			answers := bufio.NewScanner(bytes.NewReader(ask(input.String())))
			own, wrong := 0, 0
			for i, q := range list {
				if q.depth == ownSearch {
					own++
				}
				if !answers.Scan() {
					t.Fatalf("%d answers to %d questions", i, len(list))
				}
				if got := answers.Text(); !alike(got, q.want, q.tolerance(all[q.player])) {
					wrong++
					if wrong <= 10 {
						t.Errorf("player %d, depth %d, board %v: got %s, want %s", q.player, q.depth, q.faces, got, q.want)
					}
				}
			}
			t.Logf("%d answers, %d of them by the own search, %d wrong", len(list), own, wrong)
		})
	}
}

// TestPython: the snake's player fits four screens of 50 lines. A depth below 0 and a board that is
// none are errors in Python's own words.
func TestPython(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	data, err := config.ReadFile("champions/snake")
	must(t, err)
	snake, err := Read(data)
	must(t, err)
	var code bytes.Buffer
	must(t, Source(&code, "python", "player", false, snake))
	if n := strings.Count(code.String(), "\n"); n > 200 {
		t.Errorf("the snake's player has %d lines", n)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "player.py"), code.String())
	out := run(t, dir, "", "python3", "-c", `import player
for board, depth in ([[2] * 4] * 4, -1), ([[2] * 4] * 3, 0), ([[2, 3, 4, 8]] * 4, 0), ([[2] * 8] * 2, 0):
    try:
        print(player.best_move(board, depth))
    except ValueError as error:
        print(error)
`)
	const want = "want a depth of 0 or more, got -1\n" +
		"want four rows of four faces, 0, 2, 4, 8 ... 65536, got [[2, 2, 2, 2], [2, 2, 2, 2], [2, 2, 2, 2]]\n" +
		"want four rows of four faces, 0, 2, 4, 8 ... 65536, got [[2, 3, 4, 8], [2, 3, 4, 8], [2, 3, 4, 8], [2, 3, 4, 8]]\n" +
		"want four rows of four faces, 0, 2, 4, 8 ... 65536, got [[2, 2, 2, 2, 2, 2, 2, 2], [2, 2, 2, 2, 2, 2, 2, 2]]\n"
	if string(out) != want {
		t.Errorf("got %s", out)
	}
}

// tolerance is by how much of its size a value may differ from the engine's: not at all, or in its
// last bits. The engine values boards with a 65536 in floating point, and a search may end in some.
// The logarithm of two tiles is the language's.
func (q question) tolerance(p player) float64 {
	sum := 0
	for i := range 16 {
		sum += q.faces[i/4][i%4]
	}
	if _, err := engine.FromFaces(q.faces); err != nil || q.depth == ownSearch && sum > 65536 || p.Run == hostile {
		return 1e-9
	}
	return 0
}

// alike reports whether two answers are the same move, nearly the same value, or both.
func alike(got, want string, tolerance float64) bool {
	return slices.EqualFunc(strings.Fields(got), strings.Fields(want), func(got, want string) bool {
		x, err := strconv.ParseFloat(want, 64)
		y, wrong := strconv.ParseFloat(got, 64)
		return got == want || err == nil && wrong == nil && math.Abs(x-y) <= tolerance*math.Abs(x)
	})
}

func write(t testing.TB, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

func run(t testing.TB, dir, input string, command ...string) []byte {
	t.Helper()
	c := exec.Command(command[0], command[1:]...)
	c.Dir = dir
	var out, failure bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(input), &out, &failure
	if err := c.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, failure.String())
	}
	if failure.Len() > 0 {
		t.Errorf("%s warns:\n%s", strings.Join(command, " "), failure.String())
	}
	return out.Bytes()
}

// build writes players of a language, with a program that answers a question a line, and builds it.
// It returns a function that runs the program.
func build(t testing.TB, language string, codes ...string) (ask func(input string) []byte) {
	t.Helper()
	h, dir := harnesses[language], t.TempDir()
	for _, tool := range h.tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed: the export in %s is not tried", tool, language)
		}
	}
	for i, code := range codes {
		write(t, filepath.Join(dir, fmt.Sprintf(h.file, i)), h.place(i, code))
	}
	write(t, filepath.Join(dir, h.main), strings.ReplaceAll(h.program(len(codes)), "\t", "    "))
	if h.build != "" {
		run(t, dir, "", "sh", "-c", h.build)
	}
	return func(input string) []byte { return run(t, dir, input, h.run...) }
}

// harness is how a language's exports are tried: where the i-th lies, a program that reads a
// question a line and answers it, how that is built, and how it is run. place adds the value of the
// own search to what the i-th says.
type harness struct {
	tools      []string
	file, main string // in which the i-th is
	place      func(i int, code string) string
	program    func(n int) string
	build      string // for sh
	run        []string
}

// each repeats a text for every exported player.
func each(n int, format string) string {
	var text strings.Builder
	for i := range n {
		text.WriteString(strings.ReplaceAll(format, "#", strconv.Itoa(i)))
	}
	return text.String()
}

var harnesses = map[string]harness{
	"c": {
		tools: []string{"gcc"}, file: "player%d.c", main: "main.c",
		place: func(i int, code string) string {
			return fmt.Sprintf("#define value value%d\n#define best_move best_move%d\n", i, i) + code +
				fmt.Sprintf("double own_value%d(const int board[4][4]) { int move; return search(board, 0, &move); }\n", i)
		},
		program: func(n int) string {
			return "#include <stdio.h>\ntypedef const int (*Rows)[4];\n" +
				each(n, "double value#(const int board[4][4]);\ndouble own_value#(const int board[4][4]);\nint best_move#(const int board[4][4], int depth);\n") + `
int main(void) {
	double (*value[])(const int[4][4]) = {` + each(n, "value#, ") + `};
	double (*own_value[])(const int[4][4]) = {` + each(n, "own_value#, ") + `};
	int (*best_move[])(const int[4][4], int) = {` + each(n, "best_move#, ") + `};
	int i, depth, again, board[4][4];
	while (scanf("%d %d %d", &i, &depth, &again) == 3) {
		for (int k = 0; k < 16; k++)
			if (scanf("%d", &board[k / 4][k % 4]) != 1)
				return 1;
		while (again-- > 0)
			best_move[i]((Rows)board, depth);
		if (depth == 0)
			printf("%.17g\n", value[i]((Rows)board));
		else
			fputs(((const char *[]){"none", "up", "down", "left", "right"})[1 + best_move[i]((Rows)board, depth)], stdout);
		if (depth < 0)
			printf(" %.17g", own_value[i]((Rows)board));
		if (depth != 0)
			puts("");
	}
	return 0;
}
`
		},
		build: "gcc -O2 -ffp-contract=off -Wall -Wextra -pedantic -Werror -o main *.c -lm",
		run:   []string{"./main"},
	},
	"python": {
		tools: []string{"python3"}, file: "player%d.py", main: "main.py",
		place: func(_ int, code string) string { return code },
		program: func(n int) string {
			return `import importlib, sys
players = [importlib.import_module("player%d" % i) for i in range(` + strconv.Itoa(n) + `)]
for line in sys.stdin:
	i, depth, again, *faces = map(int, line.split())
	board = [faces[k:k + 4] for k in (0, 4, 8, 12)]
	for _ in range(again): players[i].best_move(board, max(depth, 0))
	print(repr(players[i].value(board)) if depth == 0 else players[i].best_move(board, max(depth, 0)) or "none", *([repr(max(players[i].move_values(board).values(), default=players[i].DEAD))] if depth < 0 else []))
`
		},
		run: []string{"python3", "-W", "error", "main.py"},
	},
	"javascript": {
		tools: []string{"node"}, file: "player%d.mjs", main: "main.mjs",
		place: func(_ int, code string) string {
			return code + "export const ownValue = (board) => [...moveValues(board).values()].reduce((x, y) => Math.max(x, " +
				"y), -Infinity);\nexport { DEAD };\n"
		},
		program: func(n int) string {
			return each(n, "import * as p# from \"./player#.mjs\";\n") + `
import { readFileSync } from "node:fs";
const players = [` + each(n, "p#, ") + `];
const out = [];
for (const line of readFileSync(0, "utf8").trim().split("\n")) {
	const [i, depth, again, ...faces] = line.split(" ").map(Number);
	const board = [0, 4, 8, 12].map((k) => faces.slice(k, k + 4));
	for (let k = 0; k < again; k++) players[i].bestMove(board, Math.max(depth, 0));
	const best = depth === 0 ? "" : players[i].bestMove(board, Math.max(depth, 0)) ?? "none";
	const own = depth < 0 ? " " + (best === "none" ? players[i].DEAD : players[i].ownValue(board)) : "";
	out.push(depth === 0 ? players[i].value(board) : best + own);
}
console.log(out.join("\n"));
`
		},
		run: []string{"node", "main.mjs"},
	},
}

// TestPlayers: the players that were written by hand run as they are in the repository, and find
// the same values and moves.
func TestPlayers(t *testing.T) {
	var want []string
	var input strings.Builder
	for _, faces := range boards(t, 30) {
		if _, err := engine.FromFaces(faces); err == nil {
			fmt.Fprintf(&input, "%v\n%v\n%v\n", question{faces: faces}, question{depth: 3, faces: faces},
				question{depth: ownSearch, faces: faces})
		}
	}
	for _, language := range Languages() {
		code, err := playerFiles.ReadFile("players/" + languages[language].file)
		must(t, err)
		if language == "c" { // it has functions for other heuristics
			code = slices.Concat([]byte("#pragma GCC diagnostic ignored \"-Wunused-function\"\n"), code)
		}
		got := strings.Split(string(build(t, language, string(code))(input.String())), "\n")
		if want == nil {
			want = got
		}
		for i := range want {
			if !alike(got[i], want[i], 0) {
				t.Errorf("%s: answer %d is %s, want %s", language, i, got[i], want[i])
			}
		}
	}
}

// TestTables: both forms hold the values of all lines, of the heuristics that have them. The others
// say why they have none.
func TestTables(t *testing.T) {
	for _, p := range players(t) {
		var header, raw bytes.Buffer
		if err := errors.Join(Tables(&header, p.Record, false), Tables(&raw, p.Record, true)); err != nil {
			if (p.tables.Cells == nil && p.tables.Oriented == nil && p.tables.Rows == p.tables.Columns &&
				p.tables.Squares[0] == nil && p.tables.Board == nil) || p.Run == "nneonneo" ||
				!strings.Contains(err.Error(), "is not a sum over rows and columns alike") {
				t.Errorf("%s: %v", p.Run, err)
			}
			continue
		}
		values := make([]float64, 65537)
		if err := binary.Read(&raw, binary.LittleEndian, values); err != nil || raw.Len() != 0 {
			t.Fatalf("%s: %v, %d bytes too many", p.Run, err, raw.Len())
		}
		if values[65536] != p.tables.Dead {
			t.Errorf("%s: dead is %v, want %v", p.Run, values[65536], p.tables.Dead)
		}
		for _, faces := range boards(t, 1000) {
			b, err := engine.FromFaces(faces)
			if err != nil {
				continue
			}
			sum := 0.0
			for i := range 4 {
				sum += values[uint64(b)>>(16*i)&0xFFFF] + values[uint64(b.Transpose())>>(16*i)&0xFFFF]
			}
			if want := p.tables.Value(b); math.Abs(sum-want) > 1e-9*math.Abs(want) {
				t.Fatalf("%s: board %v: got %v, want %v", p.Run, b, sum, want)
			}
		}
		_, list, _ := strings.Cut(header.String(), "line_values[65536] = {")
		words := strings.FieldsFunc(list, func(c rune) bool { return strings.ContainsRune(" ,\n", c) })
		for row, v := range values[:65536] {
			if x, err := strconv.ParseFloat(words[row], 64); err != nil || x != v {
				t.Fatalf("%s: the header has %s for row %d, want %v", p.Run, words[row], row, v)
			}
		}
		if !slices.Equal(words[65536:], []string{"};", "#endif"}) ||
			!strings.Contains(header.String(), "DEAD_VALUE ("+number(values[65536])+")") {
			t.Errorf("%s: the header ends in %v", p.Run, words[65536:])
		}
	}
}

// TestTablesOfBestSymmetry: the best of 8 orientations is no sum over lines, unless the
// orientations are worth the same.
func TestTablesOfBestSymmetry(t *testing.T) {
	for line, refused := range map[string]bool{"a - 2*d": true, "abs(a - d)": false} {
		r := exported(t, "heuristic: {symmetry: best, features: [{feature: formula, line: \""+line+"\"}]}")
		for _, raw := range []bool{false, true} {
			if err := Tables(io.Discard, r, raw); (err != nil) != refused || refused &&
				!strings.Contains(err.Error(), "symmetry best") {
				t.Errorf("%s, raw %t: %v", line, raw, err)
			}
		}
	}
}

// TestBots: as bots, the families play the games of the same seeds as the engine.
func TestBots(t *testing.T) {
	all := players(t)[:len(families)]
	want := make([][]int, len(all))
	for i, p := range all {
		player, rules := new(engine.Searcher), engine.Rules{FourProbability: p.Game.FourProbability}
		player.Prepare(p.tables, p.config.Search, rules)
		for seed := range uint64(max(1, *compared/40)) {
			want[i] = append(want[i], int(engine.Play(rules, seed, player, nil).Score))
		}
	}
	for language, command := range map[string][]string{
		"c": {"player.c", "./player"}, "python": {"player.py", "python3", "player.py", "--bot"},
	} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			for _, tool := range harnesses[language].tools {
				if _, err := exec.LookPath(tool); err != nil {
					t.Skipf("%s is not installed", tool)
				}
			}
			games, wrong := 0, 0
			for i, p := range all {
				dir := t.TempDir()
				var code bytes.Buffer
				name, _, _ := strings.Cut(command[0], ".")
				must(t, Source(&code, language, name, true, p.Record))
				write(t, filepath.Join(dir, command[0]), code.String())
				if language == "c" {
					run(t, dir, "", "gcc", "-O2", "-ffp-contract=off", "-DBOT", "-Wall", "-Wextra", "-pedantic", "-Werror", "-o",
						"player", "player.c", "-lm")
				}
				process := bot.New(bot.Program{Command: command[1:], Folder: dir, Answers: bot.Moves, Timeout: time.Minute})
				for seed, want := range want[i] {
					got, err := process.Play(t.Context(), engine.Rules{FourProbability: p.Game.FourProbability}, uint64(seed), nil,
						nil)
					must(t, err)
					games++
					if got.Score != float64(want) {
						wrong++
						t.Errorf("%s: the game of seed %d ends with %v, want %d", p.Run, seed, got.Score, want)
					}
				}
				process.Close()
			}
			t.Logf("%d games, %d wrong", games, wrong)
		})
	}
}
