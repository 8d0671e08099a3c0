package experiments

import "tune2048/experiments/fitness"

// Fold adds up a run's evaluations, in the order of their first games: the standings of each phase,
// stage and search, and the generations of tuning, both in the order of play.
func Fold(objective fitness.Objective, evaluations []Evaluation) (totals []*Standings, generations []Generation) {
	at := map[Place]*Standings{} // by phase, stage and search
	var measured *Standings      // of the generation at hand
	for begin, end := 0, 0; begin < len(evaluations); begin = end {
		first := evaluations[begin]
		for end = begin; end < len(evaluations) && evaluations[end].block() == first.block() && evaluations[end].Round == first.Round; end++ {
		}
		block := evaluations[begin:end]
		place := Place{Phase: first.Phase, Stage: first.Stage, Search: first.Search}
		if at[place] == nil {
			at[place] = NewStandings(objective)
			at[place].Place = first.Place
			totals = append(totals, at[place])
		}
		at[place].add(block...)
		if first.Phase != PhaseTuning {
			continue
		}
		if measured == nil {
			measured = NewStandings(objective)
		}
		if measured.add(block...); end == len(evaluations) || evaluations[end].block() != first.block() {
			generations = append(generations, generationOf(first.Stage, first.Search, first.Generation, measured))
			measured = nil
		}
	}
	return totals, generations
}
