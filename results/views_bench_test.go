package results

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// questions are what people ask the views. A row that is not asked for should cost nothing.
var questions = []struct{ name, query string }{
	{"leaderboard/first", "SELECT * FROM leaderboard LIMIT 5"},
	{"leaderboard/run", "SELECT * FROM leaderboard WHERE run = 'night' LIMIT 5"},
	{"leaderboard/validation", "SELECT * FROM leaderboard WHERE run = 'night' AND phase = 'validation'"},
	{"leaderboard/all_validations", "SELECT * FROM leaderboard WHERE phase = 'validation'"},
	{"leaderboard/stage", "SELECT * FROM leaderboard WHERE run = 'night' AND phase = 'tuning' AND stage = 'refine' LIMIT 20"},
	{"leaderboard/by_rank", "SELECT * FROM leaderboard WHERE run = 'night' ORDER BY rank LIMIT 5"},
	{"leaderboard/top", "SELECT * FROM leaderboard WHERE rank <= 3"},
	{"leaderboard/candidate", "SELECT * FROM leaderboard WHERE candidate_id = 1020000"},
	{"leaderboard/by_mean", "SELECT * FROM leaderboard ORDER BY mean_score DESC LIMIT 5"},
	{"leaderboard/count", "SELECT count(*) FROM leaderboard"},
	{"leaderboard/whole", "SELECT * FROM leaderboard"},
	{"champions/whole", "SELECT * FROM champions"},
	{"champions/run", "SELECT * FROM champions WHERE run = 'night'"},
	{"convergence/whole", "SELECT * FROM convergence"},
	{"convergence/run", "SELECT * FROM convergence WHERE run = 'night'"},
	{"tile_rates/first", "SELECT * FROM tile_rates LIMIT 10"},
	{"tile_rates/validation", "SELECT * FROM tile_rates WHERE run = 'night' AND phase = 'validation'"},
	{"tile_rates/tile", "SELECT * FROM tile_rates WHERE phase = 'validation' AND tile = 2048"},
	{"tile_rates/candidate", "SELECT * FROM tile_rates WHERE candidate_id = 1020000"},
	{"tile_rates/tuning_tile", "SELECT candidate_id, share FROM tile_rates WHERE run = 'night' AND phase = 'tuning' AND tile = 2048 ORDER BY share DESC LIMIT 5"},
	{"tile_rates/count", "SELECT count(*) FROM tile_rates"},
	{"tile_rates/whole", "SELECT * FROM tile_rates"},
	{"progress/whole", "SELECT * FROM progress"},
	{"progress/run", "SELECT * FROM progress WHERE run = 'night'"},
	{"pooled/first", "SELECT * FROM pooled LIMIT 5"},
	{"pooled/playoff", "SELECT * FROM pooled WHERE run = 'night' AND phase = 'playoff'"},
	{"pooled/count", "SELECT count(*) FROM pooled"},
	{"pooled/whole", "SELECT * FROM pooled"},
}

// BenchmarkQuestions asks the views of a database of a million games, as this program does.
func BenchmarkQuestions(b *testing.B) {
	r, err := OpenReader(openMillion(b))
	must(b, err)
	defer r.Close()
	all := questions
	for _, q := range NamedQueries() {
		all = append(all, struct{ name, query string }{"named/" + q.Name, q.SQL})
	}
	for _, q := range all {
		b.Run(q.name, func(b *testing.B) {
			for b.Loop() {
				rows := 0
				must(b, r.Query(context.Background(), q.query, func([]string) error { return nil },
					func([]any) error { rows++; return nil }))
				if rows == 0 && !strings.HasPrefix(q.name, "named/") {
					b.Fatal("no rows")
				}
			}
		})
	}
	b.Run("Runs", func(b *testing.B) {
		for b.Loop() {
			if runs, err := r.Runs(context.Background()); err != nil || len(runs) != len(million) {
				b.Fatal(len(runs), err)
			}
		}
	})
}

// BenchmarkShell asks the same of the sqlite3 shell; its start is included.
func BenchmarkShell(b *testing.B) {
	program, err := exec.LookPath("sqlite3")
	if err != nil {
		b.Skip("the sqlite3 shell is not installed")
	}
	path := openMillion(b)
	for _, q := range questions {
		b.Run(q.name, func(b *testing.B) {
			for b.Loop() {
				must(b, exec.Command(program, path, q.query).Run())
			}
		})
	}
}

// BenchmarkUpgrade brings a million games from version 2 up to date, with the backup.
func BenchmarkUpgrade(b *testing.B) {
	older := version2(b, openMillion(b))
	content, err := os.ReadFile(older)
	must(b, err)
	for b.Loop() {
		b.StopTimer()
		must(b, os.WriteFile(older, content, 0o644))
		os.Remove(older + ".v2.backup")
		b.StartTimer()
		s, err := Open(older)
		must(b, err)
		must(b, s.Close())
	}
}
