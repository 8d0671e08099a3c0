package results

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tune2048/engine/heuristic"
	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// drawer makes things of the fuzzer's bytes; when they are used up it draws zeros.
type drawer struct{ left []byte }

func (d *drawer) next(n int) []byte {
	b := make([]byte, n)
	d.left = d.left[copy(b, d.left):]
	return b
}

func (d *drawer) below(n uint64) int { return int(binary.LittleEndian.Uint64(d.next(8)) % n) }

// few draws a small number from one byte.
func (d *drawer) few(n int) int { return int(d.next(1)[0]) % n }

func (d *drawer) count() int { return d.below(math.MaxInt64) }

// float draws any bits; what storage refuses becomes a finite number. -0 is drawn too.
func (d *drawer) float() float64 {
	v := math.Float64frombits(binary.LittleEndian.Uint64(d.next(8)))
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return math.MaxFloat64
	}
	return v
}

func (d *drawer) text() string { return string(d.next(d.few(9))) }

func (d *drawer) interval() stats.Interval {
	i := stats.Interval{Low: d.float() + 0, High: d.float() + 0}
	switch d.few(4) {
	case 0:
		i.Low = math.Inf(-1)
	case 1:
		i.High = math.Inf(1)
	}
	return i
}

// memory returns a folder of the test in memory, if there is one such: a commit there waits for no disk, and a fuzzer makes
// thousands.
func memory(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp("/dev/shm", "tune")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}

// FuzzRoundTrip: what is recorded comes back bit by bit, before and after the database is closed, and its fingerprint is
// the same. Of -0, which SQLite does not keep apart, 0 comes back.
func FuzzRoundTrip(f *testing.F) {
	random := random(2048)
	for range 6 {
		seed := make([]byte, 400)
		for i := range seed {
			seed[i] = byte(random.Uint32())
		}
		f.Add(seed)
	}
	special := []byte{3, 1, 2, 3}
	for _, v := range []float64{math.Copysign(0, -1), math.SmallestNonzeroFloat64, -math.MaxFloat64, 0.1, 1 << 53, 1e300} {
		special = binary.LittleEndian.AppendUint64(special, math.Float64bits(v))
	}
	f.Add(special)
	f.Add(bytes.Repeat([]byte{0xff}, 300))
	f.Add([]byte(strings.Repeat("it's\x00\xff\n", 60)))
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx := context.Background()
		d := &drawer{data}
		path := filepath.Join(memory(t), "tune.db")
		s, err := Open(path)
		must(t, err)
		defer func() { s.Close() }()
		run := begin(t, s, spec("snake", "a"))

		var candidates []experiments.Candidate
		for number := range 1 + d.few(4) {
			c := experiments.Candidate{Number: number, Origin: d.text(), Name: d.text(), Stage: d.text(), Generation: d.count()}
			if c.Dead = (heuristic.Dead{Value: d.float()}); d.few(2) == 0 {
				c.Dead = heuristic.Dead{Worst: true}
			}
			for i := range d.few(6) {
				c.Weights = append(c.Weights, experiments.Weight{Name: fmt.Sprint(d.text(), i), Value: d.float()})
			}
			candidates = append(candidates, c)
		}
		must(t, s.AddCandidates(ctx, run.ID, candidates))
		block := experiments.Block{Phase: d.text(), Stage: d.text(), Search: d.text(), Generation: d.count(), Round: d.count(),
			First: int64(d.below(gamesPerRun - 100))}
		for range 1 + d.few(4) {
			block.Seeds = append(block.Seeds, uint64(d.below(largestSeed+1)))
		}
		var evaluations []experiments.Evaluation
		for _, c := range candidates {
			block.Candidates = append(block.Candidates, c.Number)
			e := experiments.Evaluation{Candidate: c.Number, Interval: d.interval(), Fitness: d.float(), FitnessSE: d.interval().High,
				Score: stats.Moments{N: len(block.Seeds), Mean: d.float(), M2: math.Abs(d.float())},
				// The summaries add these up over a run, and integers of SQL do not go on for ever.
				Moves: int64(d.below(1 << 40)), Nodes: int64(d.below(1 << 40)), GamesHash: d.text()}
			for i := range e.Reached {
				e.Reached[i] = d.few(5)
			}
			evaluations = append(evaluations, e)
		}
		games := map[int]experiments.Outcome{}
		for i := range block.Games() {
			games[i] = experiments.Outcome{Score: d.count(), MaxTile: d.count(), Moves: d.count(), Nodes: int64(d.count()),
				DurationUS: int64(d.count()), Capped: d.few(2) == 0}
			must(t, s.AddGame(ctx, run.ID, block, i, games[i]))
		}
		must(t, s.FinishBlock(ctx, run.ID, block, evaluations, true))
		must(t, s.SetChampion(ctx, run.ID, d.few(len(candidates))))
		must(t, s.Finish(ctx, run.ID, experiments.Finished))
		before, err := s.Reader().Find(ctx, "snake")
		must(t, err)

		for range 2 {
			got, err := s.Candidates(ctx, run.ID)
			must(t, err)
			if want := positive(candidates); bits(got) != bits(want) {
				t.Fatalf("candidates:\ngot  %+v\nwant %+v", got, want)
			}
			stored, err := s.Evaluations(ctx, run.ID, block)
			must(t, err)
			for _, e := range evaluations {
				if bits(stored[e.Candidate]) != bits(positive(e)) {
					t.Fatalf("evaluation:\ngot  %+v\nwant %+v", stored[e.Candidate], e)
				}
			}
			outcomes, err := s.Games(ctx, run.ID, block)
			must(t, err)
			if !reflect.DeepEqual(outcomes, games) {
				t.Fatalf("games:\ngot  %+v\nwant %+v", outcomes, games)
			}
			sameSums(t, s.Reader(), evaluations)
			sum, err := s.Reader().Fingerprint(ctx, run.ID)
			must(t, err)
			if sum != before.Fingerprint {
				t.Fatalf("the fingerprint is %s, was %s", sum, before.Fingerprint)
			}
			must(t, s.Close())
			s, err = Open(path)
			must(t, err)
		}
	})
}

