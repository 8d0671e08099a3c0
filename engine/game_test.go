package engine

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// TestSpawnsNeverChange pins the spawns of a seed: stored games are replayed from them.
func TestSpawnsNeverChange(t *testing.T) {
	s := NewSpawner(DefaultRules(), 2048)
	b := s.Start()
	for range 10 {
		b = s.Spawn(b)
	}
	if got, want := b.String(), "2 2 2 2/2 2 4 4/2 0 0 0/2 2 4 0"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestSpawnIsFair checks cells and tiles against their probabilities, within five standard
// deviations.
func TestSpawnIsFair(t *testing.T) {
	const n = 200_000
	b := mustParse(t, "0 2 0 4/8 0 4 0/1024 2 0 2/0 4 0 4")
	for _, four := range []float64{0, 0.1, 0.5, 1} {
		s := NewSpawner(Rules{FourProbability: four}, 7)
		cells := map[int]int{}
		fours := 0
		for range n {
			after := s.Spawn(b)
			spawned := after ^ b
			cell := 0
			for spawned>>(4*cell)&15 == 0 {
				cell++
			}
			cells[cell]++
			switch spawned >> (4 * cell) {
			case 2:
				fours++
			case 1:
			default:
				t.Fatalf("spawned %v on %v", after, b)
			}
		}
		if len(cells) != b.Empty() {
			t.Errorf("tiles on %d cells, want %d", len(cells), b.Empty())
		}
		p := 1 / float64(b.Empty())
		for cell, count := range cells {
			if d := float64(count) - n*p; math.Abs(d) > 5*math.Sqrt(n*p*(1-p)) {
				t.Errorf("cell %d: %d spawns of %d", cell, count, n)
			}
		}
		if d := float64(fours) - n*four; math.Abs(d) > 5*math.Sqrt(n*four*(1-four)) {
			t.Errorf("probability %v: %d fours of %d", four, fours, n)
		}
	}
}

// TestRandomPlay: players that move at random are known to reach about 1,100 points.
func TestRandomPlay(t *testing.T) {
	sum := 0.0
	for seed := range uint64(2000) {
		r := Play(DefaultRules(), seed, randomPlayer{rand.New(rand.NewPCG(seed, 1))}, nil)
		if r.Final.HasMove() || r.Capped || r.MaxTile != 1<<r.Final.Largest() {
			t.Fatalf("seed %d: not over: %+v", seed, r)
		}
		sum += r.Score
	}
	if mean := sum / 2000; mean < 1000 || mean > 1200 {
		t.Errorf("%.0f points", mean)
	}
}

// randomPlayer draws until a move is legal.
type randomPlayer struct{ *rand.Rand }

func (p randomPlayer) Choose(b Board) (Move, int64) {
	for {
		m := Move(p.IntN(4))
		if _, _, legal, _ := b.Slide(m); legal {
			return m, 0
		}
	}
}

// TestScoreIsTheSumOfMerges checks the score against the final board: a tile of rank k built from
// 2s has scored (k-1) 2^k, less 4 for each 4 that spawned ready-made. Those are counted on the way.
func TestScoreIsTheSumOfMerges(t *testing.T) {
	for seed := range uint64(50) {
		fours := 0
		var before Board // the afterstate that the next spawn came upon
		count := func(b Board) { fours += bits.OnesCount64(uint64(b^before) & 0x2222222222222222) }
		r := Play(DefaultRules(), seed, Greedy{}, func(s Step) bool {
			count(s.Board)
			before, _, _, _ = s.Board.Slide(s.Move)
			return true
		})
		count(r.Final)
		want := -4 * fours
		for cell := range 16 {
			if rank := int(r.Final >> (4 * cell) & 15); rank > 0 {
				want += (rank - 1) << rank
			}
		}
		if r.Score != float64(want) {
			t.Errorf("seed %d: score %v, want %d", seed, r.Score, want)
		}
	}
}

// TestResultsAreChecked: the results of games pass, and a change of any figure does not.
func TestResultsAreChecked(t *testing.T) {
	var results []Result
	for _, four := range []float64{0, 0.1, 1} {
		for seed := range uint64(50) {
			results = append(results, Play(Rules{FourProbability: four}, seed, Greedy{}, nil))
		}
	}
	before := mustParse(t, "32768 32768 2 4/8 0 0 0/0 0 0 0/0 0 0 0")
	after, reward, _, capped := before.Slide(Left)
	twos, points := (2*32768+2+4+8)/2, 2*14*32768+1*4+2*8 // of the board before, if no four spawned
	results = append(results, Result{Score: float64(points + reward), MaxTile: 65536, Moves: twos - 2 + 1, Nodes: 5,
		Final: after, Capped: capped})
	for _, r := range results {
		if err := r.Check(); err != nil {
			t.Fatal(err)
		}
		for _, change := range []func(r *Result){
			func(r *Result) { r.Score += 4 }, func(r *Result) { r.Score = 4e15 }, func(r *Result) { r.Score = math.MinInt },
			func(r *Result) { r.MaxTile *= 2 }, func(r *Result) { r.MaxTile = 3 },
			func(r *Result) { r.Moves++ }, func(r *Result) { r.Moves = math.MaxInt }, func(r *Result) { r.Moves = math.MinInt },
			func(r *Result) { r.Nodes = -1 }, func(r *Result) { r.Final ^= 1 }, func(r *Result) { r.Final = 0 },
			func(r *Result) { r.Capped = !r.Capped },
		} {
			wrong := r
			if change(&wrong); wrong.Check() == nil {
				t.Errorf("%+v passes as %+v", r, wrong)
			}
		}
	}
}
