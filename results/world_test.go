package results

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/stats"
)

var ctx = context.Background()

// world is the content of a small run in memory, which the database must have.
type world struct {
	candidates  []experiments.Candidate
	blocks      []playedBlock
	reference   int // the first candidate after the tuning
	champion    int
	salt        string // of its held-out games
	stopped     bool   // -for ended the tuning
	comparisons []experiments.Comparison
}

// playedBlock is a block with the games of each candidate, one candidate after the other.
type playedBlock struct {
	experiments.Block
	stream      experiments.Stream
	number      int // of the first question
	games       []simulator.Outcome
	questions   []experiments.Question
	evaluations []experiments.Evaluation
}

// game returns a game of the block, and its question.
func (b playedBlock) game(index int) (g experiments.Game, question int) {
	candidate, index := index/b.Games, index%b.Games
	place := b.First + index
	question = (place/sliceGames-b.First/sliceGames)*len(b.Candidates) + candidate
	g = experiments.Game{Place: b.Place, Number: b.number + question, Index: place, Seed: b.stream.At(place)}
	g.Candidate, g.Outcome = b.Candidates[candidate], b.games[candidate*b.Games+index]
	return g, question
}

// add records one game of the block.
func (b playedBlock) add(s *Store, run int64, index int) error {
	g, _ := b.game(index)
	return s.AddGame(ctx, run, g)
}

// addAll records all games of the block.
func (b playedBlock) addAll(t testing.TB, s *Store, run int64) {
	t.Helper()
	for i := range b.games {
		must(t, b.add(s, run, i))
	}
}

// finish records what the games came to.
func (b playedBlock) finish(s *Store, run int64, keep bool) error {
	return s.AddEvaluations(ctx, run, slices.Clone(b.evaluations), keep)
}

// cut returns the block with the first n games of each candidate.
func (b playedBlock) cut(n int) playedBlock {
	shorter := b
	shorter.games, shorter.Games = nil, n
	for i := range b.Candidates {
		shorter.games = append(shorter.games, b.games[i*b.Games:][:n]...)
	}
	shorter.evaluate()
	return shorter
}

// evaluate sums up the games of the block. A key stands for candidate, search and stream.
func (b *playedBlock) evaluate() {
	b.questions, b.evaluations = nil, nil
	for first := b.First; first < b.First+b.Games; {
		next := min(b.First+b.Games, (first/sliceGames+1)*sliceGames)
		for i, c := range b.Candidates {
			q := experiments.Question{Seeds: b.stream, Games: next - first}
			q.Place, q.Number, q.First = b.Place, b.number+len(b.questions), first
			q.Candidate, q.Key = c, key(c, " ", b.Search, " ", b.stream, " ", first/sliceGames)
			e := q.Evaluation
			for _, g := range b.games[i*b.Games+first-b.First:][:q.Games] {
				rank := byte(math.Log2(float64(g.MaxTile)))
				e.Scores, e.Ranks = append(e.Scores, g.Score), append(e.Ranks, rank)
				e.Each = append(e.Each, experiments.Detail{Rank: rank, Moves: g.Moves, Nodes: g.Nodes})
				e.Moves, e.Nodes, e.Time = e.Moves+int64(g.Moves), e.Nodes+g.Nodes, e.Time+g.Duration
			}
			b.questions, b.evaluations = append(b.questions, q), append(b.evaluations, e)
		}
		first = next
	}
}

// plain is an evaluation of scores alone, of a stream of its own.
func plain(place experiments.Place, number int, scores ...float64) experiments.Evaluation {
	return experiments.Evaluation{Place: place, Number: number, Key: key(place, number), Scores: scores,
		Each: make([]experiments.Detail, len(scores))}
}

// dealer makes up blocks of games.
type dealer struct {
	r    *rand.Rand
	play func(candidate int) simulator.Outcome
	next int            // number of the next question
	used map[string]int // games, by stream and search
	salt string         // of held-out games
}

func newDealer(r *rand.Rand, play func(candidate int) simulator.Outcome) *dealer {
	return &dealer{r: r, play: play, used: map[string]int{}, salt: "salt"}
}

func (d *dealer) block(phase, stage, search string, generation, round, games int, numbers ...int) playedBlock {
	b := playedBlock{number: d.next,
		Block: experiments.Block{Place: experiments.Place{Phase: phase, Stage: stage, Search: search, Generation: generation,
			Round: round}, Candidates: numbers, Games: games}}
	b.stream = b.Stream(2048, d.salt)
	stream := fmt.Sprint(b.stream, search)
	b.First = d.used[stream]
	d.used[stream] += games
	for _, c := range numbers {
		for range games {
			b.games = append(b.games, d.play(c))
		}
	}
	b.evaluate()
	d.next += len(b.questions)
	return b
}

