package eval_test

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"tune2048/engine"
	"tune2048/engine/eval"
)

// TestTableOfARoundedSum: the table of a sum reaches to the sum's largest value as it is rounded.
func TestTableOfARoundedSum(t *testing.T) {
	f := formula("s * 10", eval.Rank, 1)
	f.Over, f.Sums = "board", []eval.NamedPart{{Name: "s", Over: "row", Formula: "min(1000000, (a == 3) * sqrt(3) * " +
		"sqrt(3))"}}
	b, err := engine.ParseBoard("8 0 0 0/8 0 0 0/8 0 0 0/8 0 0 0")
	if err != nil {
		t.Fatal(err)
	}
	if got := compile(t, familyOf(f)).Value(b); math.Abs(got-120) > 1e-9 {
		t.Errorf("got %v, want 120", got)
	}
}

// TestWorkOfFormulas: the largest formulas that there may be are small, and larger ones are
// refused: once, 8 formulas of 61 symbols took 3.7 s and 258 MB.
func TestWorkOfFormulas(t *testing.T) {
	text := strings.Repeat("a*b*c*d + ", 15) + "p*a"
	family := func(n int, text string) *player {
		var all []valued
		for range n {
			all = append(all, formula(text, eval.Rank, 1, 0.5))
		}
		return familyOf(all...)
	}
	f := family(3, text)
	if held := compilerMemory(t, f); held > 50 { // some 25 MB
		t.Errorf("3 formulas of 62 symbols hold %.0f MB", held)
	}
	if why := fault(family(8, text)); !strings.HasPrefix(why,
		"features[3].line: the formulas so far take too long to compile: they have") {
		t.Errorf("8 of them: %s", why)
	}
	long := formula("y9", eval.Rank, 1)
	for i := range 10 {
		part := "a"
		if i > 0 {
			part = strings.Repeat(fmt.Sprintf("y%d + ", i-1), 9) + "b"
		}
		long.Let = append(long.Let, eval.NamedPart{Name: fmt.Sprint("y", i), Formula: part})
	}
	if why := fault(familyOf(long)); !strings.Contains(why, "features[0].let: y4: column 1: the formula is too long") {
		t.Errorf("parts of parts: %s", why)
	}
}

// TestMemoryOfPowers: the count of table entries bounds the memory of a compiler, also where each
// operation has few. Once 64 formulas of 400 powers with 16 results each held 230 MB, and four
// times as many were allowed.
func TestMemoryOfPowers(t *testing.T) {
	powers := func(n int) *player { // 200 n in each formula
		var all []valued
		for range eval.MaxFeatures {
			f := formula(fmt.Sprint("q", n), eval.Rank, 1, 0.999)
			inner := "a"
			for i := range n {
				f.Let = append(f.Let, eval.NamedPart{Name: fmt.Sprint("q", i+1),
					Formula: strings.Repeat("pow(", 200) + inner + strings.Repeat(", p)", 200)})
				inner = f.Let[i].Name
			}
			all = append(all, f)
		}
		return familyOf(all...)
	}
	if held := compilerMemory(t, powers(2)); held > 60 { // some 25 MB
		t.Errorf("64 formulas of 400 powers hold %.0f MB", held)
	}
	if why := fault(powers(4)); !strings.Contains(why, "the formulas so far take too long to compile") {
		t.Errorf("64 formulas of 800 powers: %s", why)
	}
}

// compilerMemory returns the megabytes that a compiler of the family holds.
func compilerMemory(t *testing.T, f *player) float64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	if why := fault(f); why != "" {
		t.Fatal(why)
	}
	c := eval.NewCompiler(f.Heuristic)
	if _, err := c.Compile(f.values, f.Dead); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(c)
	return float64(after.HeapAlloc-before.HeapAlloc) / (1 << 20)
}

// TestRepeatedParts: a family may have 64 formulas of 2,000 powers each. All but 190 of these come
// again in other parts, and all with the same operands. Worked out each time the sizes take half an
// hour, and the warnings, too.
func TestRepeatedParts(t *testing.T) {
	var all []valued
	for i := range eval.MaxFeatures {
		f := formula("p9 + p9 + p9", eval.Rank, 1, 1.001+float64(i)/1000)
		f.Let = []eval.NamedPart{{Name: "p8", Formula: "a * " + strings.Repeat("pow(p, ", 190) + "a" +
			strings.Repeat(")", 190)},
			{Name: "p9", Formula: "p8 + p8 + p8"}}
		all = append(all, f)
	}
	f := familyOf(all...)
	if why := fault(f); why != "" {
		t.Fatal(why)
	}
	for i := range f.Features {
		if spread := f.Features[i].Spread(f.values); !(spread > 0) {
			t.Fatalf("feature %d has a spread of %v", i, spread)
		}
	}
	if got := f.Warnings(f.values); len(got) > 0 {
		t.Errorf("warnings: %q", got)
	}
	for i := range f.Features { // no table takes their place
		f.Features[i].Over, f.Features[i].Let[0].Formula = "board",
			strings.ReplaceAll(f.Features[i].Let[0].Formula, "a", "largest")
	}
	if why := fault(f); !strings.HasPrefix(why, "features[1].board: the formulas so far take too long to compile") {
		t.Errorf("over the board: %s", why)
	}
}

// TestWarnings: the first operation without a result on boards of real games, with its place, and
// none that a guard keeps from counting.
func TestWarnings(t *testing.T) {
	for text, want := range map[string]string{
		"a / (b - c)":                         "f0: a division by 0 counts as 0, as for the line ",
		"choose(b != 0, a / b, 0) + log(1+a)": "",
		"a != 0 && 1 / a > 0.3":               "",
		"3 * log2(a - 1)":                     "f0: log2 of 0 or less counts as 0, as for the line ",
		"sqrt(a - b)":                         "f0: sqrt of a number below 0 counts as 0, as for the line ",
		"exp(1000 * largest)":                 "f0: a result of exp that is too large counts as 0, as for the line ",
		"pow(a - b, 2)":                       "f0: a power without a result counts as 0, as for the line ",
	} {
		p := familyOf(formula(text, eval.Rank, 1))
		got := p.Warnings(p.values)
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], want)) {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
	board := formula("points / (moves - 2)", eval.Face, 1)
	board.Over = "board"
	p := familyOf(board)
	if got := p.Warnings(p.values); len(got) != 1 ||
		!strings.HasPrefix(got[0], "f0: a division by 0 counts as 0, as for the board ") {
		t.Errorf("over the board: %q", got)
	}
}
