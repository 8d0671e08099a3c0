package eval_test

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/eval"
	"tune2048/engine/plain"
)

// formula is a feature that is one, with numbers p, q, r ... of these values.
func formula(text, tile string, weight float64, numbers ...float64) valued {
	f := feature(eval.Formula, weight, nil)
	f.Formula, f.Tile, f.own = text, tile, numbers
	for i := range numbers {
		f.Numbers = append(f.Numbers, eval.Number{Symbol: string(rune('p' + i))})
	}
	return f
}

func familyOf(features ...valued) *player {
	for i := range features {
		features[i].Name = fmt.Sprint("f", i)
	}
	return family(features...)
}

// TestFormulaErrors: what is wrong is found before anything is played, and where it is.
func TestFormulaErrors(t *testing.T) {
	number := func(p float64) []float64 { return []float64{p} }
	rough := eval.NamedPart{Name: "rough", Over: "line", Formula: "abs(a - b)"}
	for _, c := range []struct {
		text, symbol, wrong string
		p                   []float64
		over                string
		sums                []eval.NamedPart
	}{
		{text: "", wrong: "column 1: want an operand, got the end"},
		{text: "a +", wrong: "column 4: want an operand, got the end"},
		{text: "max(a,, b)", wrong: "column 7: want an operand, got \",\""},
		{text: "max()", wrong: "column 5: want an operand, got \")\""},
		{text: "a\n  + b\n"},
		{text: "a - -b + +c--d<-b"},
		{text: "abs(a - b", wrong: "column 10: want an operator or ), got the end"},
		{text: "abs(a - b))", wrong: "column 11: want an operator, got \")\""},
		{text: "2a", wrong: "column 2: want an operator, got \"a\": write 2 * a"},
		{text: "3e*a", wrong: "column 2: want an operator, got \"e\""},
		{text: "2e1*a + 1e-1*b + 1e+1*c + 1.E1*d + .5"},
		{text: "a b", wrong: "column 3: want an operator, got \"b\""},
		{text: "a, b", wrong: "column 2: want an operator, got \",\""},
		{text: "let s = a + b; s*s", symbol: "let", wrong: "column 1: there is no symbol let"},
		{text: "a := b", wrong: "column 3: want an operator, got \":=\": write parts beside the formula, with let"},
		{text: "a[0]", wrong: "column 2: want an operator, got \"[\""},
		{text: "a × b", wrong: "column 3: want an operator, got \"×\""},
		{text: "a \xff b", wrong: "column 3: want an operator, got \"\\xff\""},
		{text: "a + larges", symbol: "larges", wrong: "column 5: there is no symbol larges; there are a, b, c, d, empty, " +
			"largest, merges, runs, w, x, y, z; " +
			"add a number of your own with numbers: {larges: 1}, or a part with let: {larges: \"abs(a - b)\"}"},
		{text: "a + mix(a, b)", symbol: "mix", wrong: "column 5: there is no function mix; there are abs, choose, exp, " +
			"floor, log, log2, max, min, pow, sqrt"},
		{text: "a + max(a)", wrong: "column 5: want max(x, y, ...), got 1 arguments"},
		{text: "abs(a, b)", wrong: "column 1: want abs(x), got 2 arguments"},
		{text: "a << 3", wrong: "column 4: want an operand, got \"<\""},
		{text: "a<=b<=c<=d", wrong: "column 5: comparisons do not chain: write a <= b && b <= c"},
		{text: "1 + (a == max(b, c) == (d > 2))", wrong: "column 21: comparisons do not chain"},
		{text: "(a < b) == (c < d)"},
		{text: "(a <= b) <= c"},
		{text: "a < b && b < c || c == d"},
		{text: "a // b", wrong: "column 3: want an operator, got \"//\": write x / y"},
		{text: "a /* the first */ + b", wrong: "column 3: want an operator, got \"/*\""},
		{text: "a > b and c > d", wrong: "column 7: want an operator, got \"and\": write x && y"},
		{text: "not a > b", symbol: "not", wrong: "column 1: there is no symbol not; there are a, b, c, d, empty, largest, " +
			"merges, runs, w, x, y, z; write !x"},
		{text: "a ** 2", wrong: "column 3: want an operator, got \"**\": write pow(x, y)"},
		{text: "a if a > b else b", wrong: "column 3: want an operator, got \"if\": write choose(condition, x, y)"},
		{text: "a > b ? a : b", wrong: "column 7: want an operator, got \"?\": write choose(condition, x, y)"},
		{text: "a = b", wrong: "column 3: want an operator, got \"=\": write x == y"},
		{text: "|a - b| + c", wrong: "column 1: want an operand, got \"|\": write abs(a - b)"},
		{text: "c + | a - max(b, c) |", wrong: "column 5: want an operand, got \"|\": write abs(a - max(b, c))"},
		{text: "2a + 3b", wrong: "column 2: want an operator, got \"a\": write 2 * a"},
		{text: "(a + b)(c + d)", wrong: "column 8: want an operator, got \"(\": write ) * ("},
		{text: "max(a b)", wrong: "column 7: want an operator or ), got \"b\": write a * b"},
		{text: "a – b", wrong: "column 3: want an operator, got \"–\": write the minus sign -, for this is another dash"},
		{text: "a ≤ b", wrong: "column 3: want an operator, got \"≤\": write x <= y"},
		{text: "a === b", wrong: "column 3: want an operator, got \"===\": write x == y"},
		{text: "a % 2", wrong: "column 3: want an operator, got \"%\": write x - y * floor(x / y)"},
		{text: "log(a + 1, 2)", wrong: "column 1: want log(x), got 2 arguments: write log2(a + 1)"},
		{text: "log(a, 10)", wrong: "column 1: want log(x), got 2 arguments: write log(a) / log(10)"},
		{text: "abs(a, b - c)", wrong: "column 1: want abs(x), got 2 arguments: write abs(a - (b - c))"},
		{text: "board[0][0] * 2", wrong: "column 6: want an operator, got \"[\": write a symbol, for no tile has an index: " +
			"a line has a, b, c, d, a cell its tile at row and column"},
		{text: "board * 2", symbol: "board", wrong: "empty, largest, merges, runs, w, x, y, z; board is a key beside " +
			"feature, a part of the board with symbols of its own"},
		{text: "2*ln(a)", symbol: "ln", wrong: "column 3: there is no function ln; there are abs, choose, exp, floor, log, " +
			"log2, max, min, pow, sqrt; write log(x)"},
		{text: "a; b", wrong: "column 2: want an operator, got \";\": write parts beside the formula, with let"},
		{text: "x == 3", over: "cell", symbol: "x", wrong: "column 1: there is no symbol x; there are column, corner, " +
			"largest, row, tile; x is a symbol of line, row, column"},
		{text: "max", wrong: "max is a function"},
		{text: "1e999", wrong: "want an operand, got \"1e999\""},
		{text: "größe + a", symbol: "größe", wrong: "column 1: there is no symbol größe"},
		{text: strings.Repeat("a+", 999) + "a"},
		{text: strings.Repeat("(", 3000), wrong: "at most 2000 characters"},
		{text: "a/b + log2(a) + sqrt(a - b) + pow(a, 500) + 1e300 * (1e300*a)"},
		{text: "a/p", p: number(0)},
		{text: "pow(a, p)", p: number(-1)},
		{text: "a + 1", p: number(0), wrong: "does not use its number p"},
		{text: "log(empty) + 2 + points/(rough - 1) + exp(points)", over: "board", sums: []eval.NamedPart{rough}},
		{text: "empty + rouh", over: "board", sums: []eval.NamedPart{rough}, symbol: "rouh",
			wrong: "board: column 9: there is no symbol rouh; there are corner, distinct, edge, empty, largest, moves, " +
				"points, rough; add"},
		{text: "a", over: "board", symbol: "a", wrong: "board: column 1: there is no symbol a;"},
		{text: "empty", over: "board", sums: []eval.NamedPart{rough}, wrong: "sums: the formula does not use its sum rough"},
		{text: "rough", over: "board", sums: []eval.NamedPart{{Name: "rough", Over: "square", Formula: "w"}}, symbol: "w",
			wrong: "sums: rough: square: column 1: there is no symbol w"},
		{text: "edge", over: "board", sums: []eval.NamedPart{{Name: "edge", Over: "row", Formula: "a"}},
			wrong: "sums: edge means something else"},
		{text: "2 * rough", over: "board", sums: []eval.NamedPart{rough, rough}, wrong: "sums: the name rough comes twice"},
	} {
		f := formula(c.text, eval.Rank, 1, c.p...)
		f.Over, f.Sums = c.over, c.sums
		why := fault(familyOf(f))
		if c.wrong == "" && why != "" || !strings.Contains(why, c.wrong) {
			t.Errorf("%s: got %s, want %s", c.text, why, c.wrong)
			continue
		}
		for _, p := range familyOf(f).Problems(familyOf(f).values) {
			if p.Symbol != c.symbol || c.symbol != "" && !slices.Contains(p.Known, "choose") &&
				!slices.Contains(p.Known, "largest") {
				t.Errorf("%s: got %+v", c.text, p)
			}
		}
	}
	for lets, wrong := range map[string]string{
		"best: rise + 1; rise: a - b": "let: best: column 1: rise stands after best: a part knows earlier " +
			"parts only; move rise before it",
		"best: 2*rise; rise: a - far; far: best": "let: best: column 3: best and rise need each other: a part knows " +
			"earlier parts only; write one of them without the other",
		"best: rise; far: c; rise: a*far": "let: best: column 1: rise stands after best: a part knows earlier " +
			"parts only; move rise before it",
		"best: best - b": "let: best: column 1: best needs itself: a part knows earlier parts only",
		"rise: a - b; best: rise + larges": "let: best: column 8: there is no symbol larges; there are a, b, c, d, " +
			"empty, largest, merges, rise, runs, w, x, y, z; add a number",
		"rise: a - b; best: max(rise, rise - 1)*2": "",
	} {
		f := formula("best", eval.Rank, 1)
		for text := range strings.SplitSeq(lets, "; ") {
			name, formula, _ := strings.Cut(text, ": ")
			f.Let = append(f.Let, eval.NamedPart{Name: name, Formula: formula})
		}
		if why := fault(familyOf(f)); wrong == "" && why != "" || !strings.Contains(why, wrong) {
			t.Errorf("%s: got %s, want %s", lets, why, wrong)
		}
	}
	inSum := formula("rough + rise", eval.Rank, 1)
	inSum.Over, inSum.Sums, inSum.Let = "board", eval.Sums{{Name: "rough", Over: "line", Formula: "rise*a"}},
		eval.Lets{{Name: "rise", Formula: "empty - 1"}}
	if why := fault(familyOf(inSum)); !strings.Contains(why,
		"sums: rough: line: column 1: a sum knows no parts: write the formula of rise in its place") {
		t.Errorf("a part in a sum: got %s", why)
	}
	for _, symbol := range []string{"a", "max", "P", "2p", "", "p q", strings.Repeat("p", 40)} {
		f := formula("a", eval.Rank, 1, 0)
		f.Numbers[0].Symbol = symbol
		if why := fault(familyOf(f)); !strings.Contains(why, "numbers: ") {
			t.Errorf("number %q: got %s", symbol, why)
		}
	}
}

