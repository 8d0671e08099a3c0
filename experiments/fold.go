package experiments

import "tune2048/experiments/fitness"

// Fold adds up a run's evaluations, in the order of their first games: the standings of each phase,
// stage and search, and the generations of tuning, both in the order of play.
func Fold(objective fitness.Objective, evaluations []Evaluation) (totals []*Standings, rows []Generation) {
	at := map[Place]*Standings{} // by phase, stage and search
	stages := map[Place]*stageRows{}
	var tuned []Evaluation // of the generation at hand
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
		if stages[place] == nil {
			stages[place] = &stageRows{objective: objective}
		}
		if tuned = append(tuned, block...); end == len(evaluations) || evaluations[end].block() != first.block() {
			rows = append(rows, stages[place].of(tuned))
			tuned = nil
		}
	}
	return totals, rows
}
