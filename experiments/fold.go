package experiments

import (
	"iter"

	"tune2048/experiments/fitness"
)

// Totals are what a run's evaluations come to. All lists are in the order of play.
type Totals struct {
	Stages      []*Field     // of tuning, by stage and search
	Others      []*Standings // of each other phase and search
	Generations []Generation // of tuning
}

// Fold adds up a run's evaluations, in the order of their numbers. again yields those of tuning
// once more.
func Fold(objective fitness.Objective, evaluations iter.Seq[Evaluation], again Again) (all Totals) {
	fields, others := map[Place]*Field{}, map[Place]*Standings{}
	stages := map[Place]*stageRows{}
	var generation []Evaluation // of tuning, at hand
	end := func() {
		if len(generation) > 0 {
			first := generation[0].Place
			place := Place{Stage: first.Stage, Search: first.Search}
			if stages[place] == nil {
				stages[place] = &stageRows{objective: objective}
			}
			all.Generations = append(all.Generations, stages[place].of(generation))
			fields[Place{Phase: first.Phase, Stage: first.Stage, Search: first.Search}].putAway()
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
