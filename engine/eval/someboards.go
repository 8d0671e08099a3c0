package eval

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"tune2048/engine"
	"tune2048/engine/key"
)

// Warnings returns for each formula that has an operation without a result, with this vector and on
// boards of some fixed games: the first such operation, and where it is. Its result counts
// as 0. The heuristic must be sound, see [Heuristic.Problems]. A bot has no formulas.
func (f *Heuristic) Warnings(v Vector) (all []string) {
	if f.Bot != nil {
		return nil
	}
	c := NewCompiler(f)
	c.evaluate(v)
	for i, x := range f.Features {
		var failed *Expression
		var place string
		switch {
		case x.Kind != Formula:
		case c.boards[i] != nil:
			c.boards[i].prepareAll()
			failed, place = c.boards[i].failed()
		default:
			failed, place = c.formulas[i].failed()
		}
		if failed != nil {
			all = append(all, fmt.Sprintf("%s: %s counts as 0, as for the %s", x.Name, failed.trouble(), place))
		}
	}
	return all
}

// Prices returns for each formula over the board that costs time at play, with this vector: how
// much. The heuristic must be sound, see [Heuristic.Problems]. A bot has no formulas.
func (f *Heuristic) Prices(v Vector) (all []string) {
	if f.Bot != nil {
		return nil
	}
	c := NewCompiler(f)
	c.evaluate(v)
	price := "each leaf is valued by itself, so at depth 3 a move takes 6 to 14 times as long"
	if _, byEmpty := c.board(); byEmpty != nil {
		price = "at depth 3 a move takes 1.8 times as long"
	}
	for i, b := range c.boards {
		if b != nil && b.weight != 0 {
			all = append(all, fmt.Sprintf("%s: a formula of the board: %s", f.Features[i].Name, price))
		}
	}
	return all
}

// somePlaces returns the places of a part on some boards as rows of four ranks, each once, in the
// order of the boards.
func (p *part) somePlaces() (rows []uint16) {
	var met [1 << 16]bool
	for _, b := range someBoards() {
		for _, line := range p.lines(b) {
			row := uint16(line[0] | line[1]<<4 | line[2]<<8 | line[3]<<12)
			if !met[row] {
				met[row], rows = true, append(rows, row)
			}
		}
	}
	return rows
}

// failed returns the operation without a result that is met first on some boards, and its place, or
// nil. It looks at each entry of a column once, however often the formula has the operation: at
// those that the operations above it need.
func (t *tabulated) failed() (failed *Expression, place string) {
	rows := t.part.somePlaces()
	never := int32(len(rows))
	need := map[*column][]int32{} // the first place that needs an entry, or never
	for _, col := range t.ordered {
		need[col] = slices.Repeat([]int32{never}, len(col.over.rows))
	}
	for i, row := range rows {
		entry := &need[t.root][t.root.over.of[row]]
		*entry = min(*entry, int32(i))
	}
	first := never
	t.values(t.root)
	for _, col := range slices.Backward(t.ordered) {
		for i, at := range need[col] {
			if at == never || len(col.operands) == 0 {
				continue
			}
			want := func(k int) (value float64) {
				entry := col.from[k][i]
				need[col.operands[k]][entry] = min(need[col.operands[k]][entry], at)
				return col.operands[k].values[entry]
			}
			x, y := want(0), 0.0
			switch {
			case col.of == nil && x != 0:
				want(1)
			case col.of == nil:
				want(2)
			case len(col.operands) == 1, col.Name == "&&" && x == 0, col.Name == "||" && x != 0: // y does not count
			default:
				y = want(1)
			}
			if col.of == nil || at > first {
				continue
			}
			if raw := col.of(x, y); total(raw) != raw { // of one place the operand is met before the operation
				first, failed = at, col.Expression
			}
		}
	}
	if failed != nil {
		place = t.part.key
		for k := range 4 {
			place += fmt.Sprint(" ", 1<<(rows[first]>>(4*k)&15)&^1)
		}
	}
	return failed, place
}