// newWorld makes up a run: two stages of tuning, the second with racing, a playoff, and a
// validation at two depths.
func newWorld(r *rand.Rand) world {
	w, d := newTuning(r)
	w.judge(d, r, 2, 1, 2, 7)
	return w
}

// newEndings makes up a run that goes on: its ending after the first stage, and one after both.
func newEndings(r *rand.Rand) (short, long world) {
	long, d := newTuning(r)
	short = world{candidates: slices.Clone(long.candidates[:7]), blocks: slices.Clone(long.blocks[:3])}
	early := newDealer(r, d.play)
	early.next = long.blocks[3].number
	short.judge(early, r, 3, 3, 4, 0)
	d.salt = "longer"
	long.judge(d, r, 2, 1, 2, 7)
	return short, long
}

func newTuning(r *rand.Rand) (w world, d *dealer) {
	d = newDealer(r, func(int) simulator.Outcome { return randomOutcome(r) })
	w.candidate("start", "explore", 0, r)
	for g := range 3 {
		a, b := w.candidate("initial", "explore", g, r), w.candidate("mutation", "explore", g, r)
		w.deal(d, experiments.PhaseTuning, "explore", "depth 3", g, 0, 5, 0, a, b)
	}
	for g := range 2 {
		c := w.candidate("crossover", "refine", g, r)
		w.deal(d, experiments.PhaseTuning, "refine", "depth 5", g, 0, 1, 1, 2, c)
		w.deal(d, experiments.PhaseTuning, "refine", "depth 5", g, 1, 2+g, 2, c)
	}
	return w, d
}

func (w *world) deal(d *dealer, phase, stage, search string, generation, round, games int, numbers ...int) {
	w.blocks = append(w.blocks, d.block(phase, stage, search, generation, round, games, numbers...))
}

// judge makes up what follows a tuning.
func (w *world) judge(d *dealer, r *rand.Rand, champion int, finalists ...int) {
	w.reference, w.champion, w.salt = w.candidate("reference", "", 0, r), champion, d.salt
	w.deal(d, experiments.PhasePlayoff, "", "depth 5", 0, 0, 20, finalists...)
	games := w.blocks[len(w.blocks)-1].games
	for i := range games {
		games[i].Worker = []string{"", "here", "b'\"\x00\u202e</script>"}[i%3]
	}
	for _, search := range []string{"depth 3", "depth 5"} {
		w.deal(d, experiments.PhaseValidation, "", search, 0, 0, 30, champion, 0, w.reference)
		w.comparisons = append(w.comparisons, w.blocks[len(w.blocks)-1].compare(0, 1))
	}
}

// compare compares two candidates of a block by their places in it.
func (b playedBlock) compare(candidate, baseline int) experiments.Comparison {
	scores := func(place int) (m stats.Moments) {
		for _, g := range b.games[place*b.Games:][:b.Games] {
			m.Add(g.Score)
		}
		return m
	}
	n, x, y := b.Games, scores(candidate), scores(baseline)
	return experiments.Comparison{
		Phase: b.Phase, Search: b.Search, Candidate: b.Candidates[candidate], Baseline: b.Candidates[baseline],
		Objective: "mean_score",
		Games:     n, BaselineGames: n, Difference: stats.MeanDifference(x, y, stats.Pairs{}, 0.95),
		Ratio: stats.MeanRatio(x, y, stats.Pairs{}, 0.95), Confidence: 0.95, P: stats.MeanP(x, y, stats.Pairs{}), Adjusted: 1,
		Verdict: experiments.NoDifference,
	}
}

func (w *world) candidate(origin, stage string, generation int, r *rand.Rand) int {
	c := experiments.Candidate{Number: len(w.candidates), Origin: origin, Stage: stage, Generation: generation,
		Dead: eval.Dead{Worst: true}, PlayHash: fmt.Sprint("play ", r.Uint64())}
	if origin == "reference" {
		c.Name, c.Dead = "published", eval.Dead{Value: -1e-7}
	}
	// Not in the order of their names.
	for i, name := range []string{"snake", "empty", "merges", "corner", "edge"} {
		c.Weights = append(c.Weights, experiments.Weight{Name: name, Value: math.Exp(r.NormFloat64() * float64(i))})
	}
	w.candidates = append(w.candidates, c)
	return c.Number
}

