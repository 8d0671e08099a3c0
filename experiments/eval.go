package experiments

import (
	"context"
	"errors"
	"fmt"
	"io"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/engine/simulator"
)

// Eval measures candidates for the optimizer of another program. All of them play the same seeds.
// Questions that were asked before are answered from the store. The run is of KindEval and grows
// with every question. It is finished whenever there are no more.
//
// Each candidate has its own part of the run's game numbers. So the records do not depend on which
// questions were played together.
type Eval struct {
	Config    *configs.Config
	Simulator Simulator
	Store     Store
	Archive   Archive // of the same store
	New       bool    // start afresh even if the store has a run of this config
	Begun     func(Run)
	// Next returns the waiting questions, which are played together. io.EOF ends the run.
	Next func(ctx context.Context) ([]Question, error)
	// Answer gets the answers to these questions, in their order.
	Answer func([]Question, []Answer) error
}

// Question asks for an evaluation of a candidate.
type Question struct {
	ID       string           // names a candidate with these weights, games and search from now on
	Weights  heuristic.Vector // of all weights of the config's family
	Games    int
	Search   engine.Settings
	Instance int // at least 0; each instance has other games
}

// Answer is the evaluation of a candidate, or the reason why the question cannot be answered.
type Answer struct {
	Evaluation
	Err error // never a failure of the store or of the simulator, which end the run
}

// gamesOfCandidate is how many of a run's games each candidate may play. It also bounds the number
// of candidates.
const (
	gamesOfCandidate   = 10_000
	mostEvalCandidates = MaxGames / gamesOfCandidate
)

const originAsked = "asked"

// evaluator is an Eval under way.
type evaluator struct {
	Eval
	run        Run
	candidates registry
	blocks     blockPlayer
	named      map[string]int // candidates by id
	asked      map[int]*asked // by candidate
}

// asked says how a candidate was asked for, which its id stands for.
type asked struct {
	games     int
	search    string
	instances map[int]Evaluation
}

// Run answers questions until there are no more. When ctx is done it marks the run as interrupted
// and returns ctx's error.
func (x Eval) Run(ctx context.Context) (err error) {
	c := x.Config
	run, err := begin(ctx, x.Store, RunSpec{
		Name: c.Name + "-eval", Kind: KindEval, ConfigYAML: string(c.YAML()), ConfigHash: c.Hash, Seed: c.Seed,
		Signature: simulator.Signature, Objective: c.Objective.String(), New: x.New,
	}, &c.Family)
	if err != nil {
		return err
	}
	defer func() { err = finish(ctx, x.Store, run.ID, err) }()
	e := &evaluator{Eval: x, run: run, candidates: newRegistry(c), named: map[string]int{}, asked: map[int]*asked{}}
	e.blocks = blockPlayer{
		store: x.Store, run: run.ID, changed: run.Changed, simulator: x.Simulator, rules: c.Rules, objective: c.Objective, rows: c.StoreGames,
		player: e.candidates.player, recalled: func(Block, int, bool) {}, played: func(Game) {},
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

// recall reads back what the store has of the run. The start weights are the first candidate, as in
// other runs, but play only if they are asked for.
func (e *evaluator) recall(ctx context.Context) error {
	r := &e.candidates
	r.add(Candidate{Origin: "start", Dead: e.Config.Family.Dead}, r.start)
	var err error
	if r.stored, err = e.Store.Candidates(ctx, e.run.ID); err != nil {
		return err
	}
	for _, s := range r.stored[min(1, len(r.stored)):] {
		values, err := s.vector(&e.Config.Family)
		if err != nil {
			return fmt.Errorf("resume run %s: candidate %d: %w: the database was changed by hand; start afresh with -new", e.run.Name, s.Number, err)
		}
		e.add(s.Name, values)
	}
	if err := r.record(ctx, e.Store, e.run); err != nil {
		return err
	}
	evaluations, err := e.Archive.Evaluations(ctx, e.run.ID)
	for _, found := range evaluations {
		e.ask(found.Candidate, found.Score.N, found.Search).instances[found.Generation] = found
		e.blocks.standingsAt(PhaseEval, "", found.Search).add(found)
	}
	return err
}

// add makes a candidate of these weights and returns its number.
func (e *evaluator) add(id string, values heuristic.Vector) int {
	number := e.candidates.append(Candidate{Origin: originAsked, Name: id, Dead: e.Config.Family.Dead}, unsigned(values))
	e.named[id] = number
	return number
}

// ask returns how a candidate was asked for: as it is now, if it was not before.
func (e *evaluator) ask(number, games int, search string) *asked {
	if e.asked[number] == nil {
		e.asked[number] = &asked{games, search, map[int]Evaluation{}}
	}
	return e.asked[number]
}

// answer answers questions. It plays in one go what was not asked before. Its error is the store's
// or the simulator's, never a candidate's.
func (e *evaluator) answer(ctx context.Context, questions []Question) ([]Answer, error) {
	answers := make([]Answer, len(questions))
	var blocks []Block
	for i, q := range questions {
		b, err := e.plan(q)
		if b != nil {
			blocks = append(blocks, *b)
		}
		answers[i].Err = err
	}
	if err := e.candidates.record(ctx, e.Store, e.run); err != nil {
		return nil, err
	}
	played, err := e.blocks.play(ctx, blocks...)
	if err != nil {
		return nil, err
	}
	for _, b := range played {
		e.asked[b.Candidates[0]].instances[b.Generation] = b.evaluations[0]
	}
	for i, q := range questions {
		if answers[i].Err == nil {
			answers[i].Evaluation = e.asked[e.named[q.ID]].instances[q.Instance]
		}
	}
	return answers, nil
}

// plan returns the block of a question's games, or nil if it was asked before. Its error says why
// they cannot be played.
func (e *evaluator) plan(q Question) (*Block, error) {
	if q.Games < 1 || q.Games > gamesOfCandidate {
		return nil, fmt.Errorf("games: want 1 to %d, got %d", gamesOfCandidate, q.Games)
	}
	number, known := e.named[q.ID]
	switch {
	case known:
		for i, w := range e.candidates.weights {
			if asked := e.candidates.vectors[number][i]; asked != q.Weights[i] {
				return nil, fmt.Errorf("id %s was asked with %s %v, now with %v: want another id for other weights", q.ID, w.Name, asked, q.Weights[i])
			}
		}
	case len(e.candidates.list) == mostEvalCandidates:
		return nil, fmt.Errorf("run %s has %d candidates: want another one, with -new", e.run.Name, mostEvalCandidates)
	default:
		number = e.add(q.ID, q.Weights)
	}
	search := q.Search.String()
	a := e.ask(number, q.Games, search)
	if a.games != q.Games || a.search != search {
		return nil, fmt.Errorf("this candidate was asked for with %d games at %s, now with %d at %s: want another id for it", a.games, a.search, q.Games, search)
	}
	if _, known := a.instances[q.Instance]; known {
		return nil, nil
	}
	played := len(a.instances) * a.games
	if played+a.games > gamesOfCandidate {
		return nil, fmt.Errorf("games: this candidate has played %d of the %d that one may play", played, gamesOfCandidate)
	}
	a.instances[q.Instance] = Evaluation{}
	return &Block{
		Phase: PhaseEval, Search: search, Generation: q.Instance, Round: number, Candidates: []int{number},
		Seeds: gameSeeds(e.Config.Seed, PhaseEval, "", q.Instance, 0, q.Games), First: int64(number)*gamesOfCandidate + int64(played),
	}, nil
}