// sameSums holds the views' sums against the evaluations.
func sameSums(t *testing.T, r *Reader, evaluations []experiments.Evaluation) {
	t.Helper()
	var games, moves, nodes, reached int64
	for _, e := range evaluations {
		games += int64(e.Score.N)
		moves += e.Moves
		nodes += e.Nodes
		for _, n := range e.Reached {
			reached += int64(n)
		}
	}
	for query, want := range map[string][]any{
		"SELECT sum(games), sum(moves), sum(nodes), count(*) FROM pooled":     {games, moves, nodes, int64(len(evaluations))},
		"SELECT sum(games), count(*), max(rank) FROM leaderboard":             {games, int64(len(evaluations)), int64(len(evaluations))},
		"SELECT coalesce(sum(reached), 0), count(*) FROM tile_rates":          {reached, int64(len(evaluations) * len(experiments.Tiles))},
		"SELECT games, candidates FROM progress":                              {games, int64(len(evaluations))},
		"SELECT count(*) FROM weights WHERE typeof(value) <> 'real'":          {int64(0)},
		"SELECT count(*) FROM leaderboard WHERE json_valid(weights) IS NOT 1": {int64(0)},
	} {
		var got []any
		must(t, r.Query(context.Background(), query, func([]string) error { return nil }, func(row []any) error {
			got = append(got, row...)
			return nil
		}))
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: got %v, want %v", query, got, want)
		}
	}
}

// positive returns a copy with 0 for -0 wherever it is stored as a number.
func positive[T any](v T) T {
	var walk func(reflect.Value) reflect.Value
	walk = func(v reflect.Value) reflect.Value {
		c := reflect.New(v.Type()).Elem()
		switch v.Kind() {
		case reflect.Float64:
			c.SetFloat(v.Float() + 0)
		case reflect.Struct:
			for i := range v.NumField() {
				c.Field(i).Set(walk(v.Field(i)))
			}
		case reflect.Slice:
			for i := range v.Len() {
				c.Set(reflect.Append(c, walk(v.Index(i))))
			}
		default:
			c.Set(v)
		}
		return c
	}
	c := walk(reflect.ValueOf(v)).Interface()
	if all, isList := c.([]experiments.Candidate); isList { // dead is stored as text, sign and all
		for i := range all {
			all[i].Dead = any(v).([]experiments.Candidate)[i].Dead
		}
	}
	return c.(T)
}

// FuzzFile: a database file with any bytes changed is refused, or answers with figures or errors; it is never a panic or
// an endless loop. The changes are triples of position (4 bytes, little endian), and value.
func FuzzFile(f *testing.F) {
	text, err := os.ReadFile(whole(f))
	must(f, err)
	schema := bytes.Index(text, []byte("CREATE TABLE"))
	for _, at := range []int{16, 20, 24, 28, 32, 44, 56, 60, 68, 100, 103, 105, 108, schema - 3, schema + 20, 4096, 4099, 4101, 8192, 8195, 20480, 40960, len(text) - 20} {
		change := binary.LittleEndian.AppendUint32(nil, uint32(at))
		f.Add(append(change, 0xff), uint32(0))
		f.Add(append(change, 0x02), uint32(0))
	}
	f.Add([]byte{}, uint32(5000))
	f.Add([]byte{}, uint32(99))
	f.Fuzz(func(t *testing.T, changes []byte, cut uint32) {
		damaged := bytes.Clone(text)
		for ; len(changes) >= 5; changes = changes[5:] {
			damaged[int(binary.LittleEndian.Uint32(changes))%len(damaged)] = changes[4]
		}
		damaged = damaged[:len(damaged)-int(cut)%len(damaged)]
		path := filepath.Join(memory(t), "tune.db")
		must(t, os.WriteFile(path, damaged, 0o644))
		ctx := context.Background()
		useAll(ctx, path)
		s, err := Open(path)
		if err != nil {
			if after, _ := os.ReadFile(path); !bytes.Equal(after, damaged) {
				t.Error("what was refused was changed")
			}
			return
		}
		defer s.Close()
		run, err := s.Begin(ctx, spec("snake", "a"))
		if err != nil {
			return
		}
		s.Candidates(ctx, run.ID)
		s.AddCandidates(ctx, run.ID, []experiments.Candidate{{Number: 100}})
		s.Finish(ctx, run.ID, experiments.Failed)
	})
}
