package eval

import (
	"fmt"
	"math"
	"sync"

	"tune2048/engine"
	"tune2048/engine/key"
)

// Warnings returns for each formula that has an operation without a result, with the start weights
// and on boards of some fixed games: the first such operation, and where it is. Its result counts
// as 0. The heuristic must be sound, see [Heuristic.Problems].
func (f *Heuristic) Warnings() (all []string) {
	for i := range f.Features {
		x := &f.Features[i]
		if x.Kind != Formula {
			continue
		}
		p := x.sound()
		for _, b := range someBoards() {
			if failed, place := p.failed(b); failed != nil {
				all = append(all, fmt.Sprintf("%s: %s counts as 0, as for the %s", x.Name, failed.trouble(), place))
				break
			}
		}
	}
	return all
}

// failed returns the first operation without a result for a board, and its place, or nil.
func (p *parsed) failed(b engine.Board) (failed *Expression, place string) {
	tile, q := p.feature.tiles(), boardValues{}
	over := func(part *part, tree *Expression) (sum float64) {
		for _, line := range part.lines(b) {
			for i, x := range quantities {
				if tree.set>>i&1 == 1 {
					q[i] = x.value(x.line(&line), &tile)
				}
			}
			if sum += tree.value(q[:], &failed); failed != nil && place == "" {
				place = part.key
				for _, rank := range line {
					place += fmt.Sprint(" ", 1<<rank&^1)
				}
			}
		}
		return sum
	}
	if p.part.key != overBoard {
		over(p.part, p.tree)
		return failed, place
	}
	var sums []float64
	for i, tree := range p.sums {
		sums = append(sums, over(partOf(p.feature.Sums[i].Over), tree))
	}
	for i, x := range boardQuantities {
		q[i] = x.value(x.board(b), &tile)
	}
	copy(q[len(boardQuantities):], sums)
	if p.tree.value(q[:], &failed); place == "" {
		place = "board " + b.String()
	}
	return failed, place
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
// be sound, see [Heuristic.Problems]. A first call takes milliseconds, the next one for the same
// feature microseconds.
func (f *Term) Spread() float64 {
	alone := *f
	alone.Name, alone.Weight = "", 1
	text := key.Writer{}.Text(&alone)
	spread, found := spreads.Load(text)
	if !found {
		spread = alone.spread()
		spreads.Store(text, spread)
	}
	return spread.(float64)
}

// spreads are those that were measured, by the text of the feature.
var spreads sync.Map

// spread measures a feature.
func (f *Term) spread() float64 {
	h := Heuristic{Features: []Term{*f}, Symmetry: SymmetryNone}
	tables, err := NewCompiler(&h).Compile(h.Values(), Dead{})
	if err != nil {
		panic(err) // it was checked
	}
	var values []float64
	for _, b := range someBoards() {
		values = append(values, tables.Value(b))
	}
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
	add := func(kind string, weight, power float64) {
		f.Features = append(f.Features, Term{Kind: kind, Name: kind, Weight: weight,
			Tile: Rank, Power: power, Count: Runs, Blanks: Keep})
	}
	add(Line, 200000, 1)
	add(Empty, 270, 1)
	add(Merges, 700, 1)
	add(Monotonicity, -47, 4)
	add(Sum, -11, 3.5)
	tables, err := NewCompiler(&f).Compile(f.Values(), Dead{})
	if err != nil {
		panic(err) // of the numbers above
	}
	var player engine.Searcher
	player.Prepare(tables, engine.FixedDepth(1), engine.DefaultRules())
	moves := 0
	for seed := range uint64(20) {
		engine.Play(engine.DefaultRules(), seed, &player, func(s engine.Step) bool {
			if moves++; moves%10 == 0 {
				after, _, _, _ := s.Board.Slide(s.Move)
				boards = append(boards, after)
			}
			return true
		})
	}
	return boards
})
