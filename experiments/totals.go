package experiments

import "tune2048/tuner/fitness"

// Total has the rows that a run recorded of a phase, stage and search, beside its evaluations.
type Total struct {
	Phase, Stage, Search string
	First                int64      // number of its first game
	Standings            []Standing // as last recorded, by number
	Spread               float64    // see BlockResult
}

// Totals computes again, from a run's evaluations in the order of their first games, the rows that
// the run recorded with them.
func Totals(objective fitness.Objective, evaluations []Evaluation) (totals []*Total, generations []Generation) {
	var (
		blocks   = blockPlayer{objective: objective}
		stands   []*standings             // of the totals
		measured = map[Place]*standings{} // by generation
		order    []Place                  // of these
	)
	for len(evaluations) > 0 {
		first := evaluations[0]
		b := Block{Phase: first.Phase, Stage: first.Stage, Search: first.Search, Generation: first.Generation, Round: first.Round}
		for _, e := range evaluations {
			if e.block() != first.block() || e.Round != first.Round {
				break
			}
			b.Candidates = append(b.Candidates, e.Candidate)
		}
		played := evaluations[:len(b.Candidates)]
		evaluations = evaluations[len(played):]
		all := blocks.standingsAt(b.Phase, b.Stage, b.Search)
		if len(all.of) == 0 {
			stands = append(stands, all)
			totals = append(totals, &Total{Phase: b.Phase, Stage: b.Stage, Search: b.Search, First: first.Game})
		}
		all.take(b, played)
		if b.Phase == PhaseTuning {
			if measured[first.block()] == nil {
				measured[first.block()] = newStandings(objective)
				order = append(order, first.block())
			}
			measured[first.block()].add(played...)
		}
	}
	for i, all := range stands {
		totals[i].Standings, totals[i].Spread = all.list(sortedKeys(all.of)), all.spread()
	}
	for _, p := range order {
		generations = append(generations, generationOf(p.Stage, p.Search, p.Generation, measured[p]))
	}
	return totals, generations
}
