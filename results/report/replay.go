package report

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"tune2048/engine"
	"tune2048/results"
)

// Record is a game move by move: the board before the first move, and the data to draw each move.
type Record struct {
	Start [16]int `json:"start"` // faces, row by row
	// Moves has a byte for each move, base64. Bits 0-1 are the direction (up, down, left, right),
	// bits 2-5 the cell of the tile that spawned after it (row by row). Bit 6 is set if that is a
	// 4, bit 7 if nothing spawned, since the game was capped.
	Moves  string `json:"moves"`
	Values string `json:"values"` // base64 of little-endian float32s: four a move, NaN if illegal
}

// Play plays a stored game again and returns it move by move, with the search's value of each
// direction. That takes as long as the game took the first time. A game that does not end as it is
// stored is an error, and so is a game of another run.
func Play(ctx context.Context, reader *results.Reader, run results.Run, game int64) (Record, error) {
	stored, err := reader.Replay(ctx, game)
	if err != nil {
		return Record{}, err
	}
	if stored.Run.ID != run.ID {
		return Record{}, fmt.Errorf("%w: game %d is one of run %s, not of run %s", results.ErrNotFound, game,
			stored.Run.Name,
			run.Name)
	}
	defer stored.Player.StopWith(ctx)()
	tape := &tape{Expectimax: stored.Player}
	played := engine.Play(stored.Rules, stored.Game.Seed, tape, func(engine.Step) bool { return ctx.Err() == nil })
	if err := ctx.Err(); err != nil {
		return Record{}, err
	}
	played.Nodes = stored.Game.Nodes // the game searched for the best move alone
	if err := stored.Check(played); err != nil {
		return Record{}, err
	}
	return tape.record(played), nil
}

// A byte of Record.Moves, beside the direction.
const (
	cellShift   = 2
	spawnedFour = 1 << 6
	spawnedNone = 1 << 7
)

// tape is a player that records its game.
type tape struct {
	*engine.Expectimax
	start  [16]int
	after  engine.Board // the afterstate of the last move
	moves  []byte
	values []byte
}

// Choose implements engine.Player.
func (t *tape) Choose(b engine.Board) (engine.Move, int64) {
	d := t.Search(b)
	t.move(b, d)
	return d.Best, d.Nodes
}

// move records a decision on a board.
func (t *tape) move(b engine.Board, d engine.Decision) {
	if len(t.moves) == 0 {
		t.start = rowByRow(b)
	} else {
		t.spawned(b)
	}
	t.after, _, _, _ = b.Slide(d.Best)
	t.moves = append(t.moves, byte(d.Best))
	for m, v := range d.Values {
		if !d.Legal[m] {
			v = math.NaN()
		}
		t.values = binary.LittleEndian.AppendUint32(t.values, math.Float32bits(float32(v)))
	}
}

// rowByRow returns the faces of a board in one list.
func rowByRow(b engine.Board) (all [16]int) {
	for i, row := range b.Faces() {
		copy(all[4*i:], row[:])
	}
	return all
}

// spawned records the tile that followed the last move.
func (t *tape) spawned(b engine.Board) {
	tile := uint64(b ^ t.after)
	cell := bits.TrailingZeros64(tile) / 4
	last := &t.moves[len(t.moves)-1]
	*last |= byte(cell) << cellShift
	if tile>>(4*cell) == 2 {
		*last |= spawnedFour
	}
}

func (t *tape) record(played engine.Result) Record {
	switch {
	case len(t.moves) == 0:
	case played.Capped:
		t.moves[len(t.moves)-1] |= spawnedNone
	default:
		t.spawned(played.Final)
	}
	return Record{
		Start: t.start, Moves: base64.StdEncoding.EncodeToString(t.moves),
		Values: base64.StdEncoding.EncodeToString(t.values),
	}
}
