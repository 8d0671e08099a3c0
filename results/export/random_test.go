package export

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine/eval"
)

// randomFamilies draws n families of up to four features. One at least is a formula over any part
// of the board. Each has a search of its own.
func randomFamilies(t *testing.T, n int) (all []player) {
	for seed := uint64(0); len(all) < n; seed++ {
		r := drawer{rand.New(rand.NewPCG(20, seed))}
		text := "game: {four_probability: " + r.pick("0.1", "0.1", "0.25", "0", "1") + "}\nsearch: " +
			r.pick("{depth: 2}", "{depth: 4, min_probability: 0.01}",
				"{depth_by_distinct: {minus: 8, least: 1}, min_probability: 0.02}",
				"{depth_by_empty: [{above: 5, depth: 1}, {above: 1, depth: 3}, {depth: 4}]}") +
			"\nheuristic:\n  symmetry: " + r.pick("none", "none", "best") + "\n  dead: " + r.pick("worst", "0", "-1234.5") +
			"\n  features:\n" + r.formula(0)
		for i := range r.IntN(4) {
			if r.IntN(2) == 0 {
				text += r.formula(i + 1)
				continue
			}
			kind := r.pick("line", "empty", "merges", "sum", "monotonicity", "difference", "corner", "largest",
				"snake, decay: 0.37, power: 1.3")
			text += fmt.Sprintf("    - {feature: %s, name: built_in%d, weight: %v}\n", kind, i, r.weight())
		}
		c, err := config.Parse([]byte(text), "random.yaml")
		if err != nil {
			continue // such as a formula without a quantity, or with too large a value
		}
		record := &Record{Run: fmt.Sprint("random family ", seed), Config: text}
		must(t, record.derive(c, nil, c.Heuristic.Dead))
		tables, err := eval.NewCompiler(&record.heuristic).Compile(record.values, record.heuristic.Dead)
		if err == nil {
			all = append(all, player{record, tables})
		}
	}
	return all
}

type drawer struct{ *rand.Rand }

func (r drawer) pick(list ...string) string { return list[r.IntN(len(list))] }

func (r drawer) weight() float64 { return float64(r.IntN(4000)-2000) / 8 }

// formula draws a formula with parts of its own, and over the board with sums.
func (r drawer) formula(i int) string {
	over := r.pick("line", "line", "row", "column", "square", "cell", "cell", "board", "board")
	names, singles := quantities(over)
	text := fmt.Sprintf("    - {feature: formula, name: formula%d, tile: %s, weight: %v", i,
		r.pick("face", "rank", "rank"), r.weight())
	if over == "board" {
		sums := []string{}
		for k := range r.IntN(3) {
			part := r.pick("line", "row", "column", "square", "cell", "row_1", "row_3", "column_2", "tiles")
			all, single := quantities(part)
			sums = append(sums, fmt.Sprintf("s%d: {%s: %q}", k, part, r.expression(2, all, single)))
			names = append(names, fmt.Sprint("s", k))
		}
		text += ", sums: {" + strings.Join(sums, ", ") + "}"
	}
	if r.IntN(3) == 0 {
		text += fmt.Sprintf(", let: {part: %q}", r.expression(2, names, singles))
		names = append(names, "part", "part")
	}
	return text + fmt.Sprintf(", %s: %q}\n", over, r.expression(4, names, singles))
}

// quantities returns the quantities of a part of the board, and those of which a logarithm is
// looked up in a table.
func quantities(over string) (all, singles []string) {
	switch over {
	case "board":
		singles = []string{"empty", "largest", "distinct", "moves", "corner", "edge"}
		return append(slices.Clone(singles), "points"), singles
	case "tiles":
		singles = []string{"tile", "largest"}
	case "cell":
		singles = []string{"tile", "tile", "row", "column", "corner", "largest"}
	case "square":
		singles = []string{"a", "b", "c", "d", "largest", "empty"}
	default:
		singles = []string{"a", "b", "c", "d", "w", "x", "y", "z", "largest", "empty", "merges", "runs"}
	}
	return singles, singles
}

// expression draws an expression. Powers, exponentials and logarithms are of one quantity each: of
// several they are the language's, and differ in the last bits.
func (r drawer) expression(depth int, names, singles []string) string {
	if depth == 0 || r.IntN(8) == 0 {
		return r.pick(append(slices.Clone(names), names[r.IntN(len(names))], r.pick("0", "1", "2", "0.5", "3.7", "11"))...)
	}
	of := func() string { return r.expression(depth-1, names, singles) }
	switch r.IntN(8 + min(len(singles), 1)) {
	case 0, 1, 2:
		return "(" + of() + r.pick(" + ", " - ", " * ", " / ") + of() + ")"
	case 3:
		return "(" + of() + r.pick(" < ", " <= ", " > ", " >= ", " == ", " != ") + of() + ")"
	case 4:
		return "(" + of() + r.pick(" && ", " || ") + r.pick("", "!") + of() + ")"
	case 5:
		return "choose(" + of() + ", " + of() + ", " + of() + ")"
	case 6:
		return r.pick("min", "max") + "(" + of() + ", " + of() + ")"
	case 7:
		return r.pick("-", "abs", "floor", "sqrt") + "(" + of() + ")"
	}
	one := r.expression(1, singles[:1], nil) // of one quantity
	one = strings.ReplaceAll(one, singles[0], singles[r.IntN(len(singles))])
	return fmt.Sprintf(r.pick("log(%s)", "log2(1 + %s)", "exp(%s / 3)", "pow(%s, 1.7)", "pow(%s, -0.5)"), one)
}