// TestFormulaBothEnds: a formula that differs from one end of a line to the other makes the board
// be valued in 8 orientations. Any other is as fast as without symmetry.
func TestFormulaBothEnds(t *testing.T) {
	for text, sound := range map[string]bool{"max(a, d) + min(b, c)": true, "abs(a-b) + abs(b-c) + abs(c-d)": true,
		"a": false, "a*b + c*d": true, "a*b - c*d": false,
		"(max(a, d) == largest) * pow(largest, p)": true, "pow(w, p) + x": false} {
		f := formula(text, eval.Rank, 1)
		if strings.Contains(text, "p)") {
			f = formula(text, eval.Rank, 1, 0)
		}
		family := familyOf(f)
		family.Symmetry = eval.SymmetryBest
		if tables := compile(t, family); tables.Turns == sound {
			t.Errorf("%s: turns %v", text, tables.Turns)
		}
	}
}

// TestBoardPrices: a formula over the board costs only what it must. At weight 0 it costs nothing,
// and nothing if it is linear in the blanks and the points. Of the blanks alone it is a table.
func TestBoardPrices(t *testing.T) {
	for _, c := range []struct {
		texts          []string
		weight         float64
		board, byEmpty bool
	}{
		{texts: []string{"distinct * moves"}, weight: 1, board: true},
		{texts: []string{"distinct * moves"}},
		{texts: []string{"points"}, weight: 1},
		{texts: []string{"3 - 2 * (points / p - empty)"}, weight: -2},
		{texts: []string{"p"}, weight: 1},
		{texts: []string{"points * empty"}, weight: 1, board: true},
		{texts: []string{"1 / points"}, weight: 1, board: true},
		{texts: []string{"log(1 + empty)", "points"}, weight: 1, byEmpty: true},
		{texts: []string{"log(1 + empty)", "empty * empty"}, weight: 1, byEmpty: true},
		{texts: []string{"log(1 + empty)", "largest"}, weight: 1, board: true},
	} {
		var features []valued
		for _, text := range c.texts {
			f := formula(text, eval.Face, c.weight)
			if strings.Contains(text, "p -") || text == "p" {
				f = formula(text, eval.Rank, c.weight, 4)
			}
			f.Over = "board"
			features = append(features, f)
		}
		h := familyOf(features...)
		tables := compile(t, h)
		if tables.Board != nil != c.board || tables.ByEmpty != nil != c.byEmpty {
			t.Errorf("%q at weight %v: Board %v, ByEmpty %v", c.texts, c.weight, tables.Board != nil, tables.ByEmpty)
		}
		if got := len(h.Prices(h.values)) > 0; got != (c.board || c.byEmpty) {
			t.Errorf("%q at weight %v: %q", c.texts, c.weight, h.Prices(h.values))
		}
	}
}

