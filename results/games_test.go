package results

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// gameTexts are the rows of the view games of a run, as text, with the names of the workers.
func gameTexts(t *testing.T, r *Reader, run int64) (all []string) {
	t.Helper()
	// A search's rows stand for an ending that has begun, and for the run.
	for _, row := range sure(rows(r, fmt.Sprintf(`SELECT id %% 50000000000, candidate_id %% 1000000000, phase, stage, search, generation, round, seed, score, max_tile, moves, nodes,
		capped, final_board, duration_us, (SELECT name FROM workers AS w WHERE w.id = worker_id) FROM games WHERE run_id IN (SELECT coalesce(search_id, id) FROM endings WHERE id = %d) ORDER BY id`, run)))(t) {
		all = append(all, fmt.Sprintln(row...))
	}
	return all
}

// listed is what the view games has of a block.
func (b playedBlock) listed() (all []string) {
	for i := range b.games {
		g, _ := b.game(i)
		var worker any
		if g.Worker != "" {
			worker = g.Worker
		}
		capped := 0
		if g.Capped {
			capped = 1
		}
		board := backwards(fmt.Sprintf("%016x", uint64(g.Final)))
		all = append(all, fmt.Sprintln(GameID(0, g.Number, g.Index%sliceGames), g.Candidate, g.Phase, g.Stage, g.Search,
			g.Generation, g.Round, g.Seed, g.Score,
			orNull(g.MaxTile, 0), orNull(g.Moves, 0), orNull(g.Nodes, 0), capped, board, g.Duration.Microseconds(), worker))
	}
	slices.Sort(all)
	return all
}

func backwards(digits string) string {
	text := []byte(digits)
	slices.Reverse(text)
	return string(text)
}