// failed is tabulated.failed of a formula over the whole board and of its sums.
func (b *boardTerm) failed() (failed *Expression, place string) {
	for _, s := range b.sums {
		failed, place = s.of.failed()
		if failed != nil {
			return failed, place
		}
	}
	for _, board := range someBoards() {
		if b.value(board, &failed); failed != nil {
			return failed, "board " + board.String()
		}
	}
	return nil, ""
}

// trouble describes an operation without a result.
func (e *Expression) trouble() string {
	what := map[string]string{"/": "a division by 0", "pow": "a power without a result",
		"sqrt": "sqrt of a number below 0",
		"log":  "log of 0 or less", "log2": "log2 of 0 or less"}[e.Name]
	if what == "" {
		what = "a result of " + e.Name + " that is too large"
	}
	return what
}

// Spread returns the standard deviation of the feature, without its weight, over the boards of some
// fixed games: 0 if it is the same on all of them. Each board is taken as it lies. The feature must
// be sound with this vector, see [Heuristic.Problems]. A first call takes milliseconds, the next
// one for the same feature microseconds.
func (f *Term) Spread(v Vector) float64 {
	alone, own := f.Alone(v)
	own[0], alone.Features[0].Name = 1, ""
	text := key.Writer{}.Text(&alone.Features[0]) + fmt.Sprint(own)
	spread, found := spreads.Load(text)
	if !found {
		spread = f.spread(v)
		spreads.Store(text, spread)
	}
	return spread.(float64)
}

// spreads are those that were measured, by the text of the feature with its numbers.
var spreads sync.Map

// OnSomeBoards returns the feature, without its weight, on the boards of some fixed games. Each
// board is taken as it lies. The feature must be sound with this vector, see [Heuristic.Problems].
func (f *Term) OnSomeBoards(v Vector) (values []float64) {
	alone, own := f.Alone(v)
	own[0] = 1
	tables, err := NewCompiler(&alone).Compile(own, Dead{})
	if err != nil {
		panic(err) // it was checked
	}
	for _, b := range someBoards() {
		values = append(values, tables.Value(b))
	}
	return values
}

// spread measures a feature.
func (f *Term) spread(v Vector) float64 {
	values := f.OnSomeBoards(v)
	n, first, largest, mean, squares := float64(len(values)), values[0], 0.0, 0.0, 0.0
	for i := range values {
		values[i] -= first // so that equal ones are exactly 0
		largest = max(largest, math.Abs(values[i]))
	}
	if largest == 0 {
		return 0
	}
	for i := range values {
		values[i] /= largest // so that no square is too large or too small
		mean += values[i] / n
	}
	for _, v := range values {
		squares += float64((v - mean) * (v - mean))
	}
	return largest * math.Sqrt(squares/n)
}

// someBoards returns every tenth afterstate in 20 games of nneonneo's weights at
// depth 1, which are played once.
var someBoards = sync.OnceValue(func() (boards []engine.Board) {
	var f Heuristic
	var v Vector
	add := func(kind string, weight float64, power ...float64) {
		x := Defaults(kind)
		x.Tile, x.Count, x.Blanks = Rank, Runs, Keep
		v = f.Add(v, x, weight, power...)
	}
	add(Line, 200000)
	add(Empty, 270)
	add(Merges, 700)
	add(Monotonicity, -47, 4)
	add(Sum, -11, 3.5)
	tables, err := NewCompiler(&f).Compile(v, Dead{})
	if err != nil {
		panic(err) // of the numbers above
	}
	var player engine.Searcher
	player.Prepare(tables, engine.FixedDepth(1), engine.DefaultRules())
	moves := 0
	for seed := range uint64(20) {
		engine.Play(engine.DefaultRules(), seed, &player, func(s engine.Step) bool {
			moves++
			if moves%10 == 0 {
				after, _, _, _ := s.Board.Slide(s.Move)
				boards = append(boards, after)
			}
			return true
		})
	}
	return boards
})