// TestPricesOfBots: a bot has no formulas, so nothing is said of them.
func TestPricesOfBots(t *testing.T) {
	h := &eval.Heuristic{Bot: new(bot.Program), Features: []eval.Term{{Kind: eval.BotWeight, Name: "w"}}}
	if got := append(h.Prices(eval.Vector{1}), h.Warnings(eval.Vector{1})...); len(got) > 0 {
		t.Errorf("got %q", got)
	}
}

// TestPointsOverLines: the score of the tiles, which is worked out over lines, is the board's to
// the bit.
func TestPointsOverLines(t *testing.T) {
	for _, tile := range []string{eval.Face, eval.Rank} {
		f := formula("points - 16 + 2 * empty", tile, 1)
		f.Over = "board"
		tables, r := compile(t, familyOf(f)), rand.New(rand.NewPCG(3, 4))
		for range 1000 {
			b := engine.Board(r.Uint64())
			if got, want := tables.Value(b), float64(b.Points()-16+2*b.Empty()); got != want {
				t.Fatalf("%s, board %v: got %v, want %v", tile, b, got, want)
			}
		}
	}
}

// TestSplitFormulasAreOthers: games of a formula over the board from before it was split into lines
// are not taken for its games. Other formulas keep their hash.
func TestSplitFormulasAreOthers(t *testing.T) {
	for _, text := range []string{"points", "distinct * empty"} {
		f := formula(text, eval.Rank, 1)
		f.Over = "board"
		form := eval.NewForm(engine.DefaultRules(), familyOf(f).Heuristic)
		sum := sha256.Sum256([]byte(form.Text))
		whole := append(sum[:], binary.BigEndian.AppendUint64(nil, math.Float64bits(1))...)
		sum = sha256.Sum256(whole)
		if same := form.Player(eval.Vector{1}).Hash() == hex.EncodeToString(sum[:16]); same != (text != "points") {
			t.Errorf("%s: the hash is as before: %v", text, same)
		}
	}
}

