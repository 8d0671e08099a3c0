package experiments

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// mending takes games out of a run that a worker has told wrong. Nobody knows which these are but by playing all of that worker's
// games of the run again, elsewhere. The run then goes back to before the first that differs, and is carried out again from there:
// later games may have been asked for because of it.
type mending struct {
	Experiment
	run      Run          // as the next attempt begins with it
	open     []*Untrusted // whose games have not been played again yet
	known    []string     // names of all that were cut off
	progress Progress     // of the last attempt
	readBack int64        // games that earlier processes had recorded, of those that are still there
}

// resume takes up what an earlier process was killed in.
func (m *mending) resume(ctx context.Context) error {
	if m.Archive == nil || !m.run.Resumed || m.run.Status == Finished {
		return nil
	}
	workers, err := m.Archive.Workers(ctx, m.run.ID)
	for _, w := range workers {
		if w.CutOff != "" && w.FirstGame >= 0 {
			m.suspect(&Untrusted{Worker: w.Name, Reason: w.CutOff})
		}
	}
	if err != nil || len(m.open) == 0 {
		return err
	}
	return m.replace(ctx)
}

// mend takes the games of a worker out that an attempt to carry the run out has failed for. Any other error it returns as it is.
func (m *mending) mend(ctx context.Context, s *state, failed error) error {
	var u *Untrusted
	if !errors.As(failed, &u) || m.Archive == nil || slices.Contains(m.known, u.Worker) {
		return failed
	}
	m.run, m.progress, m.readBack = s.run, s.progress, min(m.readBack, s.progress.ReadBack)
	m.run.Resumed, m.progress.Last = true, 0
	m.suspect(u)
	return m.replace(ctx)
}

func (m *mending) suspect(u *Untrusted) {
	m.open, m.known = append(m.open, u), append(m.known, u.Worker)
	m.warn(fmt.Sprintf("%v; its games of this run are played again elsewhere", u))
}

func (m *mending) warn(text string) {
	m.progress.Warnings = append(slices.Clip(m.progress.Warnings), text) // observers may hold the old list
	if m.Observe != nil {
		m.Observe(m.progress)
	}
}

// replace plays the games again of all that are suspected, and rewinds the run if one of them differs.
func (m *mending) replace(ctx context.Context) error {
	// This is recorded first, so that it is done in the end, whatever becomes of this process. It also commits what was held back.
	for _, u := range m.open {
		if err := m.Store.CutOff(ctx, m.run.ID, u.Worker, u.Reason, false); err != nil {
			return err
		}
	}
	var names []string
	for _, u := range m.open {
		names = append(names, u.Worker)
	}
	found, err := Verification{
		Replayer: ReplayExperiment(m.Config, m.run.HeldOutSalt), Run: m.run.ID, Archive: m.Archive, Simulator: m.Simulator, Share: 1, Workers: names, First: true,
	}.Verify(ctx)
	var another *Untrusted
	switch {
	case errors.As(err, &another) && !slices.Contains(m.known, another.Worker):
		m.suspect(another) // of these very games
		return m.replace(ctx)
	case err != nil:
		return err
	}
	first := int64(math.MaxInt64)
	for _, d := range found.Differences {
		first = min(first, d.Game)
	}
	text := fmt.Sprintf("all %d games that are recorded of %s end as it told", found.Played, strings.Join(names, ", "))
	if len(found.Differences) > 0 {
		forgotten, err := m.Store.Rewind(ctx, m.run.ID, first)
		if err != nil {
			return err
		}
		text = fmt.Sprintf("game %d of the run does not end as %s told: it and what followed from it, %d games in all, are forgotten and played again",
			first, strings.Join(names, ", "), forgotten)
	}
	m.warn(text)
	for _, u := range m.open {
		if err := m.Store.CutOff(ctx, m.run.ID, u.Worker, u.Reason, true); err != nil {
			return err
		}
	}
	m.open = nil
	return nil
}
