package experiments

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/engine/simulator"
)

// Eval tells the optimizer of another program what its candidates are worth. Each plays the same seeds, and what was asked before is
// answered from the store. Its run is of KindEval and grows with every question: it is finished whenever there are no more.
//
// Each candidate has a part of the run's games for itself, so what is recorded does not depend on which questions were played
// together.
type Eval struct {
	Config    *configs.Config
	Simulator Simulator
	Store     Store
	Archive   Archive // of the same store
	New       bool    // start afresh even if the store has a run of this config
	Begun     func(Run)
	// Next returns the questions that wait, which are played together; no more after io.EOF.
	Next func(ctx context.Context) ([]Question, error)
	// Answer is told the answers to these, in their order.
	Answer func([]Question, []Answer) error
}

// Question asks what a candidate is worth.
type Question struct {
	ID       string           // of the candidate, which stands for its weights, games and search from now on
	Weights  heuristic.Vector // of all weights of the config's family
	Games    int
	Search   engine.Settings
	Instance int // which games, at least 0: those of each instance are others
}

// Answer is what a candidate's games came to, or what is wrong with the question.
type Answer struct {
	Evaluation
	Err error // never a failure of the store or of the simulator, which end the run
}

// gamesOfCandidate is the part of a run's games that each candidate has, which bounds the candidates too.
const (
	gamesOfCandidate   = 10_000
	MostEvalCandidates = MaxGames / gamesOfCandidate
)

const originAsked = "asked"

// evalSeeds are those of the games of an instance, the same for every candidate.
func evalSeeds(c *configs.Config, instance, games int) []uint64 {
	return gameSeeds(c.Seed, PhaseEval, "", instance, 0, games)
}

// evaluator is an Eval under way.
type evaluator struct {
	Eval
	run        Run
	candidates registry
	named      map[string]int             // candidates by id
	asked      map[int]*asked             // by candidate
	evaluated  map[int]map[int]Evaluation // by candidate and instance
	standings  map[string]*standings      // by search
}

// asked is how a candidate was asked for, which its id stands for.
type asked struct {
	games  int
	search string
	first  map[int]int64 // number of its first game by instance
}

// Run answers questions until there are no more. When ctx is done the run is left as interrupted and the error is ctx's.
func (x Eval) Run(ctx context.Context) (err error) {
	c := x.Config
	run, err := x.Store.Begin(ctx, RunSpec{
		Name: c.Name + "-eval", Kind: KindEval, ConfigYAML: string(c.YAML()), ConfigHash: c.Hash, Seed: c.Seed,
		Signature: simulator.Signature, Objective: c.Objective.String(), New: x.New,
	})
	if err != nil {
		return err
	}
	defer func() { err = finish(ctx, x.Store, run.ID, err) }()
	e := &evaluator{
		Eval: x, run: run, candidates: newRegistry(c), named: map[string]int{}, asked: map[int]*asked{}, evaluated: map[int]map[int]Evaluation{}, standings: map[string]*standings{},
	}
	if err := e.recall(ctx); err != nil {
		return err
	}
	x.Begun(run)
	for {
		questions, err := x.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		answers, err := e.answer(ctx, questions)
		if err != nil {
			return err
		}
		if err := x.Answer(questions, answers); err != nil {
			return err
		}
	}
}

// recall takes in what the store knows of the run. The start weights are the first candidate of this run as of others, but play
// only if they are asked for.
func (e *evaluator) recall(ctx context.Context) error {
	r := &e.candidates
	r.add(Candidate{Origin: "start", Dead: e.Config.Family.Dead}, r.start)
	stored, err := e.Store.Candidates(ctx, e.run.ID)
	if err != nil {
		return err
	}
	r.stored = stored
	for _, s := range stored[min(1, len(stored)):] {
		values := slices.Clone(r.start)
		for _, w := range s.Weights {
			i := slices.IndexFunc(r.weights, func(known heuristic.Weight) bool { return known.Name == w.Name })
			if i < 0 {
				return fmt.Errorf("resume run %s: candidate %d has a weight %s, which its config has not: the database was changed by hand; start afresh with -new",
					e.run.Name, s.Number, w.Name)
			}
			values[i] = w.Value
		}
		e.add(s.Name, values)
	}
	if err := r.record(ctx, e.Store, e.run, 0); err != nil {
		return err
	}
	evaluations, err := e.Archive.Evaluations(ctx, e.run.ID)
	for _, evaluation := range evaluations {
		e.remember(evaluation)
	}
	return err
}

// add makes a candidate of these weights and returns its number.
func (e *evaluator) add(id string, values heuristic.Vector) int {
	number := e.candidates.append(Candidate{Origin: originAsked, Name: id, Dead: e.Config.Family.Dead}, unsigned(values))
	e.named[id] = number
	return number
}

