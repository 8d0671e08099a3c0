package export

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// TestChampions: each shipped champion comes from a config of its name with this play. It is worth
// its recorded scores, with intervals that are narrow enough to compare families.
func TestChampions(t *testing.T) {
	if len(config.Champions()) == 0 {
		t.Fatal("no champion is shipped")
	}
	for _, name := range config.Champions() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, err := config.ReadFile("champions/" + name)
			must(t, err)
			r, err := Read(data)
			must(t, err)
			c, err := config.LoadEmbedded(name)
			must(t, err)
			if r.Role != "champion" || r.Signature != simulator.Signature || r.Fingerprint == "" {
				t.Errorf("%s of signature %s, fingerprint %q: want the champion of a finished run with signature %s",
					r.Role, r.Signature, r.Fingerprint, simulator.Signature)
			}
			champion, start, rows := "| "+name+" | champion |", "| | start |", []string{}
			widest := map[string]float64{"depth 3": 0.03, "depth 5": 0.03, "depth 7": 0.06, "depth by distinct -7 least 2": 0.06}
			oneSearch := strings.HasPrefix(name, "best-") // for its price alone
			if oneSearch {
				widest = map[string]float64{c.Search.String(): 0.08}
			}
			var searches []string
			for _, h := range r.HeldOut {
				searches = append(searches, h.Search)
				if half := (h.CI[1] - h.CI[0]) / 2; widest[h.Search] > 0 && half > widest[h.Search]*h.MeanScore {
					t.Errorf("%s: mean score %.0f +-%.0f: want within %.0f%%", h.Search, h.MeanScore, half, 100*widest[h.Search])
				}
				mean := fmt.Sprintf(" %.1f [%.1f, %.1f] |", h.MeanScore/1000, h.CI[0]/1000, h.CI[1]/1000)
				if widest[h.Search] > 0 && !oneSearch {
					champion += mean
					start += fmt.Sprintf(" %.1f |", h.StartMean/1000)
				} else {
					rows = append(rows, fmt.Sprintf("| `champions/%s` | `%s` | %s |%s", name, h.Search, grouped(h.Games), mean))
				}
				settings, err := engine.ParseSettings(h.Search)
				must(t, err)
				if testing.Short() && h.Search != "depth 3" {
					continue
				}
				const games = 1 // of thousands of moves
				again, err := experiments.PlayHeldOut(context.Background(), r.Experiment(), r.HeldOutSalt, simulator.NewPool(1),
					r.Player(), settings, games, nil)
				must(t, err)
				for i, score := range again.Scores {
					if score != h.Scores[i] {
						t.Errorf("%s: game %d ends with %v, the record says %v", h.Search, i, score, h.Scores[i])
					}
				}
			}
			readme, err := os.ReadFile("../../configs/champions/README.md")
			must(t, err)
			if !oneSearch {
				rows = append(rows, champion+"\n"+start+"\n")
			}
			for _, row := range rows {
				if !strings.Contains(string(readme), "\n"+row) {
					t.Errorf("configs/champions/README.md has another row than\n%s", row)
				}
			}
			for search := range widest {
				if !slices.Contains(searches, search) {
					t.Errorf("it was not validated at %s, only at %v", search, searches)
				}
			}
		})
	}
}

// grouped is a number of games as the README writes it.
func grouped(games int) string {
	if games < 1000 {
		return fmt.Sprint(games)
	}
	return fmt.Sprintf("%d,%03d", games/1000, games%1000)
}
