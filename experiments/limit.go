package experiments

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"tune2048/configs/config"
	"tune2048/engine/simulator"
)

// Limit ends an experiment in time, with -for. It goes by a clock. So what it decides is stored,
// and a replay takes the stored decisions.
//
// A part of the run that has too little time plays fewer seeds of its stream, and all its players
// the same ones. How many is settled before its first game. Later the clock only takes seeds that
// have not begun, the last ones first. A seed that has begun is played to its end and counts, for
// the games that end first are the short ones, which are the bad ones.
type Limit interface {
	// Ends reports whether tuning ends before the next generation.
	Ends(next PlannedPart) bool
	// Fit returns the share of its games that the first of these parts has time for, at most 1. The
	// other parts follow it. From then on Over and Together are of this part.
	Fit(parts []PlannedPart) (share float64)
	// Over reports whether the part at hand has no time for another seed.
	Over() bool
	// Together returns how many seeds of the part at hand begin together where so many players play
	// each. They take little of the limit, or are one.
	Together(players int) int
}

// Size is how many games each player of a part of a run has.
type Size struct {
	Planned int `json:"planned"` // by the config, or where that leaves it out by the cost of the tuning
	Games   int `json:"games"`   // that the limit left, before the first game: rounds and looks go by them
	Played  int `json:"played"`  // seeds that began in time
	// Costs names the engine whose counts of nodes Planned follows from, see simulator.Costs. It is
	// empty where the config has the number.
	Costs string `json:"costs,omitempty"`
}

// Part names the part of a run that a place belongs to: a phase at a search, a generation, or a
// look at its centre.
func (p Place) Part() string {
	switch p.Phase {
	case PhaseTuning:
		return fmt.Sprintf("%s %s %d %s", p.Phase, p.Stage, p.Generation, p.Search)
	case PhaseCentre:
		return fmt.Sprintf("%s %s %d.%d %s", p.Phase, p.Stage, p.Generation, p.Round, p.Search)
	}
	return p.Phase + " " + p.Search
}

// The least games of a player that a limit leaves.
const (
	minPlayoff = 2 // fewer say nothing of the spread
	minHeldOut = 2
	minTuned   = 1
)

// leastOf returns the seeds of a part that are played whatever the time.
func leastOf(phase string) int {
	switch phase {
	case PhasePlayoff:
		return minPlayoff
	case PhaseValidation:
		return minHeldOut
	case PhaseTuning:
		return minTuned
	}
	return 0
}

// settle settles the size of a part after the tuning, before its first game. It returns the games
// of each player: planned, or as many as the limit leaves room for. If these are fewer than least,
// only the games are played that no limit takes.
func (s *state) settle(ctx context.Context, at Place, planned, least int) (games int, err error) {
	size, settled := s.run.Sizes[at.Part()]
	costs := ""
	if s.follows(at) {
		costs = simulator.Costs
		if size.Costs != "" && size.Costs != costs && size.Planned <= maxValidation { // another version counted the nodes
			planned, costs = size.Planned, size.Costs
		}
	}
	if planned == 0 {
		return 0, nil
	}
	part := slices.IndexFunc(s.progress.Plan,
		func(b PlannedPart) bool { return b.Phase == at.Phase && b.Search == at.Search })
	room := 1.0
	if s.Limit != nil && part >= 0 {
		room = s.Limit.Fit(s.progress.Plan[part:])
	}
	always := min(planned, leastOf(at.Phase))
	if !settled {
		games = planned
		if room < 1 {
			games = int(room * float64(planned))
		}
		if games < min(least, planned) {
			games = always
		}
		size = Size{planned, games, games, costs}
	}
	if size.Planned != planned || size.Costs != "" && size.Costs != costs ||
		size.Games > planned || size.Played > size.Games || size.Played < always {
		return 0, s.changed(at, size)
	}
	if part >= 0 && size.Games < planned {
		s.progress.Plan = slices.Clone(s.progress.Plan)
		s.progress.Plan[part].shrink(float64(size.Games) / float64(planned))
	}
	return size.Games, s.setSize(ctx, at, size, nil)
}

// follows reports whether the size of a part follows from the cost of the tuning.
func (s *state) follows(at Place) bool {
	c := s.planner.Config // as it was written
	switch at.Phase {
	case PhasePlayoff:
		return c.Playoff.Games == 0
	case PhaseValidation:
		return c.Validation.Games == 0 && slices.ContainsFunc(c.Validation.Search,
			func(v config.ValidatedSearch) bool { return v.Games == 0 && v.String() == at.Search })
	}
	return c.Ablation.Games == config.AutoGames
}

// shrink takes games from a part of the plan.
func (b *PlannedPart) shrink(share float64) {
	b.Games, b.Expected = int64(float64(b.Games)*share), int64(float64(b.Expected)*share)
}

// setSize records the size of a part, see Store.SetSize.
func (s *session) setSize(ctx context.Context, at Place, size Size, left map[int]int) error {
	s.run.Sizes = maps.Clone(s.run.Sizes)
	if s.run.Sizes == nil {
		s.run.Sizes = map[string]Size{}
	}
	s.run.Sizes[at.Part()] = size
	return s.store.SetSize(ctx, s.run.ID, at, size, left)
}

// inTime returns the games of each candidate of a block that began in time, as far as that is
// known.
func (s *session) inTime(ctx context.Context, b Block) (games int, err error) {
	size, known := s.run.Sizes[b.Part()]
	games = min(b.Games, size.Played-b.First)
	if !known || games == b.Games {
		return b.Games, nil
	}
	if size.Played < leastOf(b.Phase) {
		return 0, s.changed(b.Place, size)
	}
	return max(0, games), s.setSize(ctx, b.Place, size, nil)
}

// changed is the error of a size that no limit leaves.
func (s *session) changed(at Place, size Size) error {
	return fmt.Errorf("resume run %s: its %s has %d games of %d, of which %d began in time: "+
		"it was made by another version or changed by hand; start afresh with -new",
		s.run.Name, at.Part(), size.Games, size.Planned, size.Played)
}

// cut records that a part has no time for the seeds of its stream from end on. Questions about
// these alone are none of the run's: the next ones get their numbers.
func (s *session) cut(ctx context.Context, b Block, questions []Question, end int) error {
	left := map[int]int{} // where games are left out, by the number of a question
	for _, q := range questions {
		if q.First >= end {
			s.asked--
		}
		if q.First+q.Games > end {
			left[q.Number] = max(end, q.First) % SliceGames
		}
	}

	size, known := s.run.Sizes[b.Part()]
	if !known { // of a generation
		size = Size{Planned: b.First + b.Games, Games: b.First + b.Games}
	}
	size.Played = end
	return s.setSize(ctx, b.Place, size, left)
}

// ranOut reports whether a part had no time for the seeds of its stream from here on.
func (s *session) ranOut(at Place, from int) bool {
	size, known := s.run.Sizes[at.Part()]
	return known && size.Played < size.Games && size.Played <= from
}

// never is an index that no stream of seeds reaches.
const never = math.MaxInt