// remember takes an evaluation into what is known.
func (e *evaluator) remember(found Evaluation) {
	if e.evaluated[found.Candidate] == nil {
		e.evaluated[found.Candidate] = map[int]Evaluation{}
	}
	e.evaluated[found.Candidate][found.Generation] = found
	e.ask(found.Candidate, found.Score.N, found.Search).first[found.Generation] = found.Game
	if e.standings[found.Search] == nil {
		e.standings[found.Search] = newStandings(e.Config.Objective)
	}
	e.standings[found.Search].add(found)
}

// ask returns how a candidate was asked for: as it is now, if it was not before.
func (e *evaluator) ask(number, games int, search string) *asked {
	if e.asked[number] == nil {
		e.asked[number] = &asked{games, search, map[int]int64{}}
	}
	return e.asked[number]
}

// answer answers questions: what is not known is played in one go.
func (e *evaluator) answer(ctx context.Context, questions []Question) ([]Answer, error) {
	answers, blocks := make([]Answer, len(questions)), make([]Block, len(questions))
	before := len(e.candidates.list)
	for i, q := range questions {
		blocks[i], answers[i].Err = e.plan(q)
	}
	if err := e.candidates.record(ctx, e.Store, e.run, before); err != nil {
		return nil, err
	}
	if err := e.play(ctx, blocks, answers); err != nil {
		return nil, err
	}
	for i, b := range blocks {
		if answers[i].Err == nil {
			answers[i].Evaluation = e.evaluated[b.Candidates[0]][b.Generation]
		}
	}
	return answers, nil
}

// plan returns the block of a question's games, or why they cannot be played.
func (e *evaluator) plan(q Question) (b Block, err error) {
	if q.Games < 1 || q.Games > gamesOfCandidate {
		return b, fmt.Errorf("games: want 1 to %d, got %d", gamesOfCandidate, q.Games)
	}
	number, known := e.named[q.ID]
	if known {
		for i, w := range e.candidates.weights {
			if asked := e.candidates.vectors[number][i]; asked != q.Weights[i] {
				return b, fmt.Errorf("id %s was asked with %s %v, now with %v: want another id for other weights", q.ID, w.Name, asked, q.Weights[i])
			}
		}
	} else if len(e.candidates.list) == MostEvalCandidates {
		return b, fmt.Errorf("run %s has %d candidates: want another one, with -new", e.run.Name, MostEvalCandidates)
	}
	if !known {
		number = e.add(q.ID, q.Weights)
	}
	a := e.ask(number, q.Games, q.Search.String())
	if a.games != q.Games || a.search != q.Search.String() {
		return b, fmt.Errorf("this candidate was asked for with %d games at %s, now with %d at %s: want another id for it", a.games, a.search, q.Games, q.Search)
	}
	first, known := a.first[q.Instance]
	if !known {
		played := len(a.first) * a.games
		if played+a.games > gamesOfCandidate {
			return b, fmt.Errorf("games: this candidate has played %d of the %d that one may play", played, gamesOfCandidate)
		}
		first = int64(number)*gamesOfCandidate + int64(played)
		a.first[q.Instance] = first
	}
	return Block{
		Phase: PhaseEval, Search: q.Search.String(), Generation: q.Instance, Round: number, Candidates: []int{number}, settings: q.Search,
		Seeds: evalSeeds(e.Config, q.Instance, q.Games), First: first, generations: 1,
	}, nil
}

// play plays and records the blocks whose evaluations are not known. Its error is the store's or
// the simulator's, never a candidate's.
func (e *evaluator) play(ctx context.Context, blocks []Block, answers []Answer) error {
	rest := missing{batch: simulator.Batch{Rules: e.Config.Rules}}
	outcomes := make([][]simulator.Outcome, len(blocks))
	asked := map[int64]bool{} // the blocks that are played, by their first games
	for i, b := range blocks {
		if answers[i].Err != nil {
			continue
		}
		if _, known := e.evaluated[b.Candidates[0]][b.Generation]; known {
			continue
		}
		if asked[b.First] { // twice at once
			continue
		}
		recorded, err := e.Store.Games(ctx, e.run.ID, b)
		if err != nil {
			return err
		}
		asked[b.First] = true
		outcomes[i] = make([]simulator.Outcome, len(b.Seeds))
		for index := range b.Seeds {
			if o, known := recorded[index]; known {
				outcomes[i][index] = o
				continue
			}
			rest.add(b.Game(index), &outcomes[i][index], func() simulator.Player {
				p := e.candidates.player(b.Candidates[0])
				p.Settings = b.settings
				return p
			})
		}
	}
	if err := rest.play(ctx, e.Simulator, e.Store, e.run.ID, func(Game) {}); err != nil {
		return err
	}
	for i, b := range blocks {
		if outcomes[i] == nil {
			continue
		}
		found := summarize(e.Config.Objective, b.place(0), outcomes[i])
		e.remember(found)
		all := e.standings[b.Search]
		if err := e.Store.FinishBlock(ctx, e.run.ID, b, []Evaluation{found}, all.list(b.Candidates), all.spread(), keeps(e.Config.Store, PhaseEval)); err != nil {
			return err
		}
	}
	return nil
}
