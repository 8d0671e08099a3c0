package experiments

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"sync/atomic"

	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/eval"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments/fitness"
)

// Simulator plays batches of games; see simulator.Pool.Play for the contract.
type Simulator interface {
	Play(ctx context.Context, batch simulator.Batch,
		finished func(job int, o simulator.Outcome) error) ([]simulator.Outcome, error)
}

// SliceGames is the length of a slice of a stream. The memo keeps the games of a slice together,
// and a run's question lies in one slice.
const SliceGames = 50

// Question asks what the games of a player come to, at a search, with seeds of a stream.
type Question struct {
	Evaluation // where it stands, its key and First; without results
	Seeds      Stream
	Games      int // from First on

	player eval.Player
	hash   string // of the player
	part   int    // of what is asked: its games are played before a later part's, about
}

// NewQuestion returns the question of a player's games from first on, by itself.
func NewQuestion(player eval.Player, search engine.Settings, stream Stream, first, games int) Question {
	q := Question{Seeds: stream, Games: games, player: player, hash: player.Hash()}
	q.Phase, q.Search, q.First = stream.Phase, search.String(), first
	return q
}

// key returns the Evaluation.Key: 16 bytes of the SHA-256 of all that the games of the slice depend
// on. These are the signature of the play, the player with the rules, the search, the stream and
// the place of the slice in it.
func (q *Question) key() string {
	text := fmt.Appendf(nil, "%s\n%s\n%s\n%s\n%q\n", simulator.Signature, q.hash, q.Search, q.Seeds.Phase, q.Seeds.Salt)
	for _, n := range [...]uint64{q.Seeds.Seed, uint64(q.Seeds.Generation), uint64(q.First / SliceGames)} {
		text = binary.BigEndian.AppendUint64(text, n)
	}
	sum := sha256.Sum256(text)
	return string(sum[:16])
}

// Known holds a store's knowledge of a question. The zero value knows nothing.
type Known struct {
	// Evaluation is the run's own record for the question. nil: it has none.
	Evaluation *Evaluation
	// Outcomes are games that were played, by index in the question. Those whose config does not
	// keep games have no last board, and no time.
	Outcomes map[int]simulator.Outcome
	Failure  string // of a question of tuning that failed in another ending of the run
}

// Lab is the one place that has games played. It needs a simulator and an objective.
type Lab struct {
	Simulator Simulator
	Objective fitness.Objective                           // refuses scores
	Played    func(context.Context, Game) error           // gets each game that could be played, also when the context is done; may be nil
	Unlike    func(ctx context.Context, why string) error // gets how a bot did not repeat itself; may be nil
	begun     map[*bot.Program]bool                       // that have played games
}

