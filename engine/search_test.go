package engine

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"tune2048/engine/plain"
)

// oddTables is a heuristic without any symmetry, made of random tables of some of all kinds, with
// the value function to compare with.
func oddTables(r *rand.Rand, byLargest bool) (*Tables, func(plain.Board) float64) {
	t := &Tables{Bits: 8, Dead: -90_000_000 / 256}
	draw := func() *LineTable {
		table := new(LineTable)
		for i := range table {
			table[i] = r.Int64N(1 << 20)
		}
		return table
	}
	lines, upright := draw(), draw()
	var cell [4][4][16]int64
	if r.IntN(2) == 0 {
		t.Squares = [2]*LineTable{draw(), new(LineTable)}
		for i, v := range t.Squares[0] {
			t.Squares[1][i&0xF00F|i>>4&0xF0|i<<4&0xF00] = v
		}
	}
	if r.IntN(5) == 0 {
		t.Board = func(b Board) float64 { return float64(b.Distinct()*b.Rank(1, 2)) * 256.125 }
	}
	t.Turns = r.IntN(5) == 0
	for i := range cell {
		for j := range cell[i] {
			for k := range cell[i][j] {
				cell[i][j][k] = r.Int64N(1 << 20)
			}
		}
	}
	var corner [16][4][16]int64 // by rank of the largest tile, corner and rank there
	t.ByLargest = byLargest
	if byLargest {
		for i := range 64 * 16 {
			corner[i/64][i/16%4][i%16] = r.Int64N(1 << 20)
		}
	}
	at := func(largest, row, column, rank int) (v int64) {
		v = cell[row][column][rank]
		if row%3 == 0 && column%3 == 0 {
			v += corner[largest][row/3*2+column/3][rank]
		}
		return v
	}
	t.Rows, t.Columns, t.Cells = lines, upright, new([16]*Cells)
	for largest := range t.Cells {
		t.Cells[largest] = new(Cells)
		for i := range 4 {
			for half := range 2 {
				for pair := range 256 {
					t.Cells[largest][i][half][pair] = at(largest, i, 2*half, pair&15) + at(largest, i, 2*half+1, pair>>4)
				}
			}
		}
	}
	made := map[int][2][4]*LineTable{}
	t.Along = func(largest int) (rows, columns [4]*LineTable) {
		if of, found := made[largest]; found {
			return of[0], of[1]
		}
		defer func() { made[largest] = [2][4]*LineTable{rows, columns} }()
		for i := range 4 {
			rows[i], columns[i] = new(LineTable), new(LineTable)
			for line := range lines {
				rows[i][line], columns[i][line] = lines[line], upright[line]
				for k := range 4 {
					rank := line >> (4 * k) & 15
					rows[i][line] += at(largest, i, k, rank)
					columns[i][line] += at(largest, k, i, rank)
				}
			}
		}
		return rows, columns
	}
	of := 0
	if byLargest {
		of = 1
	}
	sum := func(board Board) float64 {
		sum := int64(0)
		for i := range 4 {
			sum += lines[board.row(i)] + upright[board.Transpose().row(i)]
			for j := range 4 {
				sum += at(board.Largest()*of, i, j, board.Rank(i, j))
				if i < 3 && j < 3 && t.Squares[0] != nil {
					sum += t.Squares[0][board.Rank(i, j)|board.Rank(i+1, j)<<4|board.Rank(i, j+1)<<8|board.Rank(i+1, j+1)<<12]
				}
			}
		}
		if t.Board != nil {
			return float64(sum)/256 + t.Board(board)
		}
		return float64(sum) / 256
	}
	return t, func(b plain.Board) float64 {
		board, err := FromFaces(b)
		if err != nil {
			panic(err)
		}
		most := math.Inf(-1)
		for o := range 8 {
			most = max(most, sum(turned(board, o)))
			if !t.Turns {
				break
			}
		}
		return most
	}
}

