package experiments

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/eval"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments/fitness"
)

// batchSize is the most games of a candidate that are recorded as one evaluation, outside tuning. A
// larger question takes over the whole batches of a smaller one.
const batchSize = 50

// batches splits a block into blocks of batchSize seeds. Each numbers its games behind the last.
func (b Block) batches() (all []Block) {
	seeds, first := b.Seeds, b.First
	for len(seeds) > 0 {
		batch := b
		batch.Seeds, batch.First = seeds[:min(batchSize, len(seeds))], first
		seeds, first = seeds[len(batch.Seeds):], first+int64(batch.Games())
		all = append(all, batch)
	}
	return all
}

// blockPlayer is the only type that recalls, plays, records and finishes blocks of games.
type blockPlayer struct {
	store     Store
	run       int64
	simulator Simulator
	objective fitness.Objective
	rows      string // config.StoreAll ...: games to keep as rows
	player    func(candidate int) eval.Player
	recalled  func(b Block, readBack int, recorded bool)    // for each block, before its first game
	played    func(Game)                                    // called for each game that is played
	accept    func(b Block, evaluations []Evaluation) error // refuses a block before it is recorded
	// candidates that could not be played, with Evaluation.Failure
	failed map[int]string
	begun  map[*bot.Program]bool // that have played games
	all    map[Place]*Standings  // by phase, stage and search
}

// playedBlock is a block with its games.
type playedBlock struct {
	Block
	recalled Recalled
	games    []simulator.Outcome // by index; none where the evaluation was recalled
}

// play carries out blocks of one phase and search: it reads back what the store has, plays the
// missing games in one go and records them. It takes the evaluations into the standings, and
// returns them in the order of the blocks, and in each in the order of the candidates.
func (p *blockPlayer) play(ctx context.Context, blocks ...Block) ([]Evaluation, error) {
	for i, b := range blocks {
		blocks[i].Keys = p.keys(b)
	}
	recalled, err := p.store.Recall(ctx, p.run, blocks...)
	if err != nil {
		return nil, err
	}
	all := make([]playedBlock, len(blocks))
	var missing []queuedGame
	failed := maps.Clone(p.failed)
	for i, b := range blocks {
		all[i] = playedBlock{Block: b, recalled: recalled[i]}
		absent, known := all[i].missing(failed)
		missing = append(missing, absent...)
		p.recalled(b, known, all[i].recalled.Recorded)
	}
	if err := p.playMissing(ctx, missing); err != nil {
		return nil, err
	}
	return p.finish(ctx, all)
}

// keys returns the keys of a block's evaluations: each is a hash of all that its games depend on.
// These are the signature of the play, the rules, the player, the search and the seeds.
func (p *blockPlayer) keys(b Block) (keys []string) {
	var seeds []byte
	for _, seed := range b.Seeds {
		seeds = binary.BigEndian.AppendUint64(seeds, seed)
	}
	for _, number := range b.Candidates {
		text := append([]byte(simulator.Signature+"\n"+p.player(number).Hash()+"\n"+b.Search+"\n"), seeds...)
		sum := sha256.Sum256(text)
		keys = append(keys, hex.EncodeToString(sum[:16]))
	}
	return keys
}

// missing fills in the games that were recalled, and returns the others. known is the number of
// recalled ones. It adds to the candidates
// that have failed: these play no further block.
func (b *playedBlock) missing(failed map[int]string) (missing []queuedGame, known int) {
	b.games = make([]simulator.Outcome, b.Games())
	before := maps.Clone(failed)
	for number, e := range b.recalled.Evaluations {
		if e.Failure != "" {
			failed[number] = e.Failure
		}
	}
	for index := range b.games {
		g := b.Game(index)
		if e, evaluated := b.recalled.Evaluations[g.Candidate]; evaluated || before[g.Candidate] != "" {
			if e.Failure == "" && evaluated {
				known++
			}
			continue
		}
		var recalled bool
		if b.games[index], recalled = b.recalled.Games[index]; recalled {
			known++
		} else {
			missing = append(missing, queuedGame{Game: g, take: func(o simulator.Outcome) { b.games[index] = o }})
		}
	}
	return missing, known
}

// queuedGame is a game to be played.
type queuedGame struct {
	Game
	take func(simulator.Outcome) // gets the outcome
}

