package eval

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"sync"

	"tune2048/engine"
	"tune2048/engine/portable"
)

// direct works out a feature of one board at a time, slowly, in float64: to measure it, and to find
// operations without a result.
type direct struct {
	*Term
	*parsed // of a formula
	tile    tiles
	found   *Expression // the first operation without a result
	place   string      // where it was found
}

// newDirect prepares a feature whose weights are fixed. It must be sound, see [Heuristic.Check].
func newDirect(f *Term) *direct {
	d := &direct{Term: f, tile: f.tiles()}
	if KindOf(f.Kind).Line != nil {
		p, err := f.parse()
		if err != nil {
			panic(err) // it was checked
		}
		for _, tree := range append(p.sums, p.tree) {
			tree.fix(f.numbers(), map[*Expression]bool{})
		}
		d.parsed = p
	}
	return d
}

// value returns the feature of a board.
func (d *direct) value(b engine.Board) (sum float64) {
	switch kind := KindOf(d.Kind); {
	case kind.cells != nil:
		for i, factor := range kind.cells(d.Term) {
			for k := range factor {
				sum += float64(factor[k] * d.tile[b.Rank(i, k)])
			}
		}
		return sum
	case kind.corner != nil:
		corner := d.cornerIndex()
		there := b.Rank(corner>>1*3, corner&1*3)
		return total(portable.Pow(kind.corner(d.tileOf(b.Largest()), d.tileOf(there)), d.Power.Value))
	case d.part.key != overBoard:
		return d.over(d.part, d.tree, b)
	}
	var q boardValues
	for i, x := range boardQuantities {
		if q[i] = float64(x.of(b)); x.symbol == "largest" {
			q[i] = d.tile[x.of(b)]
		}
	}
	for i, tree := range d.sums {
		q[len(boardQuantities)+i] = d.over(partOf(d.Sums[i].Over), tree, b)
	}
	return d.at(d.tree, q[:], "board "+b.String())
}

// over returns the sum of a formula over the places of a part of the board.
func (d *direct) over(part *part, tree *Expression, b engine.Board) (sum float64) {
	t := b.Transpose()
	for i := range part.places {
		var line [4]int
		for k := range line {
			switch r, c := i/3+k/2, i%3+k%2; {
			case part.key == overSquare:
				line[k] = b.Rank(r, c)
			case part.key == overColumn || i > 3:
				line[k] = t.Rank(i%4, k)
			default:
				line[k] = b.Rank(i, k)
			}
		}
		q := make([]float64, len(quantities))
		for k, x := range quantities {
			if tree.set>>k&1 == 1 {
				if q[k] = float64(x.of(&line)); x.tile {
					q[k] = d.tile[x.of(&line)]
				}
			}
		}
		faces := func(rank int) int { return 1 << rank &^ 1 }
		sum += d.at(tree, q, part.key, faces(line[0]), faces(line[1]), faces(line[2]), faces(line[3]))
	}
	return sum
}

// at returns the value of a formula at a place, which is noted if an operation has no result there.
func (d *direct) at(tree *Expression, q []float64, place ...any) float64 {
	if d.found != nil {
		return tree.of(q, nil)
	}
	value := tree.of(q, &d.found)
	if d.found != nil {
		d.place = strings.TrimSpace(fmt.Sprintln(place...))
	}
	return value
}

// Warnings returns for each formula that has an operation without a result, with the start weights
// and on boards of some fixed games: the first such operation, and where it is. Its result counts
// as 0. The family must be sound, see [Heuristic.Check].
func (f *Heuristic) Warnings() (all []string) {
	fixed := f.Fix(f.Values())
	for i := range fixed.Features {
		x := &fixed.Features[i]
		if x.Kind != Formula {
			continue
		}
		d := newDirect(x)
		for _, b := range someBoards() {
			if d.value(b); d.found != nil {
				all = append(all, fmt.Sprintf("%s: %s counts as 0, as for the %s", x.Name, d.found.trouble(), d.place))
				break
			}
		}
	}
	return all
}

// trouble describes an operation without a result.
func (e *Expression) trouble() string {
	what := map[operation]string{divide: "a division by 0", power: "a power without a result", root: "sqrt of a number below 0",
		logarithm: "log of 0 or less", binaryLogarithm: "log2 of 0 or less"}[e.operation]
	if what == "" {
		what = "a result of " + e.Name() + " that is too large"
	}
	return what
}

// Spread returns the standard deviation of the feature, without its weight, over the boards of some
// fixed games: 0 if it is the same on all of them. Its tunable numbers are at their starts, and
// each board is taken as it lies. The feature must be sound, see [Heuristic.Check]. A first call
// takes milliseconds, the next one for the same feature microseconds.
func (f *Term) Spread() float64 {
	alone := Heuristic{Features: []Term{*f}}
	alone = alone.Fix(alone.Values())
	one := &alone.Features[0]
	one.Name, one.Weight = "", Fixed(1)
	key, err := json.Marshal(one)
	if err != nil {
		panic(err) // its numbers are finite
	}
	spread, found := spreads.Load(string(key))
	if !found {
		spread = newDirect(one).spread()
		spreads.Store(string(key), spread)
	}
	return spread.(float64)
}

// spreads are those that were measured, by the feature as JSON.
var spreads sync.Map

func (d *direct) spread() float64 {
	boards := someBoards()
	n, values := float64(len(boards)), make([]float64, len(boards))
	first, largest, mean, squares := d.value(boards[0]), 0.0, 0.0, 0.0
	for i := range boards {
		values[i] = d.value(boards[i]) - first // so that equal ones are exactly 0
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
		f.Features = append(f.Features, Term{Kind: kind, Name: kind, Weight: Fixed(weight),
			Tile: Rank, Power: Fixed(power), Count: Runs, Blanks: Keep})
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
	var player engine.Expectimax
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
