package report

import (
	"context"
	"fmt"
	"time"

	"tune2048/experiments"
)

// machines lists the workers that played games of the run.
func (b *builder) machines(ctx context.Context, m *Made) error {
	m.Machines = []Machine{}
	workers, err := b.Workers(ctx, b.run.ID)
	if err != nil {
		return err
	}
	var games int64
	for _, w := range workers {
		games += w.Games
	}
	all := max(1, games, b.run.Games) // the counts of a run under way are of different moments
	for _, w := range workers {
		seen := w.LastSeen.UTC().Format(time.RFC3339)
		one := Machine{w.Name, w.Cores, w.Version, w.Games, float64(w.Games) / float64(all), w.Speed, seen, moment(seen)}
		if State(b.run) == experiments.Running {
			one.Seen = fmt.Sprintf("%s ago", Duration(max(0, b.run.Updated.Sub(w.LastSeen))))
		}
		m.Machines = append(m.Machines, one)
	}
	return nil
}