func outcome(score, maxTile, moves int, nodes int64, board, us uint64) (o simulator.Outcome) {
	o.Score, o.MaxTile, o.Moves, o.Nodes, o.Final, o.Capped = float64(score), maxTile, moves, nodes, engine.Board(board),
		maxTile == 65536
	o.Duration = time.Duration(us) * time.Microsecond
	return o
}

func randomOutcome(r *rand.Rand) simulator.Outcome {
	moves := 1 + r.IntN(5000)
	return outcome(4*r.IntN(20_000), 1<<(6+r.IntN(11)), moves, int64(moves)*(1+r.Int64N(100)), r.Uint64(),
		1+r.Uint64N(1e6))
}

// addPlain adds a game of the start weights in a phase that the world lacks: all that is known of
// it is the score. In tuning it comes last, and what follows has the next numbers.
func (w *world) addPlain(phase string, number int) {
	at := len(w.blocks)
	if phase == experiments.PhaseTuning {
		tuned, judged := w.parts()
		at, number = len(tuned.blocks), judged.blocks[0].number
		for i := range judged.blocks {
			w.blocks[at+i].number++
			w.blocks[at+i].evaluate()
		}
	}
	b := playedBlock{evaluations: []experiments.Evaluation{plain(experiments.Place{Phase: phase, Search: "depth 1"},
		number, 500)}}
	b.Phase = phase
	w.blocks = slices.Insert(w.blocks, at, b)
}

// record writes the whole run, with the ending that Begin returned. The order within candidates,
// games and evaluations is the shuffle's, or without one that of an experiment.
func (w *world) record(t testing.TB, s *Store, run int64, keep bool, r *rand.Rand) {
	t.Helper()
	w.recordTuning(t, s, run, keep, r)
	w.recordEnding(t, s, run, keep, r)
}

// recordTuning writes the tuning, as far as the run has not recorded it.
func (w *world) recordTuning(t testing.TB, s *Store, run int64, keep bool, r *rand.Rand) {
	t.Helper()
	tuned, _ := w.parts()
	stored := sure(s.Candidates(ctx, run, 0, w.reference-1))(t)
	tuned.candidates = tuned.candidates[len(stored):]
	tuned.recordCandidates(t, s, run, r)
	for _, b := range tuned.blocks {
		if len(b.questions) == 0 || sure(known(s, run, b))(t)[0].Evaluation == nil {
			b.record(t, s, run, keep, r)
		}
	}
}

// recordEnding ends the tuning, and writes what follows.
func (w *world) recordEnding(t testing.TB, s *Store, run int64, keep bool, r *rand.Rand) {
	t.Helper()
	if taken := sure(s.Judge(ctx, run, w.length()))(t); taken.ID != run {
		t.Fatalf("the ending is %d, want %d", taken.ID, run)
	}
	_, judged := w.parts()
	judged.recordCandidates(t, s, run, r)
	for i, b := range judged.blocks {
		if i == 1 { // after the playoff
			must(t, s.SetChampion(ctx, run, w.champion, w.salt))
		}
		b.record(t, s, run, keep, r)
	}
	must(t, s.AddComparisons(ctx, run, w.comparisons))
}

func (w *world) recordCandidates(t testing.TB, s *Store, run int64, r *rand.Rand) {
	t.Helper()
	candidates := slices.Clone(w.candidates)
	if r != nil {
		r.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
	}
	for _, c := range candidates {
		must(t, s.AddCandidates(ctx, run, []experiments.Candidate{c}))
	}
}

// record writes a block in the order of a shuffle, or without one in that of an experiment.
func (b playedBlock) record(t testing.TB, s *Store, run int64, keep bool, r *rand.Rand) {
	t.Helper()
	b.evaluations = slices.Clone(b.evaluations)
	if r == nil {
		b.addAll(t, s, run)
	} else {
		for _, i := range r.Perm(len(b.games)) {
			must(t, b.add(s, run, i))
		}
		r.Shuffle(len(b.evaluations),
			func(i, j int) { b.evaluations[i], b.evaluations[j] = b.evaluations[j], b.evaluations[i] })
	}
	must(t, b.finish(s, run, keep))
}

// parts are the tuning, and what follows it.
func (w *world) parts() (tuned, judged world) {
	i := slices.IndexFunc(w.blocks, func(b playedBlock) bool { return !b.Tuned() })
	return world{candidates: w.candidates[:w.reference], blocks: w.blocks[:i]},
		world{candidates: w.candidates[w.reference:], blocks: w.blocks[i:]}
}

