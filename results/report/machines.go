package report

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"tune2048/experiments"
)

// Machine is a worker that has played games of the run.
type Machine struct {
	Name      string    `json:"name"`
	Cores     int       `json:"cores"`
	Version   string    `json:"version"`
	Games     int64     `json:"games"`
	Share     float64   `json:"share"` // of the games that were played for the run
	PerSecond float64   `json:"games_per_second"`
	LastSeen  time.Time `json:"last_seen"` // UTC, whole seconds
	Seen      string    `json:"seen"`      // the same for people: of a run that goes on, before it recorded something last
}

func (r Report) machinesTable() Table {
	t := Table{
		Section: "made", Title: "Other machines that played",
		Columns: append(texts("machine", "version", "last seen"), numbers("cores", "games", "share", "games/s")...),
	}
	for _, m := range r.Made.Machines {
		t.Rows = append(t.Rows, []string{m.Name, m.Version, m.Seen, strconv.Itoa(m.Cores), Grouped(m.Games), percent(m.Share), fmt.Sprintf("%.1f", m.PerSecond)})
	}
	return t
}

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
		seen := w.LastSeen.UTC().Truncate(time.Second)
		one := Machine{w.Name, w.Cores, w.Version, w.Games, float64(w.Games) / float64(all), w.Speed, seen, moment(seen)}
		if State(b.run) == experiments.Running {
			one.Seen = fmt.Sprintf("%s ago", Duration(max(0, b.run.Updated.Sub(w.LastSeen))))
		}
		m.Machines = append(m.Machines, one)
	}
	return nil
}
