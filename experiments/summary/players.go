package summary

import (
	"cmp"
	"fmt"
	"slices"

	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// Player has the figures of a candidate in a phase, stage and search.
type Player struct {
	Name      string         `json:"name"` // champion, start weights, the name of a reference or player, or candidate N
	Role      Role           `json:"role"`
	Candidate int            `json:"candidate"` // number
	Search    string         `json:"search"`
	Games     int            `json:"games"`
	Fitness   stats.Estimate `json:"fitness"`
	Score     stats.Estimate `json:"score"`       // the mean, points
	MSPerMove *float64       `json:"ms_per_move"` // as played; null: not known
	Tiles     []TileShare    `json:"tiles"`       // reached, by tile; empty: not known

	Standing *experiments.Standing `json:"-"`
}

// TileShare is how often a tile is reached, with Wilson's interval.
type TileShare struct {
	Tile    int     `json:"tile"` // face
	Share   float64 `json:"share"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	Reached int     `json:"-"` // games
}

// Role is the part that a player has in a run.
type Role string

// Roles of players.
const (
	Champion  Role = "champion"
	Start     Role = "start"
	Reference Role = "reference"
	Compared  Role = "player"
	Finalist  Role = "playoff"
	Centre    Role = "centre" // of the population
)

// Names of those who are in every run.
const (
	ChampionName = "champion"
	StartName    = "start weights"
)

// player returns the figures of a candidate.
func (s *Summary) player(of *experiments.Standing, role Role) Player {
	p := Player{
		Role: role, Candidate: of.Candidate, Search: of.Search, Games: of.Score.N, Standing: of, Tiles: []TileShare{},
		Fitness: stats.Estimate{Value: of.Fitness.Mean,
			Interval: s.Objective.Interval(of.Sample, experiments.Confidence)},
		Score: stats.Estimate{Value: of.Score.Mean, Interval: s.Objective.ScoreInterval(of.Sample, experiments.Confidence)},
	}
	for _, tile := range experiments.Tiles {
		if n := of.Reached(tile); !of.Untiled {
			i := stats.Wilson(n, of.Score.N, experiments.Confidence)
			p.Tiles = append(p.Tiles, TileShare{tile, float64(n) / float64(of.Score.N), i.Low, i.High, n})
		}
	}
	if of.TimedMoves > 0 && of.Time > 0 {
		p.MSPerMove = new(float64(of.Time.Microseconds()) / 1000 / float64(of.TimedMoves))
	}
	switch role {
	case Champion:
		p.Name = ChampionName
	case Start:
		p.Name = StartName
	default:
		p.Name = s.Name(of.Candidate)
	}
	return p
}

// Name returns the name of a candidate.
func (s *Summary) Name(number int) string {
	return cmp.Or(s.names[number], fmt.Sprintf("candidate %d", number))
}

// Gain is the comparison of two players of a run.
type Gain struct {
	experiments.Comparison
	Player, Over Player
}

// Judged reports whether the verdicts on the players of the headline are recorded. Before, their
// games come in, and the figures of these are not shown: some searches have hardly begun, and the
// verdicts of all searches hold together.
func (s *Summary) Judged() bool { return len(s.Gains) > 0 }

// players fills in the players of the headline, their gains, and the finalists.
func (s *Summary) players(comparisons []experiments.Comparison) {
	s.finalists()
	for _, search := range s.Searches() {
		var here []Player
		if s.Kind.HasPlayers() {
			for _, one := range s.at(experiments.PhaseComparison, search) {
				here = append(here, s.player(one, Compared))
			}
		} else {
			here = s.validated(search, comparisons)
		}
		s.Players = append(s.Players, here...)
		for _, c := range comparisons {
			s.gain(c, here)
		}
	}
}

// validated returns the champion, the start weights and the references at a search. There are none
// if somebody deleted the champion's evaluations. Once the champion is compared, only who it is
// compared with is listed: a finalist that failed its held-out games has left others there.
func (s *Summary) validated(search string, comparisons []experiments.Comparison) (list []Player) {
	compared := map[int]bool{}
	for _, c := range comparisons {
		if c.Phase == experiments.PhaseValidation && c.Search == search {
			compared[c.Baseline] = true
		}
	}
	all := s.at(experiments.PhaseValidation, search)
	i := slices.IndexFunc(all, func(one *experiments.Standing) bool { return one.Candidate == s.Run.Champion })
	if i < 0 {
		return nil
	}
	list = append(list, s.player(all[i], Champion))
	for _, one := range all {
		switch one.Candidate {
		case experiments.StartNumber: // maybe the champion
			list = append(list, s.player(one, Start))
		case s.Run.Champion:
		default:
			if len(compared) == 0 || compared[one.Candidate] {
				list = append(list, s.player(one, Reference))
			}
		}
	}
	return list
}

// gain adds a comparison between two players of the headline. A champion that is the start weights
// is compared with nobody, and has gained nothing, for certain.
func (s *Summary) gain(c experiments.Comparison, players []Player) {
	if c.Phase != s.Kind.Figures() || len(players) == 0 || c.Search != players[0].Search {
		return
	}
	player := slices.IndexFunc(players, func(p Player) bool { return p.Candidate == c.Candidate })
	over := slices.IndexFunc(players, func(p Player) bool {
		return p.Candidate == c.Baseline && p.Role != Champion
	})
	if player >= 0 && over >= 0 {
		s.Gains = append(s.Gains, Gain{c, players[player], players[over]})
	}
}

// finalists lists the candidates of the playoff. Those that played all of it come before those that
// were stopped early. Of equals the champion is the first, then the lower number.
func (s *Summary) finalists() {
	for _, one := range s.at(experiments.PhasePlayoff, "") {
		s.Playoff = append(s.Playoff, s.player(one, Finalist))
	}
	champion := func(p Player) int { return map[bool]int{true: 1}[p.Candidate == s.Run.Champion] }
	slices.SortStableFunc(s.Playoff, func(x, y Player) int {
		return cmp.Or(cmp.Compare(y.Games, x.Games), cmp.Compare(y.Fitness.Value, x.Fitness.Value),
			champion(y)-champion(x))
	})
}

// Fresh returns the figures of all candidates in all phases outside tuning: validation, playoff,
// comparison, ablation, trend.
func (s *Summary) Fresh() (list []Player) {
	for _, phase := range phases {
		for _, one := range s.at(phase, "") {
			list = append(list, s.player(one, Reference))
		}
	}
	return list
}

// Champions returns the champion's figures, one for each search of the validation.
func (s *Summary) Champions() (list []Player) {
	for _, p := range s.Players {
		if p.Role == Champion {
			list = append(list, p)
		}
	}
	return list
}

// Over returns the champion's gain over the start weights at a search, if it is recorded.
func (s *Summary) Over(search string) (Gain, bool) {
	for _, g := range s.Gains {
		if g.Search == search && g.Player.Role == Champion && g.Over.Role == Start {
			return g, true
		}
	}
	return Gain{}, false
}

// InPlayoff returns the champion's figures in the playoff that chose it, and their excess over the
// held-out figure at the same search: 0.038 for 3.8%. The excess is nil if there is none to tell,
// such as of scores on both sides of 0.
func (s *Summary) InPlayoff() (p *Player, excess *float64) {
	for _, f := range s.Playoff {
		if f.Candidate == s.Run.Champion {
			f.Name = "champion in the playoff"
			p = &f
		}
	}
	for _, held := range s.Champions() {
		if p != nil && held.Search == p.Search && held.Fitness.Value > 0 && p.Fitness.Value > 0 && !held.Standing.Negative &&
			!s.Objective.Unit().Logs {
			excess = new(p.Fitness.Value/held.Fitness.Value - 1)
		}
	}
	return p, excess
}