// TestFormulaNumbers: numbers are weights like any other, and new ones make new tables.
func TestFormulaNumbers(t *testing.T) {
	f := formula("pow(largest, p) * q", eval.Rank, 2, 2, 3)
	family := familyOf(f)
	if names, want := family.Names(), []string{"f0", "f0_p", "f0_q"}; !slices.Equal(names, want) {
		t.Fatalf("got %v, want %v", names, want)
	}
	c := eval.NewCompiler(family.Heuristic)
	for _, x := range []float64{1, 3, 2, 2} {
		tables, err := c.Compile(eval.Vector{2, x, 3}, family.Dead)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := math.Ldexp(float64(tables.Rows[0x0050]), -tables.Bits), 2*3*math.Pow(5, x); got != want {
			t.Errorf("p = %v: got %v, want %v", x, got, want)
		}
	}
}

// FuzzFormula: no text makes it panic or hang. A formula that it accepts has the same value from
// tables as for a board by itself, whatever the part of the board, with each symmetry.
func FuzzFormula(f *testing.F) {
	for _, text := range []string{"a", "pow(largest, p) / (1 + empty)",
		"min(choose(x > 0, max(pow(x, p)-pow(w, p), 0), 0), choose(y > 0, max(pow(x, p)-pow(y, p), 0), 0))",
		"choose(a > 0, log2(a), sqrt(b))",
		"a-b-c-d", "min(1e300, a)", "!a || b && -c < d", "a - 2*b", "a - 2*b + c/4 - d", "-(a + b) / 2 + 1e3", "-a*b",
		"a > b && b > c || c >= d", "(a - b && d) + (c - d || 0)", "!(a <= b) + (a != c) * 3", "abs(a*b - c*d)",
		"(max(a, d) == largest) * sqrt(largest)", "choose(b, a/b, -1)", "abs(a - c) * exp(-d/9)",
		"log(1 + empty) * p + largest", "moves * points - s / distinct", "corner + 2*edge", "pow(s, p) < 3",
		"2 - (3*empty - points/4) * p / 5", "empty + 7"} {
		for over := range 5 {
			f.Add(text, 1.5, over)
		}
	}
	f.Fuzz(func(t *testing.T, text string, p float64, over int) {
		feature := formula(text, eval.Rank, -1.25)
		feature.Over = []string{"", "row", "column", "square", "board"}[uint(over)%5]
		if strings.Contains(text, "p") {
			feature.Numbers, feature.own = eval.Numbers{{Symbol: "p"}}, []float64{p}
		}
		if feature.Over == "board" && strings.Contains(text, "s") {
			feature.Sums = []eval.NamedPart{{Name: "s", Over: "row", Formula: "a*b - c"}}
		}
		family := familyOf(feature)
		if fault(family) != "" {
			return
		}
		twin := plain.Feature{Kind: feature.Kind, Tile: feature.Tile, Weight: -1.25, Over: cmp.Or(feature.Over, "line"),
			Formula: plain.Formula(text), Numbers: map[string]float64{"p": p},
			Sums: map[string]plain.Sum{"s": {Over: "row", Formula: plain.Formula("a*b - c")}}}
		for _, family.Symmetry = range []string{eval.SymmetryNone, eval.SymmetryBest} {
			tables, of := compile(t, family), plain.Family([]plain.Feature{twin}, family.Symmetry == eval.SymmetryBest)
			unit := math.Ldexp(1, -tables.Bits)
			for n := range 50 {
				var ranks [4][4]int
				board := engine.Board(0)
				for i := range 16 {
					ranks[i/4][i%4] = (n*n + 7*i*n + i*i) % 16
					board |= engine.Board(ranks[i/4][i%4]) << (4 * i)
				}
				if !board.HasMove() {
					continue
				}
				got, want := tables.Value(board), of(board.Faces())
				if math.Abs(got-want) > 1000*unit+1e-9*math.Abs(want) {
					t.Fatalf("%q over %s with p = %v, symmetry %s: board %v: %v from tables, %v by definition", text, feature.Over, p,
						family.Symmetry, ranks, got, want)
				}
			}
		}
	})
}
