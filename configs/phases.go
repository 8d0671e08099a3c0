package configs

import (
	"fmt"

	"tune2048/engine"
)

const (
	maxStages      = 32
	maxValidations = 16
	maxGenerations = 1_000_000
	maxGames       = 10_000_000
	maxRounds      = 100
	maxRestarts    = 100
)

// stages reads the stages of the tuning phase.
func (v value) stages(search engine.Settings) []Stage {
	items, ok := v.items("stages", 1, maxStages)
	if !ok {
		return nil
	}
	var stages []Stage
	first := map[string]value{}
	for i, item := range items {
		f, ok := item.fields("name", "search", "generations", "games", "rounds", "max_games")
		if !ok {
			continue
		}
		stage := defaultStage(fmt.Sprintf("stage-%d", i+1), search)
		f.name("name", &stage.Name)
		f.search(&stage.Search)
		f.whole("generations", &stage.Generations, 1, maxGenerations)
		f.whole("games", &stage.Games, 1, maxGames)
		f.rounds(&stage.Rounds, stage.Games)
		f.whole("max_games", &stage.MaxGames, 1, maxGames)
		if other, taken := first[stage.Name]; taken {
			at, named := f.get("name")
			if !named {
				at = item
			}
			at.problem("the name %s is taken by %s: want a name of its own", stage.Name, other.key)
		} else {
			first[stage.Name] = item
		}
		stages = append(stages, stage)
	}
	return stages
}

// search reads the settings of a search into place if they are given and right.
func (f fields) search(place *engine.Settings) {
	if v, ok := f.get("search"); ok {
		if s, ok := v.search(); ok {
			*place = s
		}
	}
}

// rounds reads the rounds in which games are dealt; the default is made to fit.
func (f fields) rounds(place *int, games int) {
	*place = min(*place, games)
	f.whole("rounds", place, 1, min(games, maxRounds))
}

// playoff reads the playoff.
func (v value) playoff(p *Playoff) {
	if f, ok := v.fields("finalists", "games", "rounds", "search"); ok {
		f.whole("finalists", &p.Finalists, 1, maxPopulation)
		f.whole("games", &p.Games, 1, maxGames)
		f.rounds(&p.Rounds, p.Games)
		f.search(&p.Search)
	}
}

// sensitivity reads the phase that moves one number at a time.
func (v value) sensitivity(p *Sensitivity) {
	if f, ok := v.fields("games", "step", "search"); ok {
		f.whole("games", &p.Games, 0, maxGames)
		if games, given := f.get("games"); given && p.Games == 1 {
			games.problem("want 0 for none, or at least 2, got 1")
		}
		f.within("step", &p.Step, interval{low: 0, high: 0.5, lowOut: true})
		f.search(&p.Search)
	}
}

// validation reads the validation; its search may be one or a list.
func (v value) validation(p *Validation) {
	f, ok := v.fields("games", "search")
	if !ok {
		return
	}
	f.whole("games", &p.Games, 2, maxGames)
	given, ok := f.get("search")
	if !ok {
		return
	}
	searches := []value{given}
	if !given.isMapping() {
		if searches, ok = given.items("searches", 1, maxValidations); !ok {
			return
		}
	}
	p.Search = nil
	first := map[string]value{}
	for _, search := range searches {
		s, ok := search.search()
		if !ok {
			continue
		}
		if other, twice := first[s.String()]; twice {
			search.problem("the same settings as %s (%s): want each once", other.key, s)
			continue
		}
		first[s.String()] = search
		p.Search = append(p.Search, s)
	}
}

// objective reads mean_score, mean_log_score, {reach: TILE} or {quantile: Q}.
func (v value) objective(o *Objective) {
	if !v.isMapping() {
		if v.isText() && (v.node.Value == Reach || v.node.Value == Quantile) {
			v.problem("%s wants a number: {reach: 2048} or {quantile: 0.25}", v.node.Value)
			return
		}
		if kind, ok := v.choice(MeanScore, MeanLogScore, "{reach: 2048}", "{quantile: 0.25}"); ok {
			*o = Objective{Kind: kind}
		}
		return
	}
	f, ok := v.fields(Reach, Quantile)
	if !ok {
		return
	}
	switch kind, _ := f.exactlyOne(Reach, Quantile); kind {
	case Reach:
		tile, _ := f.get(Reach)
		const least, most = 4, 2 << engine.MaxRank
		if face, ok := tile.whole(least, most); ok {
			if face&(face-1) != 0 {
				tile.problem("want a tile, a power of two from %d to %d, got %d", least, most, face)
			}
			*o = Objective{Kind: Reach, Tile: int(face)}
		}
	case Quantile:
		*o = Objective{Kind: Quantile}
		f.within(Quantile, &o.Q, interval{low: 0, high: 1, lowOut: true, highOut: true})
	}
}
