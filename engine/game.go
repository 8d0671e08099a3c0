package engine

import "fmt"

// Player chooses moves. Choose gets only boards with a legal move and must return a legal one;
// nodes counts the afterstates valued or expanded (0 for players that do not search).
type Player interface {
	Choose(b Board) (m Move, nodes int64)
}

// Greedy is the simplest player: it plays the legal move that wins the most points now, the first
// of equals.
type Greedy struct{}

// Choose implements Player.
func (Greedy) Choose(b Board) (Move, int64) {
	best, most := NoMove, -1
	for _, m := range Moves() {
		if _, reward, legal, _ := b.Slide(m); legal && reward > most {
			best, most = m, reward
		}
	}
	return best, 0
}

// Result is a finished game.
type Result struct {
	Score   float64 // sum of merged tiles, in points, exact; of a bot's own game any finite number
	MaxTile int     // face of the largest tile, 65536 if Capped
	Moves   int     // moves played
	Nodes   int64   // afterstates valued or expanded by the player's searches
	Final   Board   // where it ended; a 65536 shows as a 32768
	Capped  bool    // ended by merging two 32768s; otherwise by a position without a legal move
}

// Check reports whether the figures are those of one finished game from the start.
func (r Result) Check() error {
	// A tile of rank k is worth (k-1) x 2^k points if only twos spawned. Each four takes 4 away.
	spawns, largest, sum, points := r.Moves+2, 1<<r.Final.Largest(), 0, r.Final.Points()
	for _, row := range r.Final.Faces() {
		sum += row[0] + row[1] + row[2] + row[3]
	}
	if r.Capped { // its last move spawned nothing, and one tile of its board is twice as large
		spawns--
		largest *= 2
		sum += 1 << MaxRank
		points += MaxRank<<(MaxRank+1) - (MaxRank-1)<<MaxRank
	}
	fours := sum/2 - spawns
	if r.Moves < 0 || r.Moves > sum || fours < 0 || fours > spawns || r.Score != float64(points-4*fours) ||
		r.MaxTile != largest ||
		r.Nodes < 0 || r.Nodes > 1<<40 || r.Capped && largest != 1<<(MaxRank+1) || !r.Capped && r.Final.HasMove() {
		return fmt.Errorf("no game ends with %v points, a %d, %d moves and %d nodes on board %v", r.Score,
			r.MaxTile, r.Moves, r.Nodes, r.Final)
	}
	return nil
}

// Step is Play's report of a move: the board and score before it, and the move.
type Step struct {
	Board Board
	Score int
	Move  Move
}

// Play plays the game of a seed from its first two spawns to its end. If observe is not nil it gets
// each move before it is played. It may return false to stop: the Result is then the game so far.
func Play(rules Rules, seed uint64, player Player, observe func(Step) bool) Result {
	spawner := NewSpawner(rules, seed)
	r := Result{Final: spawner.Start()}
	for r.Final.HasMove() {
		move, nodes := player.Choose(r.Final)
		if observe != nil && !observe(Step{r.Final, int(r.Score), move}) {
			break
		}
		after, reward, legal, capped := r.Final.Slide(move)
		if !legal {
			panic("engine: player chose the illegal move " + move.String() + " on board " + r.Final.String())
		}
		r.Score += float64(reward)
		r.Moves++
		r.Nodes += nodes
		if capped {
			r.Final, r.Capped, r.MaxTile = after, true, 1<<(MaxRank+1)
			return r
		}
		r.Final = spawner.Spawn(after)
	}
	r.MaxTile = 1 << r.Final.Largest()
	return r
}