// length is how far its tuning goes.
func (w *world) length() (n experiments.Length) {
	tuned, _ := w.parts()
	n.Candidates, n.Stopped = len(tuned.candidates), w.stopped
	generations := map[experiments.Place]bool{}
	for _, e := range tuned.evaluations() {
		n.Questions = max(n.Questions, e.Number+1)
		generations[experiments.Place{Stage: e.Stage, Generation: e.Generation}] = true
	}
	n.Generations = len(generations)
	return n
}

// owner is whose the evaluation with a number is: of the search, or of the ending.
func (w *world) owner(search, ending int64, number int) int64 {
	if number < w.length().Questions {
		return search
	}
	return ending
}

// candidateID is the id of a candidate.
func (w *world) candidateID(search, ending int64, number int) int64 {
	if number < w.length().Candidates {
		return candidateID(search, number)
	}
	return candidateID(ending, number)
}

// recordRun records a world as a finished run of that name.
func recordRun(t testing.TB, s *Store, name string, seed uint64) world {
	t.Helper()
	w := newWorld(random(seed))
	run := begin(t, s, spec(name, name))
	w.record(t, s, run.ID, true, random(seed))
	must(t, s.Finish(ctx, run.ID, experiments.Finished))
	return w
}

// played returns how many games were played.
func (w *world) played() (games int) {
	for _, b := range w.blocks {
		games += len(b.games)
	}
	return games
}

// again reads its tuning once more.
func (w *world) again(at experiments.Place, numbers []int, from, below int) iter.Seq[experiments.Evaluation] {
	all := slices.DeleteFunc(w.evaluations(), func(e experiments.Evaluation) bool {
		return e.Phase != experiments.PhaseTuning || e.Stage != at.Stage || e.Search != at.Search || e.Number < from ||
			e.Number >= below || numbers != nil && !slices.Contains(numbers, e.Candidate)
	})
	slices.SortFunc(all, func(a, b experiments.Evaluation) int {
		return cmp.Or(cmp.Compare(a.Candidate, b.Candidate), cmp.Compare(a.Number, b.Number))
	})
	return slices.Values(all)
}

// evaluations returns the evaluations of some phases, or of all.
func (w *world) evaluations(phases ...string) (all []experiments.Evaluation) {
	for _, b := range w.blocks {
		if len(phases) == 0 || slices.Contains(phases, b.Phase) {
			all = append(all, b.evaluations...)
		}
	}
	return all
}

// known asks what the store knows of a block, whichever process recorded it.
func known(s *Store, run int64, b playedBlock) ([]experiments.Known, error) {
	return s.Known(ctx, run, b.questions)
}

// sure returns the value of a call that must not fail.
func sure[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		must(t, err)
		return value
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fails fails unless the error has the words and is of the kind, if one is given.
func fails(t testing.TB, what string, err error, words string, kind ...error) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), words) || len(kind) > 0 && !errors.Is(err, kind[0]) {
		t.Errorf("%s: got %v, want %q", what, err, words)
	}
}

func second[T any](_ T, err error) error { return err }

// open returns a new store in a folder of the test, and its path.
func open(t testing.TB) (*Store, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "results", "tune.db")
	return reopen(t, path), path
}

// reopen returns a store of a file. It is closed with the test.
func reopen(t testing.TB, path string) *Store {
	t.Helper()
	s := sure(Open(path))(t)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

// reading returns a reader of a file. It is closed with the test.
func reading(t testing.TB, path string) *Reader {
	t.Helper()
	r := sure(OpenReader(path))(t)
	t.Cleanup(func() { r.Close() })
	return r
}

// rows answers a statement.
func rows(r *Reader, statement string) (all [][]any, err error) {
	err = r.Query(ctx, statement, func([]string) error { return nil }, func(row []any) error {
		all = append(all, slices.Clone(row))
		return nil
	})
	return all, err
}

func spec(name, hash string) experiments.RunSpec {
	return experiments.RunSpec{Name: name, Kind: experiments.KindTune, ConfigYAML: "name: " + name + "\n",
		ConfigHash: hash, Tuning: hash,
		Seed: 2048, Signature: "signature", Objective: "mean_score"}
}

func begin(t testing.TB, s *Store, spec experiments.RunSpec) experiments.Run {
	t.Helper()
	run := sure(s.Begin(ctx, spec))(t)
	return run
}

func find(t testing.TB, s *Store, name string) Run {
	t.Helper()
	run := sure(s.Reader().Find(ctx, name))(t)
	return run
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 2048)) }

// key stands for these parts in 16 bytes.
func key(parts ...any) string {
	sum := sha256.Sum256([]byte(fmt.Sprint(parts...)))
	return string(sum[:16])
}