// Ask answers questions, in their order. It plays the games that are not known. Those of questions
// that follow one another at one search are played in one go. A bot that cannot play a game fails
// the question. A failure that is known also fails the player's questions behind it there. known
// is nil, or has an element for each question. The error is of the simulator.
func (l *Lab) Ask(ctx context.Context, questions []Question, known []Known) (answers []Evaluation, err error) {
	for from, end := 0, 0; from < len(questions); from = end {
		for end = from; end < len(questions) && questions[end].Search == questions[from].Search; end++ {
		}
		if _, err := l.stream(ctx, questions[from:end], known[min(from, len(known)):min(end, len(known))], dealing{},
			func(e Evaluation) error {
				answers = append(answers, e)
				return nil
			}); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// dealing is how a limit deals the seeds of questions. The zero value plays them all.
type dealing struct {
	together int                 // seeds that begin together; 0: all do
	least    int                 // seeds from the beginning of the stream that begin whatever the time
	over     func() bool         // whether there is no time for more
	cut      func(end int) error // gets where the seeds begin that are left out, before the last answers
}

// chunk returns the place in the stream where the seeds begin with which a seed begins.
func (d dealing) chunk(index int) int {
	if d.together == 0 {
		return 0
	}
	return index - index%d.together
}

// stream is Ask at one search. It hands over each answer as soon as it has this one and all before
// it. An error of take ends it. If there is no time for the last seeds, it returns where in the
// stream these begin, and the answers have only the games before. Otherwise it returns never.
func (l *Lab) stream(ctx context.Context, questions []Question, known []Known, deal dealing,
	take func(Evaluation) error) (end int, err error) {
	type place struct{ question, game int }
	var missing []place
	answers, games := make([]Evaluation, len(questions)), make([][]simulator.Outcome, len(questions))
	left := make([]int, len(questions)) // games to play
	batch := simulator.Batch{}
	players, lost := map[string]int{}, map[string]string{} // the index in the batch and the failure, by hash
	for i := range questions {
		q, k := &questions[i], Known{}
		if len(known) > 0 {
			k = known[i]
		}
		answers[i] = q.Evaluation
		if k.Evaluation != nil {
			answers[i] = *k.Evaluation
			lost[q.hash] = cmp.Or(lost[q.hash], k.Evaluation.Failure)
			deal.least = max(deal.least, q.First+q.Games) // other players have the same seeds
			continue
		}
		lost[q.hash] = cmp.Or(lost[q.hash], k.Failure)
		games[i] = make([]simulator.Outcome, q.Games)
		for game := range games[i] {
			o, have := k.Outcomes[game]
			o.Failed = lost[q.hash]
			if o.Failed == "" && have { // another objective or other bounds took it
				o.Failed = l.fault(q.player, q.Seeds.At(q.First+game), o)
			} else if o.Failed == "" {
				if _, there := players[q.hash]; !there {
					players[q.hash] = len(batch.Players)
					batch.Players = append(batch.Players, q.player)
				}
				missing = append(missing, place{i, game})
				left[i]++
			}
			games[i][game] = o
		}
	}
	chunk := func(p place) int { return deal.chunk(questions[p.question].First + p.game) }
	slices.SortStableFunc(missing, func(a, b place) int { // each player's together
		q, r := &questions[a.question], &questions[b.question]
		return cmp.Or(cmp.Compare(chunk(a), chunk(b)), cmp.Compare(q.part, r.part),
			cmp.Compare(players[q.hash], players[r.hash]))
	})
	var chunks []int // where those begin that the limit decides on
	for i, m := range missing {
		q := &questions[m.question]
		batch.Jobs = append(batch.Jobs, simulator.Job{Player: players[q.hash], Seed: q.Seeds.At(q.First + m.game)})
		begins := i == 0 || chunk(missing[i-1]) != chunk(m)
		if at := max(chunk(m), questions[0].First); begins && deal.over != nil && at >= deal.least {
			batch.Parts, chunks = append(batch.Parts, i), append(chunks, at)
		}
	}
	var begun atomic.Int64 // of these
	batch.More = func() bool {
		if deal.over() {
			return false
		}
		begun.Add(1)
		return true
	}
	reached := func() int { // where in the stream the seeds begin that may yet be left out
		if n := int(begun.Load()); n < len(chunks) {
			return chunks[n]
		}
		return never
	}
	next := 0
	hand := func() error {
		for ; next < len(questions) && left[next] == 0 && questions[next].First+questions[next].Games <= reached(); next++ {
			if games[next] != nil {
				answers[next].summarize(games[next])
			}
			if err := take(answers[next]); err != nil {
				return err
			}
			games[next], answers[next] = nil, Evaluation{}
		}
		return nil
	}
	if err := hand(); err != nil {
		return never, err
	}
	if err := l.play(ctx, questions, batch, func(job int, o simulator.Outcome) error {
		m := missing[job]
		q := &questions[m.question]
		games[m.question][m.game] = o
		if o.Failed == "" && l.Played != nil {
			game := Game{Place: q.Place, Number: q.Number, Index: q.First + m.game, Seed: batch.Jobs[job].Seed, Outcome: o}
			if err := l.Played(context.WithoutCancel(ctx), game); err != nil {
				return err
			}
		}
		left[m.question]--
		return hand()
	}); err != nil {
		return never, err
	}
	end = reached()
	if end == never {
		return never, hand()
	}
	if err := deal.cut(end); err != nil {
		return end, err
	}
	for ; next < len(questions) && questions[next].First < end; next++ {
		in := end - questions[next].First
		if games := games[next]; games != nil {
			answers[next].summarize(games[:min(len(games), in)])
		}
		if err := take(answers[next].Cut(in)); err != nil {
			return end, err
		}
	}
	return end, nil
}

// Player is who plays the games of the question.
func (q *Question) Player() eval.Player { return q.player }

// play plays a batch, which may be empty, at the search of the questions.
func (l *Lab) play(ctx context.Context, questions []Question, batch simulator.Batch,
	take func(job int, o simulator.Outcome) error) (err error) {
	if len(batch.Jobs) == 0 {
		return nil
	}
	batch.Search, err = engine.ParseSettings(questions[0].Search)
	if err != nil {
		return err
	}
	l.playTwice(batch)
	_, err = l.Simulator.Play(ctx, batch, func(job int, o simulator.Outcome) error {
		if o.Unlike != "" && l.Unlike != nil {
			if err := l.Unlike(context.WithoutCancel(ctx), o.Unlike); err != nil {
				return err
			}
		}
		o.Unlike = ""
		if at := batch.Jobs[job]; o.Failed == "" {
			o.Failed = l.fault(batch.Players[at.Player], at.Seed, o)
		}
		return take(job, o)
	})
	return err
}

// fault says why a game of a player does not count, or is empty.
func (l *Lab) fault(by eval.Player, seed uint64, o simulator.Outcome) string {
	if err := l.Objective.Check(o, by.Heuristic.Bot); err != nil {
		return fmt.Sprintf("its game with seed %d: %v", seed, err)
	}
	return ""
}

// playTwice has the first game of each bot played twice, and then one in a hundred by their seeds:
// so a run finds out that a bot does not repeat itself.
func (l *Lab) playTwice(batch simulator.Batch) {
	if l.Unlike == nil { // nobody asks
		return
	}
	if l.begun == nil {
		l.begun = map[*bot.Program]bool{}
	}
	for i := range batch.Jobs {
		job := &batch.Jobs[i]
		if bot := batch.Players[job.Player].Heuristic.Bot; bot != nil {
			job.Twice = !l.begun[bot] || portable.Hash(job.Seed, "twice")%100 == 0
			l.begun[bot] = true
		}
	}
}
