package tuner_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine/portable"
)

// keptSeed draws the problems that are kept back.
const keptSeed = 20261129

// draw writes the problems that are kept back.
var draw = flag.Bool("draw", false, "write the problems that are kept back, and their hash")

// kept is the folder of the problems that are kept back, their bots and their hash.
const kept = "testdata/kept"

// TestKeptNeverChange draws the problems that are kept back once more, on any processor: files,
// bots and hash are as they were committed. With -draw it writes the problems and the hash. That
// makes other problems, so do it only before anything was tuned on them.
func TestKeptNeverChange(t *testing.T) {
	drawn := drawKept()
	for name, text := range drawn {
		path := filepath.Join(kept, name)
		c, err := config.Parse([]byte(text), path)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if n := len(c.Tunable()); n < 2 || n > 20 {
			t.Errorf("%s: %d numbers to tune, want 2 to 20", name, n)
		}
		if *draw {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%s is not as seed %d draws it (%v)", path, keptSeed, err)
		}
	}
	if files := globKept(t, "*.yaml"); len(drawn) != 12 || len(files) != 12 {
		t.Errorf("%d problems are drawn and %d lie in %s, want 12", len(drawn), len(files), kept)
	}
	hash := keptHash(t)
	if *draw {
		if err := os.WriteFile(kept+"/SHA256", []byte(hash+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if committed, err := os.ReadFile(kept + "/SHA256"); err != nil || strings.TrimSpace(string(committed)) != hash {
		t.Errorf("the problems and bots in %s have the hash %s, SHA256 has %s (%v)", kept, hash, committed, err)
	}
}

// keptHash returns the SHA-256 of all problems and bots in the order of their names: of each its
// name, a newline, and its contents.
func keptHash(t *testing.T) string {
	files := append(globKept(t, "*.yaml"), globKept(t, "*.py")...)
	slices.Sort(files)
	sum := sha256.New()
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(sum, "%s\n%s", filepath.Base(file), data)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

func globKept(t *testing.T, pattern string) []string {
	files, err := filepath.Glob(filepath.Join(kept, pattern))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestKeptBots plays a game of each bot that is kept back. Another version of Python plays the
// same.
func TestKeptBots(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("wants python3")
	}
	for bot, want := range map[string]string{
		"trend": `{"score": 969.2281673971781, "moves": 250}
{"score": 1222.7846217926055, "moves": 250}
{"score": 982.3008736694276, "moves": 250}
`,
		"pig": `{"score": 1, "moves": 12}
{"score": 1, "moves": 13}
{"score": 0, "moves": 15}
`,
	} {
		var weights []string
		var games strings.Builder
		for _, n := range bots[slices.IndexFunc(bots, func(f family) bool { return f.name == bot })].terms[0].numbers {
			weights = append(weights, fmt.Sprintf("%q: %v", n.key, n.value))
		}
		command := exec.Command("python3", filepath.Join(kept, bot+".py"))
		for seed := range 3 {
			fmt.Fprintf(&games, "{\"seed\": %d, \"weights\": {%s}}\n", seed, strings.Join(weights, ", "))
		}
		command.Stdin = strings.NewReader(games.String())
		if got, err := command.Output(); err != nil || string(got) != want {
			t.Errorf("%s answers %q (%v), want %q", bot, got, err, want)
		}
	}
}

// number is a number of a heuristic or bot that may be tuned, at its public value.
type number struct {
	key         string // weight, power, decay, cell, or the symbol of a formula
	value       float64
	least, most float64 // allowed; both 0 for a weight, which may be any
	whole       bool
}

// term is a feature of a public heuristic. Its text has all but its numbers.
type term struct {
	text    string
	numbers []number
	matrix  [16]float64 // the cells of a position, which follow the other numbers
	slow    bool        // not for depth 3: a game would take too long
}

// family is a public heuristic.
type family struct {
	name, source string
	more         string  // further keys of the heuristic
	empty        float64 // about what one empty cell is worth, for the size of further terms
	terms        []term
}

func weighing(w float64, text string, more ...number) term {
	return term{text: text, numbers: append([]number{{key: "weight", value: w}}, more...)}
}

// own is a number of a formula's own or of a bot, within limits.
func own(key string, value, least, most float64) number {
	return number{key: key, value: value, least: least, most: most}
}

func whole(key string, value, least, most float64) number {
	return number{key: key, value: value, least: least, most: most, whole: true}
}

func power(p float64) number { return own("power", p, 0.25, 6) }
func decay(d float64) number { return own("decay", d, 0.02, 1) }

// cells is a position with a matrix of free cells, whose weight is fixed.
func cells(text string, matrix [16]float64, more ...number) term {
	return term{text: text, numbers: more, matrix: matrix}
}

// onBoard marks a term as slow.
func onBoard(t term) term {
	t.slow = true
	return t
}

const (
	roughRanks = "choose(a > 0 && b > 0, abs(a - b), 0) + choose(b > 0 && c > 0, abs(b - c), 0) + " +
		"choose(c > 0 && d > 0, abs(c - d), 0)"
	risesFalls = "(max(b - a, 0) + max(c - b, 0) + max(d - c, 0), max(a - b, 0) + max(b - c, 0) + max(c - d, 0))"
	smoothOver = "choose(x > 0, abs(w - x), 0) + choose(y > 0, abs(x - y), 0) + choose(z > 0, abs(y - z), 0)"
	risesOver  = "max(x - w, 0) + max(y - x, 0) + max(z - y, 0)"
	fallsOver  = "choose(x > 0, max(w - x, 0), 0) + choose(y > 0, max(x - y, 0), 0) + choose(z > 0, max(y - z, 0), 0)"
	lastScores = "max(b - 1, 0) * pow(2, b) + max(c - 1, 0) * pow(2, c) + max(d - 1, 0) * pow(2, d)"
	worth      = "(w == x) * pow(w, p) + (x == y) * pow(x, p) + (y == z) * pow(y, p)"
)

// families are the public heuristics, with their constants. The shipped configs and those of
// configs/config/testdata/public say more about most of them.
var families = []family{
	{"nneonneo", "nneonneo/2048-ai", "dead: 0", 270, []term{
		{text: "feature: line, weight: 200000"},
		weighing(270, "feature: empty"),
		weighing(700, "feature: merges, count: runs"),
		weighing(-47, "feature: monotonicity, tile: rank, blanks: keep", power(4)),
		weighing(-11, "feature: sum, tile: rank", power(3.5)),
	}},
	{"ovolve", "ovolve/2048-AI", "", 0.5, []term{
		weighing(-0.1, `feature: formula, name: smoothness, tile: rank, line: "`+smoothOver+`"`),
		onBoard(weighing(-1, `feature: formula, name: order, tile: rank, `+
			`sums: {left: {row: "`+risesOver+`"}, right: {row: "`+fallsOver+`"}, `+
			`up: {column: "`+risesOver+`"}, down: {column: "`+fallsOver+`"}}, board: "min(left, right) + min(up, down)"`)),
		weighing(2.7, `feature: formula, name: room, board: "log(max(1, empty))"`),
		weighing(1, "feature: largest, tile: rank"),
	}},
	{"smooth", "ovolve/2048-AI, line by line", "", 0.5, []term{
		weighing(0.27, "feature: empty"),
		weighing(-1, "feature: monotonicity, tile: rank, blanks: keep", power(1)),
		weighing(-0.1, "feature: difference, tile: rank"),
		weighing(1, "feature: largest, tile: rank"),
	}},
	{"gradient", "LeeYiyuan/2048ai", "symmetry: best", 1, []term{
		cells("feature: position", [16]float64{
			0.135759, 0.121925, 0.102812, 0.099937, 0.0997992, 0.0888405, 0.076711, 0.0724143,
			0.060654, 0.0562579, 0.037116, 0.0161889, 0.0125498, 0.00992495, 0.00575871, 0.00335193}, power(1)),
	}},
	{"snake", "gjdanis/2048", "", 30, []term{
		{text: "feature: snake, weight: 1", numbers: []number{decay(0.1), power(1)}},
		weighing(-1, "feature: corner", power(2)),
	}},
	{"lines", "a Java tutorial, Baeldung", "", 250, []term{
		weighing(250, "feature: empty"),
		weighing(750, "feature: merges"),
		weighing(-10, "feature: sum", power(1)),
		weighing(-50, "feature: monotonicity", power(1)),
	}},
	{"cluster", "a Clojure blog post", "", 20, []term{
		cells("feature: position", [16]float64{15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, power(1)),
		weighing(-2, "feature: difference"),
	}},
	{"vaishnavrathod", "VaishnavRathod/2048-ai-expectimax", "", 2.7, []term{
		weighing(2.7, `feature: formula, name: room, board: "empty"`),
		weighing(1.5, `feature: formula, name: order, tile: rank, line: "max`+risesFalls+`"`),
		weighing(-0.8, `feature: formula, name: rough, tile: rank, line: "`+roughRanks+`"`),
		onBoard(weighing(2, `feature: formula, name: corner, tile: rank, board: "corner * largest"`)),
		weighing(1, "feature: largest, tile: rank"),
	}},
	{"tanayko", "tanayko/2048-expectimax", "", 80, []term{
		onBoard(weighing(100, `feature: formula, name: corner, board: "corner"`)),
		weighing(100, "feature: merges"),
		weighing(80, `feature: formula, name: room, board: "empty"`),
		weighing(150, `feature: formula, name: roomy, line: "empty > 0"`),
	}},
	{"koalacards", "Koalacards/2048AI", "symmetry: best", 500, []term{
		weighing(10, "feature: largest"),
		weighing(-2000, `feature: formula, name: rough, tile: rank, line: "`+roughRanks+`"`),
		weighing(1000, "feature: position, name: corner, "+
			"matrix: [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]"),
		weighing(-500, `feature: formula, name: crowd, board: "empty <= p"`, own("p", 3, 0.5, 9.5)),
	}},
	{"victorgavrish", "VictorGavrish/2048AI", "symmetry: best", 50, []term{
		cells("feature: position", [16]float64{0, 0, 1, 3, 0, 1, 2, 4, 2, 3, 4, 6, 5, 8, 16, 128}, power(2)),
		onBoard(weighing(-1, `feature: formula, name: crowd, `+
			`sums: {pairs: {line: "(a > 0 && a == b) + (b > 0 && b == c) + (c > 0 && c == d)"}}, `+
			`board: "pow(p, max(0, most - empty - pairs))"`, own("p", 2, 1, 8), own("most", 6, 1, 15))),
	}},
	{"matpardoe", "MatPardoe/2048AI", "", 1, []term{
		onBoard(weighing(10, `feature: formula, name: tidy, tile: rank, sums: {rough: {line: "`+roughRanks+`"}}, `+
			`board: "pow(empty, e) / pow(max(1, 2 * rough), r)"`, own("e", 1, 0.1, 4), own("r", 1, 0.1, 4))),
	}},
	{"morganwl", "morganwl/2048-solver", "", 2, []term{
		weighing(0.75, `feature: formula, name: score, tile: rank, line: "max(a - 1, 0) * pow(2, a) + `+lastScores+`"`),
		weighing(2, `feature: formula, name: room, board: "empty"`),
		weighing(0.25, `feature: formula, name: order, tile: rank, `+
			`line: "choose(((b == 0 || b >= a) && (c == 0 || c >= b) && (d == 0 || d >= c)) || `+
			`(b <= a && c <= b && d <= c), `+lastScores+`, 0)"`),
	}},
	{"gavin_guiii", "Gavin-Guiii/2048_Solver", "", 30, []term{
		cells("feature: position, name: cell", [16]float64{
			0, 0, 0.0625, 0.1875, 0, 0.0625, 0.1875, 0.3125,
			0.0625, 0.1875, 0.3125, 0.9375, 0.1875, 0.3125, 0.9375, 1.875}),
		weighing(-1, "feature: difference"),
		weighing(-1, `feature: formula, name: across, square: "abs(a - d) + abs(b - c)"`),
		weighing(1, `feature: formula, name: room, board: "pow(empty, e)"`, own("e", 2, 0.5, 4)),
	}},
	{"danielbatchford", "danielbatchford/2048AI", "", 10, []term{
		weighing(-1, `feature: formula, name: tilt, row: "i * b + j * c + k * d"`,
			own("i", 1, 0, 10), own("j", 2, 0, 10), own("k", 3, 0, 10)),
		weighing(-1, `feature: formula, name: twins, square: "(a > 0 && a == d) + (b > 0 && b == c)"`),
		weighing(-1000, `feature: formula, name: full, board: "empty == 0"`),
	}},
	{"kcwu", "kcwu/2048-c", "", 15, []term{
		onBoard(weighing(1, `feature: formula, name: order, tile: rank, sums: {`+
			`left: {line: "(a > 0 && a >= b) * up + (b > 0 && b >= c) * up + (c > 0 && c >= d) * up - `+
			`(a < b) * (pow(r, b) - pow(r, a)) - (b < c) * (pow(r, c) - pow(r, b)) - (c < d) * (pow(r, d) - pow(r, c))"}, `+
			`right: {line: "(d > 0 && d >= c) * up + (c > 0 && c >= b) * up + (b > 0 && b >= a) * up - `+
			`(d < c) * (pow(r, c) - pow(r, d)) - (c < b) * (pow(r, b) - pow(r, c)) - (b < a) * (pow(r, a) - pow(r, b))"}}, `+
			`board: "max(left, right)"`, own("r", 2.247, 1, 4), own("up", 3.486, 0, 1000))),
		weighing(-1, `feature: formula, name: smoothness, tile: rank, `+
			`line: "abs(pow(s, a) - pow(s, b)) + abs(pow(s, b) - pow(s, c)) + abs(pow(s, c) - pow(s, d))"`,
			own("s", 1.971, 1, 4)),
		weighing(-1, `feature: formula, name: crowd, board: "pow(16 - empty, e)"`, own("e", 2, 0.5, 4)),
	}},
	{"utility", "DanWhite90/solver2048: a product", "", 0.05, []term{
		onBoard(weighing(1, `feature: formula, name: utility, tile: rank, sums: {broken: {line: "min`+risesFalls+`"}}, `+
			`board: "pow(1 / (1 + broken), m) * pow((1 + empty) / 17, e) * pow(largest / 17, l)"`,
			own("m", 1, 0.05, 10), own("e", 1, 0.05, 10), own("l", 1, 0.05, 10))),
	}},
	{"evolved", "a program in Rust with four evolved weights", "", 10, []term{
		onBoard(weighing(1, "feature: largest")),
		weighing(1, `feature: formula, name: alike, line: "(a == b) * a + (b == c) * b + (c == d) * c"`),
		weighing(10, `feature: formula, name: room, board: "empty"`),
		weighing(-0.5, "feature: difference"),
	}},
	{"algos", "algos.games, in Python", "", 100, []term{
		weighing(1, `feature: formula, name: squares, line: "pow(a, p) + pow(b, p) + pow(c, p) + pow(d, p)"`,
			own("p", 2, 0.5, 3)),
		weighing(100, "feature: merges"),
		weighing(-1, `feature: formula, name: steps, `+
			`line: "min(pow(max(b - a, 0), q) + pow(max(c - b, 0), q) + pow(max(d - c, 0), q), `+
			`pow(max(a - b, 0), q) + pow(max(b - c, 0), q) + pow(max(c - d, 0), q))"`, own("q", 2, 0.5, 3)),
		weighing(-1000, `feature: formula, name: full, board: "empty == 0"`),
	}},
	{"student", "a student's exercise in Python: room, order, powers of 4 along a snake", "", 270, []term{
		weighing(270, `feature: formula, name: room, board: "empty"`),
		weighing(-47, "feature: monotonicity, tile: rank, blanks: keep", power(1)),
		weighing(100, "feature: snake", decay(0.25), power(1)),
		weighing(-100, "feature: corner", power(1)),
		weighing(-10, "feature: difference"),
	}},
}

// further are terms that public programs have, in units of an empty cell. They fill a problem that
// has more numbers than its family.
var further = []term{
	weighing(2, `feature: formula, name: end, tile: rank, line: "max(a, d) == largest"`),
	weighing(-4, `feature: formula, name: valleys, tile: rank, line: "(b < a && b < c) + (c < b && c < d)"`),
	weighing(-0.1, `feature: formula, name: peak, tile: rank, line: "pow(largest, p)"`, own("p", 1.5, 0.25, 4)),
	weighing(0.1, `feature: formula, name: worth, tile: rank, line: "`+worth+`"`, own("p", 1, 0.25, 4)),
	weighing(-2, `feature: formula, name: hole, square: "empty == 1"`),
	weighing(-0.2, `feature: formula, name: saddle, tile: rank, square: "abs(a + d - b - c)"`),
	weighing(0.5, `feature: formula, name: falling, line: "a >= b && b >= c && c >= d"`),
	weighing(0.3, "feature: snake, name: tail, tile: rank", decay(0.5), power(2)),
	weighing(-0.5, "feature: corner, name: far, tile: rank", power(1)),
	weighing(-0.05, "feature: sum, name: weight_of_tiles, tile: rank", power(2)),
	weighing(-0.3, `feature: formula, name: tilt, tile: rank, row: "b + 2*c + 3*d"`),
	cells("feature: position, name: cell, tile: rank", [16]float64{3, 2, 1, 0, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}),
}

// bots are the two programs in the folder of the problems.
var bots = []family{
	{"trend", "MACD, for scores with heavy tails", "[python3, trend.py]", 0, []term{
		{numbers: []number{
			whole("fast", 12, 2, 60), whole("slow", 26, 2, 120), whole("signal", 9, 2, 60), own("size", 20, 1, 400),
			own("share", 1, -1, 2), own("limit", 2, 0.1, 8), own("stop", 0.5, 0, 0.9),
		}},
	}},
	{"pig", "Neller and Presser's rule for Pig, for scores of two values", "[python3, pig.py]", 0, []term{
		{numbers: []number{
			whole("hold", 21, 2, 60), own("behind", 0.125, -1, 1), own("ahead", 0.125, -1, 1),
			whole("race", 71, 20, 100), whole("chase", 71, 20, 100),
		}},
	}},
}

// keptCounts are how many numbers the heuristics have, at least and at most: small and large ones.
var keptCounts = [][2]int{{2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}, {7, 8}, {9, 10}, {11, 13}, {14, 17}, {18, 20}}

// A hand writes the ranges of a problem, as a person would. It draws from its problem's stream.
type hand struct {
	*portable.Source
	habit, start string // of three quarters of the ranges and starts
}

var (
	habits = []string{"narrow", "wide", "plain", "ratio", "log", "signs"}
	starts = []string{"good", "poor", "middle", "zero"}
)

func (h hand) below(n int) int { return int(h.Uint64() % uint64(n)) }

func pick[T any](h hand, from ...T) T { return from[h.below(len(from))] }

func shuffle[T any](h hand, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := h.below(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}

// short writes a number with at most two digits that count.
func short(x float64) string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 2, 64), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// round returns a number as short writes it.
func round(x float64) float64 {
	rounded, _ := strconv.ParseFloat(short(x), 64)
	return rounded
}

// ways returns the kinds of a range and of its start. One of four is not by habit.
func (h hand) ways() (habit, start string) {
	habit, start = h.habit, h.start
	if h.below(4) == 0 {
		habit = pick(h, habits...)
	}
	if h.below(4) == 0 {
		start = pick(h, starts...)
	}
	return habit, start
}

// rangeOf writes a number as a range.
func (h hand) rangeOf(n number) string {
	habit, start := h.ways()
	if n.least == n.most {
		low, high, scale := h.weight(n.value, habit)
		return h.written(n, low, high, scale, start)
	}
	low, high, scale := h.bounded(n, habit)
	return h.written(n, low, high, scale, start)
}

// written writes a range, with a start unless that is the middle. A poor start is near an end.
func (h hand) written(n number, low, high float64, scale, start string) string {
	low, high = round(low), round(high)
	if n.whole {
		low, high = math.Round(low), math.Round(high)
	}
	at, has := 0.0, true
	switch share := pick(h, 0.1, 0.2, 0.8, 0.9); start {
	case "good":
		at = n.value
	case "poor":
		at = low + float64(share*(high-low)) // rounded before it is added, on every processor
		if scale == "log" {
			at = pick(h, low, high) * pick(h, 0.5, 1, 2)
		}
	case "zero":
		has = n.least == n.most && low <= 0 && high >= 0
	default:
		has = false
	}
	at = round(min(max(at, low), high))
	text := "min: " + short(low) + ", max: " + short(high)
	if n.whole {
		text, at = text+", whole: true", math.Round(at)
	}
	if has {
		text += ", start: " + short(at)
	}
	if scale != "" {
		text += ", scale: " + scale
	}
	return "{" + text + "}"
}

// weight returns a range for a weight of about v, and its scale unless that is the default one.
func (h hand) weight(v float64, habit string) (low, high float64, scale string) {
	side := func(far float64) (float64, float64) { return min(0, far), max(0, far) }
	between := func(a, b float64) (float64, float64) { return min(a, b), max(a, b) }
	switch habit {
	case "narrow":
		low, high = between(v*pick(h, 0.3, 0.5, 0.7), v*pick(h, 1.5, 2, 3))
		return low, high, "linear"
	case "wide":
		low, high = side(v * pick[float64](h, 30, 100, 300))
		return low, high, "linear"
	case "plain":
		far := 1.0
		for far < max(v, -v)*2 {
			far *= 10
		}
		if v < 0 {
			far = -far
		}
		low, high = side(far)
		return low, high, "linear"
	case "log":
		low, high = between(v/pick[float64](h, 10, 30, 100), v*pick[float64](h, 10, 30, 100))
		return low, high, "log"
	case "signs":
		far := max(v, -v) * pick[float64](h, 3, 10, 30)
		return -far, far, pick(h, "", "linear")
	}
	low, high = side(v * pick[float64](h, 10, 30, 100))
	return low, high, ""
}

// bounded returns a range within the limits of a number, and its scale unless that is the default.
func (h hand) bounded(n number, habit string) (low, high float64, scale string) {
	low, high = n.least, n.most
	if habit == "narrow" {
		reach := (n.most - n.least) / pick[float64](h, 4, 6, 8)
		low, high = max(n.least, n.value-reach), min(n.most, n.value+reach)
	}
	if habit == "log" && round(low) > 0 {
		scale = "log"
	}
	return low, high, scale
}

// drawKept draws the problems, by the names of their files.
func drawKept() map[string]string {
	drawn := map[string]string{}
	all := hand{Source: portable.NewSource(portable.Hash(keptSeed, "order"))}
	left, counts := slices.Clone(families), slices.Clone(keptCounts)
	shuffle(all, left)
	shuffle(all, counts)
	most, begin := slices.Repeat(habits, 2), slices.Repeat(starts, 3) // of the twelve problems
	shuffle(all, most)
	shuffle(all, begin)
	copy(begin[len(counts):], []string{"poor", "poor"}) // the bots' public rules leave little to gain
	handOf := func(i int) hand {
		return hand{portable.NewSource(portable.Hash(keptSeed, "problem", i)), most[i], begin[i]}
	}
	for i, count := range counts {
		depth := []int{1, 3}[i%2]
		h := handOf(i)
		at := slices.IndexFunc(left, func(f family) bool {
			return depth == 1 || !slices.ContainsFunc(f.terms, func(t term) bool { return t.slow })
		})
		f := left[at]
		left = slices.Delete(left, at, at+1)
		n := count[0] + h.below(count[1]-count[0]+1)
		name := fmt.Sprintf("k%02d-%s.yaml", i+1, f.name)
		drawn[name] = h.heuristic(f, n, depth)
	}
	for i, f := range bots {
		drawn[fmt.Sprintf("k%02d-%s.yaml", len(counts)+i+1, f.name)] = handOf(len(counts) + i).bot(f)
	}
	return drawn
}

// heuristic draws a problem of n numbers from a family.
func (h hand) heuristic(f family, n, depth int) string {
	terms := slices.Clone(f.terms)
	extra := slices.Clone(further)
	shuffle(h, extra)
	count := func() (sum int) {
		for _, t := range terms {
			sum += len(t.all())
		}
		return sum
	}
	for ; count() < n; extra = extra[1:] {
		if t := extra[0]; !t.isMatrix() || n-count() > 8 && !slices.ContainsFunc(terms, term.isMatrix) {
			terms = append(terms, t.times(f.empty*pick(h, 0.3, 1, 3)))
		}
	}
	// Cells of a matrix are tuned where the other numbers are too few.
	var order, cells []int
	for _, t := range terms {
		for _, n := range t.all() {
			if at := len(order) + len(cells); n.key == "cell" {
				cells = append(cells, at)
			} else {
				order = append(order, at)
			}
		}
	}
	shuffle(h, order)
	shuffle(h, cells)
	tuned := make([]bool, count())
	for _, at := range append(order, cells...)[:n] {
		tuned[at] = true
	}
	var text strings.Builder
	fmt.Fprintf(&text, "# Drawn from seed %d, see README.md.\n", keptSeed)
	fmt.Fprintf(&text, "# %s, from %s: %d numbers, depth %d.\nheuristic:\n", f.name, f.source, n, depth)
	if f.more != "" {
		fmt.Fprintf(&text, "  %s\n", f.more)
	}
	text.WriteString("  features:\n")
	for _, t := range terms {
		k := len(t.all())
		text.WriteString(h.feature(t, tuned[:k]))
		tuned = tuned[k:]
	}
	fmt.Fprintf(&text, "search: {depth: %d}\n", depth)
	return text.String()
}

// bot draws a problem of all numbers of a bot.
func (h hand) bot(f family) string {
	var text strings.Builder
	fmt.Fprintf(&text, "# Drawn from seed %d, see README.md.\n# %s.\n", keptSeed, f.source)
	fmt.Fprintf(&text, "player:\n  command: %s\n  answers: games\n  weights:\n", f.more)
	for _, n := range f.terms[0].numbers {
		fmt.Fprintf(&text, "    %s: %s\n", n.key, h.rangeOf(n))
	}
	return text.String()
}

func (t term) isMatrix() bool { return t.matrix != [16]float64{} }

// all are the numbers of a term, with its cells.
func (t term) all() []number {
	list := slices.Clone(t.numbers)
	if t.isMatrix() {
		for _, c := range t.matrix {
			list = append(list, number{key: "cell", value: c})
		}
	}
	return list
}

// times returns a term with its weight, or its cells, on another scale.
func (t term) times(scale float64) term {
	t.numbers = slices.Clone(t.numbers)
	for i := range t.numbers {
		if t.numbers[i].key == "weight" {
			t.numbers[i].value = round(t.numbers[i].value * scale)
		}
	}
	for i := range t.matrix {
		t.matrix[i] = round(t.matrix[i] * scale)
	}
	return t
}

// wrapped breaks a text at blanks into lines of at most 110 columns. YAML reads it as one line.
func wrapped(text, indent string) string {
	var lines strings.Builder
	for len(text) > 110 {
		at := strings.LastIndexByte(text[:110], ' ')
		lines.WriteString(text[:at] + "\n")
		text = indent + text[at+1:]
	}
	return lines.String() + text
}

// feature writes a term.
func (h hand) feature(t term, tuned []bool) string {
	text, numbers, matrix := "    - {"+t.text, []string{}, []string{}
	habit, start := h.ways() // one range for all cells of a matrix, as most people write it
	low, high, scale := h.weight(slices.Max(t.matrix[:])/2, habit)
	for i, n := range t.all() {
		value := strconv.FormatFloat(n.value, 'f', -1, 64)
		if n.key == "cell" {
			if tuned[i] {
				value = h.written(n, low, high, scale, start)
			}
			matrix = append(matrix, value)
			continue
		}
		if tuned[i] {
			value = h.rangeOf(n)
		}
		if n.key == "weight" || n.key == "power" || n.key == "decay" {
			text += fmt.Sprintf(", %s: %s", n.key, value)
		} else {
			numbers = append(numbers, n.key+": "+value)
		}
	}
	if len(numbers) > 0 {
		text += fmt.Sprintf(", numbers: {%s}", strings.Join(numbers, ", "))
	}
	text = wrapped(text, "       ")
	if len(matrix) > 0 {
		var rows []string
		for row := range slices.Chunk(matrix, 4) {
			rows = append(rows, "["+strings.Join(row, ", ")+"]")
		}
		text += ", matrix: [\n        " + strings.Join(rows, ",\n        ") + "]"
	}
	return text + "}\n"
}
