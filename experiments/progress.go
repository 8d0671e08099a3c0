package experiments

import (
	"math"
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
	Generation       int // of the stage, from 0
	Generations      int // told in the whole run so far
	StageGenerations int // at most
	Replaying        bool

	HasFitness bool
	Best, Mean float64 // fitness of the last generation told
	Leader     Leader  // by the lower bound

	Done     int64         // games of the plan that are done
	ReadBack int64         // of those, read back from the store
	Planned  int64         // games of the whole plan at most
	Left     []GamesLeft   // by part of the plan
	Last     time.Duration // of the game just played; 0 if none was
	LastAt   string        // its search

	part int // of the plan
}

// Leader is the candidate that leads a stage by the lower bound of its fitness.
type Leader struct {
	Number  int
	Games   int
	Fitness float64
	SE      float64 // of Fitness
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
	}
	return p
}

// begin notes that a part of the plan begins: what is left of the parts before will not be played.
func (p *Progress) begin(part int) {
	p.part = part
	p.Left = slices.Clone(p.Left) // observers may hold the old one
	for i := range p.Left[:part] {
		p.Left[i].Games = 0
	}
}

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

// lead notes who leads.
func (p *Progress) lead(s *Standing) {
	p.Leader, p.HasFitness = Leader{Number: s.Candidate, Games: s.Score.N, Fitness: s.Fitness, SE: math.Sqrt(s.variance)}, true
}

// report tells the observer.
func (s *state) report() {
	if s.Observe != nil {
		s.Observe(s.progress)
	}
}