// playMissing plays games at one search, each player's games together. It records each game as it
// ends, also while the run is being stopped.
func (p *blockPlayer) playMissing(ctx context.Context, games []queuedGame) error {
	if len(games) == 0 {
		return nil
	}
	settings, err := engine.ParseSettings(games[0].Search)
	if err != nil {
		return err
	}
	batch := simulator.Batch{Search: settings}
	players := map[int]int{} // index in the batch, by candidate
	for _, g := range games {
		if _, known := players[g.Candidate]; !known {
			players[g.Candidate] = len(batch.Players)
			batch.Players = append(batch.Players, p.player(g.Candidate))
		}
	}
	slices.SortStableFunc(games, func(a, b queuedGame) int {
		return cmp.Compare(players[a.Candidate], players[b.Candidate])
	})
	for _, g := range games {
		batch.Jobs = append(batch.Jobs, simulator.Job{Player: players[g.Candidate], Seed: g.Seed})
	}
	p.playTwice(batch)
	// Outcomes go through g.take into the blocks, and by AddGame into the store.
	_, err = p.simulator.Play(ctx, batch, func(job int, o simulator.Outcome) error {
		g := games[job]
		if o.Unlike != "" {
			if err := p.store.SetUnrepeatable(context.WithoutCancel(ctx), p.run, o.Unlike); err != nil {
				return err
			}
			o.Unlike = ""
		}
		if err := p.objective.Check(o); err != nil && o.Failed == "" {
			o.Failed = fmt.Sprintf("its game with seed %d: %v", g.Seed, err)
		}
		g.Outcome = o
		g.take(o)
		if o.Failed != "" {
			return nil
		}
		p.played(g.Game)
		return p.store.AddGame(context.WithoutCancel(ctx), p.run, g.Game)
	})
	return err
}

// playTwice has the first game of each bot played twice, and then one in a hundred by their seeds:
// so a run finds out that a bot does not repeat itself.
func (p *blockPlayer) playTwice(batch simulator.Batch) {
	if p.begun == nil {
		p.begun = map[*bot.Program]bool{}
	}
	for i := range batch.Jobs {
		job := &batch.Jobs[i]
		if bot := batch.Players[job.Player].Heuristic.Bot; bot != nil {
			job.Twice = !p.begun[bot] || portable.Hash(job.Seed, "twice")%100 == 0
			p.begun[bot] = true
		}
	}
}

// finish evaluates blocks, none of whose games is missing any more, and records them.
func (p *blockPlayer) finish(ctx context.Context, blocks []playedBlock) (all []Evaluation, err error) {
	var fresh []Evaluation // that the run has not recorded
	for _, b := range blocks {
		n := len(b.Seeds)
		var evaluations []Evaluation
		for i, number := range b.Candidates {
			if p.failed[number] != "" { // in an earlier block, while this one was played
				continue
			}
			e, known := b.recalled.Evaluations[number]
			if e.Place = b.place(i); !known {
				e = summarize(e.Place, b.Keys[i], b.games[i*n:(i+1)*n])
			}
			evaluations = append(evaluations, e)
		}
		if p.accept != nil {
			if err := p.accept(b.Block, evaluations); err != nil {
				return nil, err
			}
		}
		for _, e := range evaluations {
			if e.Failure != "" {
				p.failed[e.Candidate] = e.Failure
			}
		}
		if p.standingsAt(b.Phase, b.Stage, b.Search).add(evaluations...); !b.recalled.Recorded {
			fresh = append(fresh, evaluations...)
		}
		all = append(all, evaluations...)
	}
	if fresh != nil {
		err = p.store.AddEvaluations(ctx, p.run, fresh, Keeps(p.rows, fresh[0].Phase))
	}
	return all, err
}

// playable returns the candidates that have not failed.
func (p *blockPlayer) playable(numbers []int) []int {
	return slices.DeleteFunc(slices.Clone(numbers), func(number int) bool { return p.failed[number] != "" })
}

// standingsAt returns the standings of a phase, stage and search.
func (p *blockPlayer) standingsAt(phase, stage, search string) *Standings {
	at := Place{Phase: phase, Stage: stage, Search: search}
	if p.all[at] == nil {
		if p.all == nil {
			p.all = map[Place]*Standings{}
		}
		p.all[at] = NewStandings(p.objective)
	}
	return p.all[at]
}

// Keeps reports whether the games of a phase stay in the store as rows. rows is config.StoreAll,
// StoreValidation or StoreNone.
func Keeps(rows, phase string) bool {
	switch rows {
	case config.StoreNone:
		return false
	case config.StoreValidation:
		return phase != PhaseTuning
	default:
		return true
	}
}

// distinct returns the numbers in their order, each once.
func distinct(numbers []int) []int {
	var once []int
	for _, n := range numbers {
		if !slices.Contains(once, n) {
			once = append(once, n)
		}
	}
	return once
}

func sortedKeys[V any](m map[int]V) []int { return slices.Sorted(maps.Keys(m)) }
