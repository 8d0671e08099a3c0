package experiments

import (
	"slices"
	"time"
)

// Progress is how far a run is. It is a copy: what it points to is not changed later.
type Progress struct {
	Run         Run
	Phase       string
	Stage       string
	Search      string
	Generation  int  // of the stage, from 0
	Generations int  // that ended, in the whole run
	replaying   bool // what an earlier process did

	Centre *Centre // at the last look, maybe of an earlier stage; nil before the first one, and once the verdicts are known

	Done   int64         // games of the plan that are done
	Reused int64         // of those, that were not played for it
	Plan   []PlannedPart // nobody changes it
	Part   int           // of the plan, at hand
	Left   int64         // games of this part that are likely to come
	Ask    int           // of a comparison: the number of the question about these players, from 1
	Look   int           // the interim look that is played for, from 1
	Looks  int           // at most
	Last   time.Duration // of the game just played; 0 if none was
	LastAt string        // its search
	LastBy Candidate     // who played it

	LastNodes int64 // that it searched; of a bot 0
	LastMoves int
}

func newProgress(plan []PlannedPart, run Run) Progress {
	return Progress{Run: run, replaying: run.Resumed, Plan: plan, Left: plan[0].Expected}
}

// enter notes the block that begins, its games that are reused, and whether an
// earlier process finished it. With the first block of a part of the plan, the parts before it have
// ended.
func (p *Progress) enter(b Block, reused int, finished bool) {
	p.replaying = p.replaying && finished
	p.Phase, p.Stage, p.Search, p.Generation, p.Last = b.Phase, b.Stage, b.Search, b.Generation, 0
	if p.Phase == PhaseCentre { // a look is a part of its stage
		p.Phase = PhaseTuning
	}
	part := slices.IndexFunc(p.Plan, func(part PlannedPart) bool {
		return part.Phase == p.Phase && part.Stage == b.Stage && part.Search == b.Search
	})
	if part != p.Part {
		p.Part, p.Left = part, p.Plan[part].Expected
	}
	p.Reused += int64(reused)
	p.done(int64(reused))
}

// addGame notes a game.
func (p *Progress) addGame(g Game, by Candidate) {
	p.done(1)
	p.Last, p.LastAt, p.LastBy = g.Duration, g.Search, by
	p.LastNodes, p.LastMoves = g.Nodes, g.Moves
}

func (p *Progress) done(games int64) {
	p.Done += games
	p.Left = max(0, p.Left-games)
}

// report calls the observer.
func (s *session) report() {
	if s.observe != nil {
		s.observe(s.progress)
	}
}
