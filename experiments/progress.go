package experiments

import (
	"slices"
	"time"

	"tune2048/configs"
)

// Progress is how far a run is. It is a copy: what it points to is not changed later.
type Progress struct {
	Run              Run
	Phase            string
	Stage            string
	Search           string
	Generation       int // of the stage, from 0; of those played at once the last
	Generations      int // told in the whole run so far
	StageGenerations int // at most
	Replaying        bool

	Learned Generation // the last one of the stage, if Games is not 0
	Start   *Standing  // of the start weights in the stage; nil if they did not play in it

	Done     int64         // games of the plan that are done
	ReadBack int64         // of those, read back from the store
	Plan     []PlannedPart // nobody changes it
	Part     int           // of the plan, at hand
	Left     int64         // games of this part that are likely to come
	Last     time.Duration // of the game just played; 0 if none was
	LastAt   string        // its search
	LastBy   Candidate     // who played it
}

func newProgress(c *configs.Config, run Run) Progress {
	plan := Plan(c)
	return Progress{Run: run, Replaying: run.Resumed, Plan: plan, Left: plan[0].Expected}
}

// begin notes that a part of the plan begins: what is left of the parts before will not be played.
func (p *Progress) begin(part int) {
	p.Part, p.Left, p.Learned, p.Start = part, p.Plan[part].Expected, Generation{}, nil
}

// foresee notes how many games of the part at hand are likely to come.
func (p *Progress) foresee(games int64) { p.Left = games }

// beginPhase notes that the phase begins, which is one part of the plan.
func (p *Progress) beginPhase(phase string) {
	p.begin(slices.IndexFunc(p.Plan, func(b PlannedPart) bool { return b.Phase == phase }))
}

// enter notes the block that begins, and whether an earlier process finished it.
func (p *Progress) enter(b Block, finished bool) {
	p.Replaying = p.Replaying && finished
	p.Phase, p.Stage, p.Search, p.Generation = b.Phase, b.Stage, b.Search, b.Generation
	p.StageGenerations, p.Last = b.generations, 0
}

// replay notes games read back from the store.
func (p *Progress) replay(games int64) {
	p.ReadBack += games
	p.done(games)
	p.Last = 0
}

// played notes a game.
func (p *Progress) played(g Game, by Candidate) {
	p.done(1)
	p.Last, p.LastAt, p.LastBy = g.Duration, g.Search, by
}

func (p *Progress) done(games int64) {
	p.Done += games
	p.Left = max(0, p.Left-games)
}

// learn notes a generation that was told.
func (p *Progress) learn(g Generation, start *Standing) {
	p.Generations++
	p.Learned, p.Start = g, nil
	if start != nil {
		copied := *start
		p.Start = &copied
	}
}

// report tells the observer.
func (s *state) report() {
	if s.Observe != nil {
		s.Observe(s.progress)
	}
}
