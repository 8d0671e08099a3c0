package experiments

import (
	"iter"

	"tune2048/experiments/fitness"
)

// Totals are what a run's evaluations come to. All lists are in the order of play.
type Totals struct {
	Stages      []*Field     // of tuning, by stage and search; only where again is given
	Others      []*Standings // of each other phase and search
	Generations []Generation // of tuning
}

// Fold adds up a run's evaluations, in the order of their numbers within tuning and within each
// other phase. Of tuning those of the generations known are left out: these have the rows of known,
// which Fold takes over. again yields the evaluations of tuning once more, for its fields. Without
// it there are none.
func Fold(objective fitness.Objective, known []Generation, evaluations iter.Seq[Evaluation], again Again) (all Totals) {
	fields, others := map[Place]*Field{}, map[Place]*Standings{}
	all.Generations = known
	var rows stageRows
	var generation []Evaluation // of tuning, at hand
	end := func() {
		if len(generation) == 0 {
			return
		}
		at, played := generation[0].Place, int64(0)
		rows.objective, rows.Cluster = objective, Cluster{}
		if n := len(all.Generations); n > 0 {
			last := all.Generations[n-1]
			played = last.Played
			if last.Stage == at.Stage && last.Search == at.Search {
				rows.Cluster = last.Cluster
			}
		}
		g := rows.row(generation)
		g.Played = played + g.Games
		all.Generations = append(all.Generations, g)
		if again != nil {
			fields[Place{Phase: at.Phase, Stage: at.Stage, Search: at.Search}].putAway()
		}
		generation = generation[:0]
	}
	for e := range evaluations {
		if len(generation) > 0 && generation[0].block() != e.block() {
			end()
		}
		place := Place{Phase: e.Phase, Stage: e.Stage, Search: e.Search}
		if e.Phase == PhaseTuning {
			generation = append(generation, e)
			if again == nil {
				continue
			}
			if fields[place] == nil {
				fields[place] = newField(objective, e.Place, again)
				all.Stages = append(all.Stages, fields[place])
			}
			fields[place].add(e)
			continue
		}
		if others[place] == nil {
			others[place] = NewStandings(objective)
			others[place].Place = e.Place
			all.Others = append(all.Others, others[place])
		}
		others[place].add(e)
	}
	end()
	return all
}
