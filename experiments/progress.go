package experiments

import (
	"slices"
	"time"

	"tune2048/configs"
	"tune2048/engine/simulator"
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
	Planned  int64         // games of the whole plan at most
	Left     []GamesLeft   // by part of the plan
	Last     time.Duration // of the game just played; 0 if none was
	LastAt   string        // its search

	phases []string // by part of the plan
	part   int
}

// GamesLeft is how many games are left of a part of the plan.
type GamesLeft struct {
	Search string
	Games  int64
}

func newProgress(c *configs.Config, run Run) Progress {
	p := Progress{Run: run, Replaying: run.Resumed}
	for _, b := range Plan(c) {
		p.Planned += b.Games
		p.Left = append(p.Left, GamesLeft{b.Search, b.Games})
		p.phases = append(p.phases, b.Phase)
	}
	return p
}

// begin notes that a part of the plan begins: what is left of the parts before will not be played.
func (p *Progress) begin(part int) {
	p.part, p.Learned, p.Start = part, Generation{}, nil
	p.Left = slices.Clone(p.Left) // observers may hold the old one
	for i := range p.Left[:part] {
		p.Left[i].Games = 0
	}
}

// beginPhase notes that the phase begins, which is one part of the plan.
func (p *Progress) beginPhase(phase string) { p.begin(slices.Index(p.phases, phase)) }

// enter notes the block that begins.
func (p *Progress) enter(b Block) {
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
func (p *Progress) played(search string, o simulator.Outcome) {
	p.done(1)
	p.Last, p.LastAt = o.Duration, search
}

func (p *Progress) done(games int64) {
	p.Done += games
	p.Left = slices.Clone(p.Left)
	left := &p.Left[p.part].Games
	*left = max(0, *left-games)
}

// learn notes a generation that was told.
func (p *Progress) learn(g Generation, start *Standing) {
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
