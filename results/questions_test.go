package results

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// questions are people's questions to the views. NAME is the largest run.
var questions = []string{
	"SELECT * FROM leaderboard LIMIT 5",
	"SELECT * FROM leaderboard WHERE run = 'night' AND phase = 'tuning' LIMIT 5",
	"SELECT * FROM leaderboard WHERE candidate_id = 1000000001",
	"SELECT * FROM champions",
	"SELECT * FROM convergence WHERE run = 'night'",
	"SELECT * FROM tile_rates WHERE run = 'night' AND phase = 'validation'",
	"SELECT * FROM verdicts",
	"SELECT * FROM progress",
	"SELECT g.seed, g.score FROM games AS g JOIN runs AS r ON r.champion_id = g.candidate_id " +
		"WHERE g.phase = 'validation' ORDER BY g.score DESC LIMIT 10",
}

// BenchmarkQuestions asks a database of a million games, as this program does, the questions and
// every shipped query. The variable RESULTS_MILLION names a file to keep the database in, or to
// take it from.
func BenchmarkQuestions(b *testing.B) {
	path := os.Getenv("RESULTS_MILLION")
	if path == "" {
		path = filepath.Join(b.TempDir(), "tune.db")
	}
	if _, err := os.Stat(path); err != nil {
		playMillion(b, path)
	}
	r := reading(b, path)
	ask := func(name, statement string) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if found, err := rows(r, statement); err != nil || len(found) == 0 {
					b.Fatal(len(found), err)
				}
			}
		})
	}
	for _, q := range questions {
		ask(strings.ReplaceAll(q, " ", "_"), q)
	}
	for _, q := range NamedQueries() {
		ask(q.Name, q.SQL)
	}
	b.Run("Runs", func(b *testing.B) {
		for b.Loop() {
			if runs, err := r.Runs(ctx); err != nil || len(runs) == 0 {
				b.Fatal(len(runs), err)
			}
		}
	})
}

// playMillion records 1,216,000 games in some 100,000 evaluations of 11 runs.
func playMillion(b *testing.B, path string) {
	s := sure(Open(path))(b)
	for i := range 11 {
		name, generations := fmt.Sprint("short", i), 60
		if i == 10 {
			name, generations = "night", 1200
		}
		r, w := random(uint64(i)), world{}
		run := begin(b, s, spec(name, "hash")).ID
		d := newDealer(r, func(int) simulator.Outcome { return randomOutcome(r) })
		play := func(phase, stage, search string, generation, games int, numbers ...int) playedBlock {
			block := d.block(phase, stage, search, generation, 0, games, numbers...)
			block.addAll(b, s, run)
			must(b, block.finish(s, run, true))
			return block
		}
		start := w.candidate("start", "tune", 0, r)
		must(b, s.AddCandidates(ctx, run, w.candidates))
		for g := range generations {
			var numbers []int
			for range 40 {
				numbers = append(numbers, w.candidate("crossover", "tune", g, r))
			}
			must(b, s.AddCandidates(ctx, run, w.candidates[numbers[0]:]))
			play(experiments.PhaseTuning, "tune", "depth 3", g, 8, append(numbers, numbers[:20]...)...)
		}
		must(b, second(s.Judge(ctx, run,
			experiments.Length{Generations: generations, Candidates: len(w.candidates), Questions: d.next})))
		champion, reference := 1, 2
		play(experiments.PhasePlayoff, "", "depth 5", 0, 500, 1, 2, 3, 4)
		must(b, s.SetChampion(ctx, run, champion, "salt"))
		for _, search := range []string{"depth 3", "depth 5"} {
			judged := play(experiments.PhaseValidation, "", search, 0, 5000, champion, start, reference)
			gain, without := judged.compare(0, 1), judged.compare(2, 0)
			without.Phase = experiments.PhaseAblation
			must(b, s.AddComparisons(ctx, run, []experiments.Comparison{gain, judged.compare(0, 2), without}))
		}
		must(b, s.Finish(ctx, run, experiments.Finished))
	}
	must(b, s.Close())
}