// turned returns the board as it is, or one of its 7 other orientations.
func turned(b Board, o int) (to Board) {
	for r := range 4 {
		for c := range 4 {
			row, column := r^(3*(o&1)), c^(3*(o>>1&1))
			if o>>2 == 1 {
				row, column = column, row
			}
			to |= Board(b.Rank(r, c)) << (4 * (4*row + column))
		}
	}
	return to
}

// TestSearchAgainstPlain compares values with the plain recursion for tables without symmetry, at
// all kinds of depth rules and cuts, on boards of all kinds.
func TestSearchAgainstPlain(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	rules := []Settings{
		FixedDepth(1), FixedDepth(2), FixedDepth(3), FixedDepth(4), FixedDepth(5),
		{Rule: DepthRule{Fixed: 7}, MinProbability: 0.0117},
		{Rule: DepthRule{Fixed: 9}, MinProbability: 0.0213},
		{Rule: DepthRule{Fixed: 6}, MinProbability: 0.0031},
		{Rule: DepthRule{ByDistinct: &DistinctLayers{Minus: 3, Least: 1}}, MinProbability: 0.0117},
		{Rule: DepthRule{ByEmpty: []EmptyDepth{{Above: 3, Depth: 3}, {Above: 1, Depth: 4}, {Above: -1, Depth: 5}}}},
	}
	for round := range 2 * len(rules) {
		tables, value := oddTables(r, round < len(rules))
		settings := rules[round%len(rules)]
		var s Searcher
		s.Prepare(tables, settings, DefaultRules())
		search := plain.Search{Value: value, Dead: tables.Dead, Four: 0.1, MinProbability: settings.MinProbability}
		for i := range 4 {
			b := randomBoard(r, []int{2, 4, 11, 15}[i], []float64{0, 0.05, 0.1, 0.15}[i])
			checkValues(t, &s, search, b, settings.Rule.Depth(b))
		}
	}
}

func checkValues(t *testing.T, s *Searcher, search plain.Search, b Board, depth int) {
	t.Helper()
	d := s.Search(b)
	want := search.Moves(b.Faces(), depth)
	best := NoMove // the first of the highest
	for _, m := range Moves() {
		if d.Legal[m] && (best == NoMove || d.Values[m] > d.Values[best]) {
			best = m
		}
	}
	if d.Best != best || d.Depth != depth {
		t.Fatalf("%v: board %v: plays %v at depth %d, want %v at depth %d: %v", s.settings, b, d.Best, d.Depth, best, depth,
			d.Values)
	}
	for _, m := range Moves() {
		value, legal := want[m.String()]
		if d.Legal[m] != legal || legal && math.Abs(d.Values[m]-value) > 1e-9*math.Max(1, math.Abs(value)) {
			t.Fatalf("%v: board %v, %v: got %v %v, want %v %v", s.settings, b, m, d.Legal[m], d.Values[m], legal, value)
		}
	}
}

// TestTies: of moves that are worth the same the first legal one is played.
func TestTies(t *testing.T) {
	zero := new(LineTable)
	tables := &Tables{Rows: zero, Columns: zero, Dead: -1}
	var s Searcher
	s.Prepare(tables, FixedDepth(1), DefaultRules())
	for text, want := range map[string]Move{
		"0 0 0 0/0 2 0 0/0 0 0 0/0 0 0 0": Up,
		"0 2 0 0/0 4 0 0/0 0 0 0/0 0 0 0": Down,
		"2 0 0 0/4 0 0 0/2 0 0 0/4 0 0 0": Right,
		"0 0 0 2/0 0 0 4/0 0 0 2/0 0 0 4": Left,
		"2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 2": NoMove,
	} {
		if got := s.Search(mustParse(t, text)); got.Best != want {
			t.Errorf("%s: plays %v, want %v", text, got.Best, want)
		}
	}
}

