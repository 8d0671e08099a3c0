package report

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"

	"tune2048/engine"
	"tune2048/results"
)

// Record is a game move by move, in base64.
type Record struct {
	// Boards has the board before each move and the last one: 16 ranks of 4 bits, row by row, the
	// low half of a byte first. A 65536, with which a game ends, is a 32768.
	Boards string `json:"boards"`
	Moves  string `json:"moves"`  // a byte a move: up, down, left, right
	Values string `json:"values"` // little-endian float32s: four a move, NaN if illegal
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
	tape := &tape{Searcher: stored.Player}
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

// tape is a player that records its game.
type tape struct {
	*engine.Searcher
	boards, moves, values []byte
}

// Choose implements engine.Player.
func (t *tape) Choose(b engine.Board) (engine.Move, int64) {
	d := t.Search(b)
	t.move(b, d)
	return d.Best, d.Nodes
}

// move records a decision on a board.
func (t *tape) move(b engine.Board, d engine.Decision) {
	t.boards = binary.LittleEndian.AppendUint64(t.boards, uint64(b))
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

// record returns the game with its last board.
func (t *tape) record(played engine.Result) Record {
	text := base64.StdEncoding.EncodeToString
	return Record{text(binary.LittleEndian.AppendUint64(t.boards, uint64(played.Final))), text(t.moves), text(t.values)}
}
