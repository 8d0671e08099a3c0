package experiments

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/tuner/fitness"
)

// blockPlayer is the only type that recalls, plays, records and finishes blocks of games.
type blockPlayer struct {
	store     Store
	run       int64
	simulator Simulator
	rules     engine.Rules
	objective fitness.Objective
	rows      string                                                            // configs.StoreAll ...: games to keep as rows
	shared    bool                                                              // take games of other finished runs
	player    func(candidate int) simulator.Player                              // its search is the block's
	recalled  func(b Block, readBack int, finished bool)                        // for each block, before its first game
	played    func(Game)                                                        // called for each game that is played
	audits    func(context.Context, simulator.Batch, []simulator.Outcome) error // Experiment.Audit
	changed   string                                                            // Run.Changed
	begun     map[*bot.Program]bool                                             // that have played games
	failed    bool                                                              // the run did before: the games that it left are not audited again
	all       map[Place]*standings                                              // by phase, stage and search
}

// playedBlock is a block with its games.
type playedBlock struct {
	Block
	recalled    Recalled
	games       []simulator.Outcome // by index; none where the evaluation was recalled
	evaluations []Evaluation        // in the order of the candidates
}

// play carries out blocks: it reads back what the store has, plays the missing games in one go and
// records them. It takes the evaluations into the standings. Blocks are finished in their order,
// whichever games end first.
func (p *blockPlayer) play(ctx context.Context, blocks ...Block) ([]playedBlock, error) {
	all := make([]playedBlock, len(blocks))
	var missing []queuedGame
	for i, b := range blocks {
		all[i].Block = b
		absent, err := p.recall(ctx, &all[i])
		if err != nil {
			return nil, err
		}
		missing = append(missing, absent...)
		p.recalled(b, b.Games()-len(absent), all[i].recalled.Finished)
	}
	if err := p.playMissing(ctx, missing); err != nil {
		return nil, err
	}
	for i := range all {
		if err := p.finish(ctx, &all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// recall reads back what the store has of a block, and returns the games that are missing.
func (p *blockPlayer) recall(ctx context.Context, b *playedBlock) (missing []queuedGame, err error) {
	r := &b.recalled
	if *r, err = p.store.Recall(ctx, p.run, b.Block, p.shared); err != nil || r.Finished {
		return nil, err
	}
	if Keeps(p.rows, b.Phase) {
		r.Evaluations = nil // games without rows would be missing here
	}
	b.games = make([]simulator.Outcome, b.Games())
	for index := range b.games {
		g := b.Game(index)
		if _, evaluated := r.Evaluations[g.Candidate]; evaluated {
			continue
		}
		known, taken := false, false
		if g.Outcome, known = r.Games[index]; !known {
			g.Outcome, taken = r.Shared[index]
		}
		b.games[index] = g.Outcome
		switch {
		case taken:
			if err := p.check(g); err != nil {
				return nil, err
			}
			err = p.store.AddGame(ctx, p.run, g)
		case !known:
			missing = append(missing, queuedGame{Game: g, take: func(o simulator.Outcome) { b.games[index] = o }})
		}
		if err != nil {
			return nil, err
		}
	}
	return missing, nil
}

// queuedGame is a game to be played, or to be audited.
type queuedGame struct {
	Game
	take   func(simulator.Outcome) // gets the outcome
	player int                     // index in the batch
}

// batchOf sorts games by their players, for blocks of few players, and returns them as a batch.
// player returns the player of a game.
func batchOf(rules engine.Rules, games []queuedGame, player func(Place) (simulator.Player, error)) (simulator.Batch, error) {
	batch := simulator.Batch{Rules: rules}
	type key struct {
		candidate int
		search    string
	}
	players := map[key]int{} // index in the batch
	for i, g := range games {
		k := key{g.Candidate, g.Search}
		if _, known := players[k]; !known {
			who, err := player(g.Place)
			if err != nil {
				return batch, err
			}
			players[k] = len(batch.Players)
			batch.Players = append(batch.Players, who)
		}
		games[i].player = players[k]
	}
	slices.SortStableFunc(games, func(a, b queuedGame) int { return cmp.Compare(a.player, b.player) })
	for _, g := range games {
		batch.Jobs = append(batch.Jobs, simulator.Job{Player: g.player, Seed: g.Seed})
	}
	return batch, nil
}

// playMissing plays games, each player's games together. It records each game as it ends, also
// while the run is being stopped.
func (p *blockPlayer) playMissing(ctx context.Context, games []queuedGame) error {
	if len(games) == 0 {
		return nil
	}
	if p.begun == nil && p.changed != "" {
		why := fmt.Sprintf("the bot's %s was changed before game %d of the run", p.changed, games[0].Game.Game)
		if err := p.store.SetUnrepeatable(ctx, p.run, why); err != nil {
			return err
		}
	}
	// Outcomes go through g.take into the blocks, and by AddGame into the store.
	batch, err := p.batch(games)
	if err != nil {
		return err
	}
	p.playTwice(batch)
	_, err = p.simulator.Play(ctx, batch, func(job int, o simulator.Outcome) error {
		g := games[job]
		if o.Unlike != "" {
			if err := p.store.SetUnrepeatable(context.WithoutCancel(ctx), p.run, o.Unlike); err != nil {
				return err
			}
			o.Unlike = ""
		}
		g.Outcome = o
		g.take(o)
		if err := p.check(g.Game); err != nil {
			return err
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
		if family := batch.Players[job.Player].Family; family != nil && family.Bot != nil {
			job.Twice = !p.begun[family.Bot] || portable.Hash(job.Seed, "twice")%100 == 0
			p.begun[family.Bot] = true
		}
	}
}

// check refuses a game that the objective cannot judge.
func (p *blockPlayer) check(g Game) error {
	err := p.objective.Check(g.Outcome)
	if err == nil {
		return nil
	}
	program := p.player(g.Candidate).Family.Bot // others say all
	return fmt.Errorf("bot %s, game with seed %d: %w", strings.Join(program.Command, " "), g.Seed, err)
}

func (p *blockPlayer) batch(games []queuedGame) (simulator.Batch, error) {
	return batchOf(p.rules, games, func(at Place) (who simulator.Player, err error) {
		who = p.player(at.Candidate)
		who.Settings, err = engine.ParseSettings(at.Search)
		return who, err
	})
}

// audit has games of workers audited.
func (p *blockPlayer) audit(ctx context.Context, games []queuedGame) error {
	batch, err := p.batch(games)
	if err != nil {
		return err
	}
	var outcomes []simulator.Outcome
	for _, g := range games {
		outcomes = append(outcomes, g.Outcome)
	}
	return p.audits(ctx, batch, outcomes)
}

// auditBlock has a block's games of workers audited.
func (p *blockPlayer) auditBlock(ctx context.Context, b *playedBlock) error {
	var games []queuedGame
	for index, o := range b.games {
		if _, left := b.recalled.Games[index]; o.Worker != "" && !(left && p.failed) {
			g := b.Game(index)
			g.Outcome = o
			games = append(games, queuedGame{Game: g})
		}
	}
	if p.audits == nil || games == nil {
		return nil
	}
	return p.audit(ctx, games)
}

// finish evaluates a block, none of whose games is missing any more, and records it.
func (p *blockPlayer) finish(ctx context.Context, b *playedBlock) error {
	for i, number := range b.Candidates {
		e, known := b.recalled.Evaluations[number]
		if !known {
			e = summarize(p.objective, b.place(i), b.games[i*len(b.Seeds):(i+1)*len(b.Seeds)])
		}
		e.Place = b.place(i)
		b.evaluations = append(b.evaluations, e)
	}
	all := p.standingsAt(b.Phase, b.Stage, b.Search)
	stand := all.take(b.Block, b.evaluations)
	if b.recalled.Finished {
		return nil
	}
	kept := Keeps(p.rows, b.Phase)
	if !kept {
		if err := p.auditBlock(ctx, b); err != nil {
			return err
		}
	}
	return p.store.FinishBlock(ctx, p.run, b.Block, BlockResult{b.evaluations, all.list(stand), all.spread(), kept})
}

// standingsAt returns the standings of a phase, stage and search.
func (p *blockPlayer) standingsAt(phase, stage, search string) *standings {
	at := Place{Phase: phase, Stage: stage, Search: search}
	if p.all[at] == nil {
		if p.all == nil {
			p.all = map[Place]*standings{}
		}
		p.all[at] = newStandings(p.objective)
	}
	return p.all[at]
}

// Keeps reports whether the games of a phase stay in the store as rows. rows is configs.StoreAll,
// StoreValidation or StoreNone.
func Keeps(rows, phase string) bool {
	switch rows {
	case configs.StoreNone:
		return false
	case configs.StoreValidation:
		return slices.Contains(FigurePhases, phase)
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