// TestSmallTiles: where a spawned 4 may be the largest tile, or become a part of it, corners see
// another largest tile.
func TestSmallTiles(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 8 {
		tables, value := oddTables(r, true)
		var s Searcher
		s.Prepare(tables, FixedDepth(3), DefaultRules())
		search := plain.Search{Value: value, Dead: tables.Dead, Four: 0.1}
		for i := range 12 {
			checkValues(t, &s, search, randomBoard(r, 1+i%3, 0.1+0.1*float64(i/3)), 3)
		}
	}
}

// TestNodes: what a search costs is the afterstates of its tree, where no table of transpositions
// answers: up to depth 3, at the last of which no afterstate is made.
func TestNodes(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	moves := func(b Board) (afterstates []Board) {
		for _, m := range Moves() {
			if after, _, legal, _ := b.Slide(m); legal {
				afterstates = append(afterstates, after)
			}
		}
		return afterstates
	}
	for round := range 4 {
		tables, _ := oddTables(r, round%2 == 1)
		if round == 2 {
			tables.Oriented = &[16]*Oriented{new(Oriented)} // of which other code takes care
		}
		var s, cut Searcher
		for i := range 500 {
			b := randomBoard(r, []int{2, 4, 11, 15}[i%4], []float64{0, 0.05, 0.2, 0.6}[i/4%4])
			if b.twoMaxRanks() {
				continue
			}
			first := moves(b)
			all := len(first)
			for _, after := range first {
				for x := after.blanks(); x != 0; x &= x - 1 {
					all += len(moves(after|Board(x&-x))) + len(moves(after|Board(x&-x)<<1))
				}
			}
			for depth, want := range map[int]int{1: len(first), 2: len(first), 3: all} {
				s.Prepare(tables, FixedDepth(depth), DefaultRules())
				if got := s.Search(b).Nodes; got != int64(want) {
					t.Fatalf("board %v, depth %d: %d nodes, want %d", b, depth, got, want)
				}
			}
			cut.Prepare(tables, Settings{Rule: DepthRule{Fixed: 5}, MinProbability: 0.99}, DefaultRules())
			if got := cut.Search(b).Nodes; got != int64(all) { // the rest is nearly never so probable
				t.Fatalf("board %v, cut after a spawn: %d nodes, want %d", b, got, all)
			}
		}
	}
}

// TestValuesDoNotDependOnHistory: a searcher that has searched before finds the same bits and nodes
// as a new one, also where its table still holds the very boards, as other weights value them and
// at another depth.
func TestValuesDoNotDependOnHistory(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var weights [2]*Tables
	for i := range weights {
		weights[i], _ = oddTables(r, true)
	}
	var old Searcher
	for _, settings := range []Settings{{Rule: DepthRule{Fixed: 7}, MinProbability: 0.0031}, FixedDepth(5)} {
		for i := range 60 {
			b := randomBoard(r, 11, 0.2)
			for k, tables := range weights {
				for _, depth := range []int{settings.Rule.Fixed, settings.Rule.Fixed - 2} {
					settings := Settings{Rule: DepthRule{Fixed: depth}, MinProbability: settings.MinProbability}
					var fresh Searcher
					fresh.Prepare(tables, settings, DefaultRules())
					old.Prepare(tables, settings, DefaultRules())
					if got, want := old.Search(b), fresh.Search(b); got != want {
						t.Fatalf("%v, board %d with weights %d: got %+v, a new searcher %+v", settings, i, k, got, want)
					}
				}
			}
		}
	}
}

// TestReleasedSearcher: a searcher that a context stopped searches as before after its release.
func TestReleasedSearcher(t *testing.T) {
	tables, _ := oddTables(rand.New(rand.NewPCG(71, 1)), true)
	var s Searcher
	s.Prepare(tables, FixedDepth(5), DefaultRules())
	b := randomBoard(rand.New(rand.NewPCG(71, 2)), 6, 0.2)
	want := s.Search(b)
	ctx, cancel := context.WithCancel(context.Background())
	release := s.StopWith(ctx)
	cancel()
	for s.Search(b) == want { // until the cancellation reaches the searcher
	}
	release()
	if got := s.Search(b); got != want {
		t.Errorf("after its release: got %v, want %v", got, want)
	}
}
