package report

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"tune2048/engine"
	"tune2048/engine/plain"
	"tune2048/results"
)

// small is an experiment whose games a test plays again, with as many 4s as 2s.
const small = `
name: small
game: {four_probability: 0.5}
heuristic:
  dead: 0
  features: [{feature: empty, weight: {min: 0, max: 3000, start: 270}}, {feature: sum, tile: rank, power: 2, weight: -10}]
search: {depth: 2}
optimizer: {algorithm: genetic, population: 4}
stages: [{name: tune, generations: 2, games: 2}]
playoff: {finalists: 2, games: 4}
validation: {games: 4, search: [{depth: 3}, {depth: 5}]}
`

// smallValue is its heuristic at the start weights, by the slow code.
var smallValue = plain.Family([]plain.Feature{
	{Kind: "empty", Tile: "rank", Power: 1, Weight: 270}, {Kind: "sum", Tile: "rank", Power: 2, Weight: -10},
}, false)

// played returns a database with a finished run of the config.
func played(t *testing.T, config string) (*results.Reader, results.Run) {
	t.Helper()
	reader := opened(t, play(t, config, nil))
	run := sure(reader.Find(context.Background(), "small"))(t)
	return reader, run
}

// sure returns the value of a call that must not fail.
func sure[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		must(t, err)
		return value
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// recorded is a move of a record, decoded.
type recorded struct {
	direction string
	cell      int
	tile      int // 0: none spawned
	values    map[string]float64
}

// decode reads a record as report.go describes it, without the code that wrote it.
func decode(t *testing.T, r Record) (_ plain.Board, moves []recorded) {
	t.Helper()
	packed := sure(base64.StdEncoding.DecodeString(r.Boards))(t)
	board := func(at int) (b plain.Board) {
		for cell := range 16 {
			if rank := packed[8*at+cell/2] >> (4 * (cell % 2)) & 15; rank > 0 {
				b[cell/4][cell%4] = 1 << rank
			}
		}
		return b
	}
	codes := sure(base64.StdEncoding.DecodeString(r.Moves))(t)
	bytes := sure(base64.StdEncoding.DecodeString(r.Values))(t)
	if len(bytes) != 16*len(codes) || len(packed) != 8*len(codes)+8 {
		t.Fatalf("%d moves have %d bytes of values and %d of boards", len(codes), len(bytes), len(packed))
	}
	for i, code := range codes {
		m := recorded{direction: plain.Directions[code], values: map[string]float64{}}
		after, _ := plain.Slide(board(i), m.direction)
		next := board(i + 1)
		for cell := range 16 {
			if was, is := after[cell/4][cell%4], next[cell/4][cell%4]; was == 0 && is != 0 && m.tile == 0 {
				m.cell, m.tile = cell, is
			} else if was != is {
				t.Fatalf("move %d: %v follows %v", i, next, after)
			}
		}
		if m.tile == 0 {
			t.Fatalf("move %d: %v follows %v", i, next, after)
		}
		for k, d := range plain.Directions {
			v := math.Float32frombits(binary.LittleEndian.Uint32(bytes[16*i+4*k:]))
			if v == v {
				m.values[d] = float64(v)
			}
		}
		moves = append(moves, m)
	}
	return board(0), moves
}

// follow plays the moves by the slow rules, and looks at each.
func follow(t *testing.T, b plain.Board, moves []recorded, look func(b plain.Board, m recorded)) (final plain.Board,
	score int) {
	t.Helper()
	for i, m := range moves {
		for _, d := range plain.Directions {
			after, _ := plain.Slide(b, d)
			v, legal := m.values[d]
			if legal != (after != b) || legal && v > m.values[m.direction] {
				t.Fatalf("move %d on %v plays %s: %s is worth %v (%v)", i, b, m.direction, d, v, legal)
			}
		}
		if look != nil {
			look(b, m)
		}
		after, points := plain.Slide(b, m.direction)
		score += points
		row, column := m.cell/4, m.cell%4
		if m.tile > 0 {
			if after[row][column] != 0 {
				t.Fatalf("move %d: a tile spawns on another one", i)
			}
			after[row][column] = m.tile
		}
		b = after
	}
	return b, score
}

// TestPlay plays the stored games of a run again: each record ends on the stored board and score by
// the slow rules, and its values equal the slow search's.
func TestPlay(t *testing.T) {
	reader, run := played(t, small)
	games, spawns, compared := 0, map[int]int{}, 0
	ids := []int64{}
	must(t, reader.Query(context.Background(), "SELECT id FROM games", func([]string) error { return nil },
		func(row []any) error {
			ids = append(ids, row[0].(int64))
			return nil
		}))
	for _, id := range ids {
		g := sure(reader.Replay(context.Background(), id))(t).Game
		record := sure(Play(context.Background(), reader, run, id))(t)
		start, moves := decode(t, record)
		final, score := follow(t, start, moves, func(b plain.Board, m recorded) {
			spawns[m.tile]++
			if g.Candidate != 0 || g.Search != "depth 3" || plain.Largest(b) < 32 || compared == 20 {
				return
			}
			compared++
			for d, want := range (plain.Search{Value: smallValue, Four: 0.5}).Moves(b, 3) {
				if math.Abs(m.values[d]-want) > 1e-5*math.Abs(want) {
					t.Errorf("board %v, %s: got %v, want %v", b, d, m.values[d], want)
				}
			}
		})
		if final != plain.Board(g.Final.Faces()) || float64(score) != g.Score || len(moves) != g.Moves {
			t.Errorf("game %d ends on %v with %d points after %d moves, want %v, %v, %d", id, final, score, len(moves),
				g.Final.Faces(), g.Score, g.Moves)
		}
		games++
	}
	if total := spawns[2] + spawns[4]; games < 20 || spawns[4] < total/3 || spawns[2] < total/3 || compared < 20 {
		t.Errorf("%d games with spawns %v, %d boards compared: too few to tell", games, spawns, compared)
	}
}

// TestPlayRefuses: a game of another run, one that there is not, one that ends otherwise than it is
// stored, and an interruption.
func TestPlayRefuses(t *testing.T) {
	reader, run := played(t, small)
	ctx, id := context.Background(), results.GameID(1, 1, 0) // of its search
	other := run
	other.ID++
	if _, err := Play(ctx, reader, other, id); !errors.Is(err, results.ErrNotFound) {
		t.Errorf("a game of another run: %v", err)
	}
	if _, err := Play(ctx, reader, run, results.GameID(1, 99999, 0)); !errors.Is(err, results.ErrNotFound) {
		t.Errorf("no such game: %v", err)
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := Play(stopped, reader, run, id); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	stored := sure(reader.Replay(ctx, id))(t)
	result := engine.Play(stored.Rules, stored.Game.Seed, stored.Player, nil)
	must(t, stored.Check(result))
	result.Score += 4
	stored.Run.Signature = "0123456789abcdef"
	want := fmt.Sprintf("played {Score:%v ", result.Score)
	if err := stored.Check(result); err == nil || !strings.Contains(err.Error(), want) ||
		!strings.Contains(err.Error(), ": run small was played by an engine with signature 0123456789abcdef") {
		t.Errorf("another engine's game: %v", err)
	}
}
