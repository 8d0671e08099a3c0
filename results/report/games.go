package report

import (
	"cmp"
	"context"
	"slices"

	"tune2048/engine/portable"
	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/experiments/summary"
)

// gamesSection shows held-out games.
type gamesSection struct {
	Search       string         `json:"search"`       // at which the distributions are
	Distribution []distribution `json:"distribution"` // champion, start: held-out games; or empty
	Replays      []replay       `json:"-"`            // the champion's median, best and worst
	Note         string         `json:"note"`         // why there is none
}

// distribution has the scores of a player's held-out games.
type distribution struct {
	Player    string    `json:"player"`
	Games     int       `json:"games"`
	Quantiles []float64 `json:"quantiles"` // a hundred scores, ascending: each stands for 1% of the games
}

// replay is a stored game that a page can show.
type replay struct {
	Which   string  `json:"which"` // median, best, worst
	Game    int64   `json:"game"`  // id
	Seed    uint64  `json:"seed"`
	Search  string  `json:"search"`
	Score   float64 `json:"score"`
	MaxTile int     `json:"max_tile"`
	Moves   int     `json:"moves"`
	Final   [16]int `json:"final"`  // faces, row by row; 0 for a blank
	Record  *Record `json:"record"` // null where a page is to ask for it
}

const mostDistributions = 6 // of a comparison's players

// games reads the scores of held-out games and the three to show.
func (b *builder) games(ctx context.Context) error {
	g := &b.report.Games
	g.Search, g.Distribution, g.Replays = b.report.lastSearch(), []distribution{}, []replay{}
	players := []summary.Player{}
	for _, p := range b.report.HeldOut.Players {
		if p.Search == g.Search && p.Role != summary.Reference {
			players = append(players, p)
		}
	}
	if b.contest != nil {
		players = players[:min(len(players), mostDistributions)]
	}
	for i, p := range players {
		if i == 0 || p.Candidate != players[0].Candidate {
			d, values := distribution{Player: p.Name, Games: p.Games}, slices.Sorted(slices.Values(p.Standing.Scores))
			for percent := range 100 {
				d.Quantiles = append(d.Quantiles, portable.Rounded(stats.Quantile(values, (float64(percent)+0.5)/100), 5))
			}
			g.Distribution = append(g.Distribution, d)
		}
	}
	if len(players) == 0 {
		g.Note = b.report.Fresh() + " games are shown with the verdicts on them"
		return nil
	}
	if b.config != nil && b.config.Heuristic.Bot != nil ||
		b.contest != nil && b.contest.Players[players[0].Candidate].Heuristic.Bot != nil {
		g.Note = "the games of a bot are not shown, since a report starts no program"
		return nil
	}
	scores := players[0].Standing.Scores
	order := stats.Order(len(scores), func(x, y int) int { return cmp.Compare(scores[x], scores[y]) })
	n := len(order)
	for _, r := range []struct {
		which string
		at    int
	}{{"median", (n - 1) / 2}, {"best", n - 1}, {"worst", 0}} {
		id, err := b.GameOf(ctx, b.run.ID, b.run.Kind.Figures(), g.Search, players[0].Candidate, order[r.at])
		game := experiments.Game{}
		if err == nil {
			game, err = b.Reader.Game(ctx, b.run, id)
		}
		if err != nil {
			return err
		}
		g.Replays = append(g.Replays, replay{
			Which: r.which, Game: id, Seed: game.Seed, Search: game.Search,
			Score:   game.Score,
			MaxTile: game.MaxTile, Moves: game.Moves,
			Final: rowByRow(game.Final),
		})
	}
	return nil
}
