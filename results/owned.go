package results

import (
	"context"

	"tune2048/experiments"
)

// Limits of the numbering: ids of candidates and games are computed from their owner's, so that
// they are the same whatever else is in the file, and must not overlap or pass 2^53, which is what
// every reader of JSON can carry.
const (
	candidatesPerOwner = experiments.MaxCandidates
	gamesPerOwner      = experiments.MaxGames * sliceGames // by the numbers of its evaluations
	largestSeed        = 1<<53 - 1
)

// owned says which rows an ending has: those of its search with smaller numbers, and its own.
type owned struct {
	ending     int64
	search     int64 // 0: a comparison
	candidates int   // number of its first own candidate; while the tuning goes on a limit that none has
	questions  int   // number of its first own evaluation, likewise
}

const ownedColumns = "id, coalesce(search_id, 0), candidates, questions"

func (o *owned) columns() []any { return []any{&o.ending, &o.search, &o.candidates, &o.questions} }

// readOwned reads what an ending has. An ending that is not there has nothing.
func readOwned(ctx context.Context, q querier, ending int64) (owned, error) {
	var o owned
	err := q.QueryRowContext(ctx, "SELECT "+ownedColumns+" FROM endings WHERE id = ? UNION ALL SELECT ?1, 0, 0, 0",
		ending).Scan(o.columns()...)
	return o, err
}

// run is the id of the run, as the view runs has it.
func (o owned) run() int64 {
	if o.search != 0 {
		return o.search
	}
	return o.ending
}

// ofCandidate returns the owner of the candidate with a number.
func (o owned) ofCandidate(number int) int64 {
	if number < o.candidates {
		return o.search
	}
	return o.ending
}

// ofEvaluation returns the owner of the evaluation with a number.
func (o owned) ofEvaluation(number int) int64 {
	if number < o.questions {
		return o.search
	}
	return o.ending
}

// last is the limit of the numbers of an owner's evaluations.
func (o owned) last(owner int64) int {
	if owner == o.search {
		return o.questions
	}
	return candidatesPerOwner
}

func (o owned) candidateID(number int) int64 { return candidateID(o.ofCandidate(number), number) }

// ids is a range of ids.
type ids struct{ first, last int64 }

// between returns the ids of the candidates with numbers from first to last: the search's, and the
// ending's behind them.
func (o owned) between(first, last int) (all []ids) {
	if first < o.candidates && o.search != 0 {
		all = append(all, ids{candidateID(o.search, first), candidateID(o.search, min(last, o.candidates-1))})
	}
	if last >= o.candidates {
		all = append(all, ids{candidateID(o.ending, max(first, o.candidates)), candidateID(o.ending, last)})
	}
	return all
}

// gameID is the id of a game of an evaluation, by its place in the slice.
func (o owned) gameID(number, place int) int64 {
	return GameID(o.ofEvaluation(number), number, place)
}

// candidateID is the id of an owner's candidate.
func candidateID(owner int64, number int) int64 { return owner*candidatesPerOwner + int64(number) }

// GameID is the id of a game of an owner's evaluation with that number, by its place in the slice.
func GameID(owner int64, number, place int) int64 {
	return owner*gamesPerOwner + int64(number)*sliceGames + int64(place)
}