// TestAGameLiesInTheFileOnce: the view games lists a game while it is under way, after its question
// is recorded, and for each run that asked for it. A row of the memo may have games that were kept,
// and others. The types of the columns are always the same.
func TestAGameLiesInTheFileOnce(t *testing.T) {
	s, path, w, run := begun(t)
	other := begin(t, s, spec("rows", "b"))
	must(t, s.AddCandidates(ctx, other.ID, w.candidates))
	r := random(7)
	d := newDealer(r, func(candidate int) simulator.Outcome {
		o := randomOutcome(r)
		o.Worker = []string{"", "here", "far"}[candidate%3]
		return o
	})
	b := d.block(experiments.PhasePlayoff, "", "depth 3", 0, 0, 8, 0, 1, 2)
	b.games[3] = simulator.Outcome{} // of a bot that plays games by itself
	b.games[3].Score, b.games[3].MaxTile, b.games[3].Duration = 0.5, 65536, time.Millisecond
	b.games[5].MaxTile, b.games[5].Capped = 65536, true
	b.evaluate()
	all := b.listed()
	check := func(what string, run int64, want []string) {
		t.Helper()
		got := gameTexts(t, s.reader, run)
		slices.Sort(got)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	short := b.cut(5)
	short.addAll(t, s, run.ID)
	must(t, second(known(s, run.ID, short))) // commits
	counts(t, s, "playing", 15)
	check("under way", run.ID, short.listed())
	must(t, short.finish(s, run.ID, true))
	counts(t, s, "playing", 0)
	check("recorded", run.ID, short.listed())

	// The other run asks for three more of each, and keeps none of them.
	for i := range b.games {
		if i%8 >= 5 {
			must(t, b.add(s, other.ID, i))
		}
	}
	must(t, b.finish(s, other.ID, false))
	counts(t, s, "playing", 0)
	counts(t, s, "memo", 3)
	check("reused", other.ID, short.listed())
	check("recorded", run.ID, short.listed())
	found := sure(known(s, run.ID, b))(t)
	for i := range b.games {
		g, question := b.game(i)
		kept := i%8 < 5
		if o := found[question].Outcomes[i%8]; o.Score != g.Score || kept != (o.Duration == g.Duration) || kept &&
			(o.Final != g.Final || o.Capped != g.Capped) {
			t.Errorf("game %d is known as %+v, want %+v", i, o, g)
		}
	}

	// A run that plays and keeps them gives the memo what it lacks.
	for i := range b.games {
		must(t, b.add(s, run.ID, i))
	}
	long := b
	long.Phase, long.number = experiments.PhaseComparison, 100
	long.evaluate()
	for i := range long.evaluations {
		long.evaluations[i].Key = b.evaluations[i].Key
		long.questions[i].Key = b.evaluations[i].Key
	}
	long.addAll(t, s, run.ID)
	must(t, long.finish(s, run.ID, true))
	counts(t, s, "memo", 3)
	check("played again", other.ID, all)

	types := `SELECT DISTINCT typeof(id) || ' ' || typeof(seed) || ' ' || typeof(score) || ' ' || typeof(moves) || ' ' || typeof(capped) || ' ' || typeof(final_board) || ' ' ||
		typeof(duration_us) FROM games WHERE moves > 0`
	if got := shell(t, path, types); got != "integer integer real integer integer text integer" {
		t.Errorf("the types are %s", got)
	}
}

// TestImportTakesBoardsTimesAndWorkers of games: of workers by their names.
func TestImportTakesBoardsTimesAndWorkers(t *testing.T) {
	from, path := open(t)
	must(t, second(from.writer.Exec("INSERT INTO workers (name) VALUES ('elsewhere')")))
	recordRun(t, from, "snake", 5)
	want := gameTexts(t, from.reader, find(t, from, "snake").ID)
	if found := strings.Join(want, "\n"); !strings.Contains(found, " here\n") || !strings.HasSuffix(want[0], " <nil>\n") {
		t.Fatal(found)
	}
	must(t, from.Close())
	to, _ := open(t)
	recordRun(t, to, "other", 6)
	must(t, second(to.Import(ctx, path)))
	if got := gameTexts(t, to.reader, find(t, to, "snake").ID); !slices.Equal(got, want) {
		t.Errorf("got %d games, want %d: %s", len(got), len(want), firstUnlike(got, want))
	}
	// Where the games are here without their boards, these come.
	must(t, to.Close())
	to = reopen(t, filepath.Join(t.TempDir(), "tune.db"))
	w := newWorld(random(5))
	run := begin(t, to, spec("mine", "mine"))
	w.record(t, to, run.ID, false, random(5))
	must(t, to.Finish(ctx, run.ID, experiments.Finished))
	counts(t, to, "games", 0)
	must(t, second(to.Import(ctx, path)))
	if got := gameTexts(t, to.reader, find(t, to, "snake").ID); !slices.Equal(got, want) {
		t.Errorf("got %d games, want %d: %s", len(got), len(want), firstUnlike(got, want))
	}
}

// TestFewNames: the names of weights are stored once for a run, and with candidates that have
// others.
func TestFewNames(t *testing.T) {
	s, _ := open(t)
	run := begin(t, s, spec("snake", "a"))
	weights := func(names ...string) (all []experiments.Weight) {
		for i, name := range names {
			all = append(all, experiments.Weight{Name: name, Value: 1 / float64(3+i)})
		}
		return all
	}
	var all []experiments.Candidate
	for number, w := range [][]experiments.Weight{weights("a", `b"<é`), weights("a", `b"<é`),
		weights("a", `b"<é`, "fixed"), nil, weights(`b"<é`, "a")} {
		all = append(all, experiments.Candidate{Number: number, Weights: w})
	}
	must(t, s.AddCandidates(ctx, run.ID, all[:3]))
	must(t, s.AddCandidates(ctx, run.ID, all[3:]))
	if got := sure(s.Candidates(ctx, run.ID, 0, 9))(t); bitsOf(got) != bitsOf(all) {
		t.Errorf("got %+v, want %+v", got, all)
	}
	own := sure(rows(s.reader, "SELECT group_concat(number) FROM candidates WHERE names IS NOT NULL"))(t)
	if own[0][0] != "0,2,3,4" {
		t.Errorf("candidates %v have names of their own", own[0][0])
	}
}
