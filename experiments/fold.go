package experiments

import (
	"iter"

	"tune2048/experiments/fitness"
)

// Fold adds up a run's evaluations, in the order of their numbers: the standings of each phase,
// stage and search, and the generations of tuning, both in the order of play.
func Fold(objective fitness.Objective, evaluations iter.Seq[Evaluation]) (totals []*Standings, rows []Generation) {
	at := map[Place]*Standings{} // by phase, stage and search
	stages := map[Place]*stageRows{}
	var generation []Evaluation // of tuning, at hand
	end := func() {
		if len(generation) > 0 {
			first := generation[0].Place
			place := Place{Stage: first.Stage, Search: first.Search}
			if stages[place] == nil {
				stages[place] = &stageRows{objective: objective}
			}
			rows = append(rows, stages[place].of(generation))
		}
		generation = generation[:0]
	}
	for e := range evaluations {
		if len(generation) > 0 && generation[0].block() != e.block() {
			end()
		}
		place := Place{Phase: e.Phase, Stage: e.Stage, Search: e.Search}
		if at[place] == nil {
			at[place] = NewStandings(objective)
			at[place].Place = e.Place
			totals = append(totals, at[place])
		}
		if at[place].add(e); e.Phase == PhaseTuning {
			generation = append(generation, e)
		}
	}
	end()
	return totals, rows
}
