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
		at       = map[Place]*Total{}
		last     = map[*Total]map[int]Standing{}
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
		place := Place{Phase: b.Phase, Stage: b.Stage, Search: b.Search}
		t := at[place]
		if t == nil {
			t = &Total{Phase: b.Phase, Stage: b.Stage, Search: b.Search, First: first.Game}
			at[place], last[t], totals = t, map[int]Standing{}, append(totals, t)
		}
		all := blocks.standingsAt(b.Phase, b.Stage, b.Search)
		for _, s := range all.list(all.take(b, played)) {
			last[t][s.Candidate] = s
		}
		t.Spread = all.spread()
		if b.Phase == PhaseTuning {
			if measured[first.block()] == nil {
				measured[first.block()] = newStandings(objective)
				order = append(order, first.block())
			}
			measured[first.block()].add(played...)
		}
	}
	for t, standings := range last {
		for _, number := range sortedKeys(standings) {
			t.Standings = append(t.Standings, standings[number])
		}
	}
	for _, p := range order {
		generations = append(generations, generationOf(p.Stage, p.Search, p.Generation, measured[p]))
	}
	return totals, generations
}
