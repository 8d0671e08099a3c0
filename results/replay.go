package results

import (
	"context"
	"fmt"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// Config is the config that the run was made with. A comparison has none: see Comparison.
func (r Run) Config() (*configs.Config, error) {
	c, err := configs.ParseStored([]byte(r.ConfigYAML), "run "+r.Name)
	if err != nil {
		return nil, fmt.Errorf("the stored config of run %s cannot be read: %w", r.Name, err)
	}
	return c, nil
}

// Comparison is what the run, a comparison, was made with.
func (r Run) Comparison() (*configs.Comparison, error) {
	c, err := configs.ParseComparison([]byte(r.ConfigYAML), "run "+r.Name)
	if err != nil {
		return nil, fmt.Errorf("the stored players of run %s cannot be read: %w", r.Name, err)
	}
	return c, nil
}

// Stored says how games of the run, of whatever kind it is, are played again.
func (r Run) Stored() (experiments.Stored, error) {
	if r.Kind == experiments.KindCompare {
		c, err := r.Comparison()
		if err != nil {
			return experiments.Stored{}, err
		}
		return experiments.StoredComparison(c), nil
	}
	c, err := r.Config()
	if err != nil {
		return experiments.Stored{}, err
	}
	if r.Kind == experiments.KindEval {
		return experiments.StoredEval(c), nil
	}
	return experiments.StoredExperiment(c, r.HeldOutSalt), nil
}

// Replay is a stored game, ready to be played again: engine.Play(Rules, Game.Seed, Player, ...).
type Replay struct {
	ID     int64
	Run    Run
	Game   experiments.Game
	Rules  engine.Rules
	Player *engine.Expectimax

	database string // its path
}

// Replay returns a game by its id. The error wraps ErrNotFound if there is none.
func (r *Reader) Replay(ctx context.Context, id int64) (Replay, error) {
	run, game, err := r.GameOfRun(ctx, id)
	if err != nil {
		return Replay{}, err
	}
	stored, err := run.Stored()
	if err != nil {
		return Replay{}, err
	}
	candidate, err := r.Candidate(ctx, run.ID, game.Candidate)
	if err != nil {
		return Replay{}, err
	}
	who, err := stored.Player(candidate, game.Search)
	if err != nil {
		return Replay{}, fmt.Errorf("game %d of run %s: %w", id, run.Name, err)
	}
	tables, err := heuristic.NewCompiler(who.Family).Compile(who.Values, who.Dead)
	if err != nil {
		return Replay{}, fmt.Errorf("game %d of run %s: candidate %d: %w", id, run.Name, game.Candidate, err)
	}
	player := new(engine.Expectimax)
	player.Prepare(tables, who.Settings, stored.Rules)
	return Replay{ID: id, Run: run, Game: game, Rules: stored.Rules, Player: player, database: r.path}, nil
}

// Check returns an error unless the game that was played ended as it is stored.
func (r Replay) Check(played engine.Result) error {
	differing := experiments.DifferingOutcomes(r.Game.Outcome, simulator.Outcome{Result: played})
	if len(differing) == 0 {
		return nil
	}
	text := fmt.Sprintf("game %d does not end as stored", r.ID)
	for _, d := range differing {
		text += fmt.Sprintf("; %s stored %v, played %v", d.Name, d.Stored, d.Found)
	}
	if r.Run.Signature != simulator.Signature {
		return fmt.Errorf("%s: run %s was played by an engine with signature %s, this program's is %s (play it with the version of tune that made the run)",
			text, r.Run.Name, r.Run.Signature, simulator.Signature)
	}
	return fmt.Errorf("%s (tune verify -all %s%s looks at all games)", text, r.Run.Name, DatabaseFlag(r.database))
}
