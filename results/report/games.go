package report

import (
	"cmp"
	"context"
	"slices"

	"tune2048/engine/portable"
	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/experiments/summary"
	"tune2048/results"
)

// Games shows held-out games.
type Games struct {
	Search       string         `json:"search"`       // at which the distributions are
	Distribution []Distribution `json:"distribution"` // champion, start: held-out games; or empty
	Replays      []Replay       `json:"-"`            // the champion's median, best and worst
	Note         string         `json:"note"`         // why there is none
}

// Distribution has the scores of a player's held-out games.
type Distribution struct {
	Player    string    `json:"player"`
	Games     int       `json:"games"`
	Quantiles []float64 `json:"quantiles"` // a hundred scores, ascending: each stands for 1% of the games
}

// replay is a stored game that a page can show.
type Replay struct {
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

const maxDistributions = 6 // of a comparison's players

// games shows the scores of held-out games and the three to show.
func (rec *records) games() Games {
	players := rec.answering()
	g := Games{Search: lastSearch(rec.judged()), Distribution: []Distribution{}, Replays: rec.replays}
	for i, p := range players {
		if i == 0 || p.Candidate != players[0].Candidate {
			d, values := Distribution{Player: p.Name, Games: p.Games}, slices.Sorted(slices.Values(p.Standing.Scores))
			for percent := range 100 {
				d.Quantiles = append(d.Quantiles, portable.Rounded(stats.Quantile(values, (float64(percent)+0.5)/100), 5))
			}
			g.Distribution = append(g.Distribution, d)
		}
	}
	switch {
	case len(players) == 0:
		g.Note = fresh(rec.run.Kind) + " games are shown with the verdicts on them"
	case len(rec.replays) == 0:
		g.Note = "the games of a bot are not shown, since a report starts no program"
	}
	return g
}

// answering returns the players of the answer, but for references.
func (rec *records) answering() (players []summary.Player) {
	all := rec.judged()
	for _, p := range all {
		if p.Search == lastSearch(all) && p.Role != summary.Reference {
			players = append(players, p)
		}
	}
	if rec.contest != nil {
		players = players[:min(len(players), maxDistributions)]
	}
	return players
}

// readReplays finds the median, best and worst game of the champion or best player. A bot has none.
func (rec *records) readReplays(ctx context.Context, reader *results.Reader) ([]Replay, error) {
	all, players := []Replay{}, rec.answering()
	if len(players) == 0 || rec.config != nil && rec.config.Heuristic.Bot != nil ||
		rec.contest != nil && rec.contest.Players[players[0].Candidate].Heuristic.Bot != nil {
		return all, nil
	}
	scores := players[0].Standing.Scores
	order := stats.Order(len(scores), func(x, y int) int { return cmp.Compare(scores[x], scores[y]) })
	n := len(order)
	for _, r := range []struct {
		which string
		at    int
	}{{"median", (n - 1) / 2}, {"best", n - 1}, {"worst", 0}} {
		id, err := reader.GameOf(ctx, rec.run.ID, rec.run.Kind.Figures(), players[0].Search, players[0].Candidate,
			order[r.at])
		game := experiments.Game{}
		if err == nil {
			game, err = reader.Game(ctx, rec.run, id)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, Replay{Which: r.which, Game: id, Seed: game.Seed, Search: game.Search, Score: game.Score,
			MaxTile: game.MaxTile, Moves: game.Moves, Final: rowByRow(game.Final)})
	}
	return all, nil
}
