package report

import (
	"context"
	"fmt"
	"time"

	"tune2048/experiments"
)

// machines says who has played beside the process that carried the run out, and how far they are to be believed.
func (b *builder) machines(ctx context.Context, m *Made) error {
	m.Machines = []Machine{}
	workers, err := b.Workers(ctx, b.run.ID)
	if err != nil || len(workers) == 0 {
		return err
	}
	var games, audited int64
	for _, w := range workers {
		games, audited = games+w.Games, audited+w.Audited
	}
	all := max(games, b.run.Games+b.run.PlayedAgain) // counts of a run under way are of different moments
	for _, w := range workers {
		seen := w.LastSeen.UTC().Format(time.RFC3339)
		one := Machine{w.Name, w.Cores, w.Version, w.Games, float64(w.Games) / float64(max(1, all)), w.Speed, w.Audited, seen, moment(seen), w.CutOff}
		if State(b.run) == experiments.Running {
			one.Seen = fmt.Sprintf("%s ago", Duration(max(0, b.run.Updated.Sub(w.LastSeen))))
		}
		m.Machines = append(m.Machines, one)
	}
	m.Trust = fmt.Sprintf("of their games %s played a second time on another machine, and came out the same", wasWere(audited))
	var wrong int64
	for _, w := range workers {
		if w.CutOff != "" {
			wrong++
		}
	}
	if wrong > 0 {
		m.Trust += fmt.Sprintf("; %s cut off, having told wrong of a game: all that is recorded of such a machine is played again elsewhere, and %s forgotten for that and played anew",
			wasWere(wrong), wasWere(b.run.PlayedAgain))
	}
	return nil
}

// wasWere is a number with its verb.
func wasWere(n int64) string {
	if n == 1 {
		return "1 was"
	}
	return Grouped(n) + " were"
}
