// Package export writes players of a database for other programs. It writes a record (a JSON file
// with all that is known of a player), source code in C, Python and JavaScript, a page that plays,
// look-up tables, or a config that starts from the player's weights.
//
// Begin here: a Record is exported. New makes it from a database, Read from its JSON. write.go
// writes a record as JSON, yaml.go as a config, tables.go as look-up tables. source.go puts the
// heuristic into the players of three languages, formula.go writes its expressions, languages.go
// has their words. page.go writes the page.
package export

import (
	"tune2048/configs/config"
	"tune2048/engine/eval"
)

// recordFormat and recordVersion begin each record. Programs refuse an unknown version. People
// paste verifyCommand, so a record with another one is refused.
const (
	recordFormat  = "tune2048 player"
	recordVersion = 1
	verifyCommand = "tune verify FILE.json"
)

// Record is a player, with everything that another program needs to play like it and to check its
// figures. Scores are in points, shares lie in 0..1, intervals are 95%, or null if not known.
// schema.json describes its JSON.
type Record struct {
	Format  string `json:"format"`
	Version int    `json:"version"`

	Run       string `json:"run"`
	Candidate int    `json:"candidate"` // number within the run
	Role      string `json:"role"`      // champion, start, a reference's name, or candidate
	Origin    string `json:"origin"`    // how it came about: mutation, centre ...

	// Heuristic is a value function: value(board) = sum of weight x feature, see engine/README.md.
	Heuristic struct {
		Name     string `json:"name"`
		Symmetry string `json:"symmetry"` // none, or best: the best of the board's 8 orientations
		// Features have the keys feature and name, and each setting under the key of a config.
		Features []Ordered[any] `json:"features"`
	} `json:"heuristic"`

	// Game has the rules.
	Game struct {
		FourProbability float64 `json:"four_probability"`
	} `json:"game"`

	// Search is the rule of depth of move and play, see config.Config.Play.
	Search struct {
		Text           string  `json:"text"` // canonical: depth 3
		MinProbability float64 `json:"min_probability"`
		Rule           any     `json:"rule"` // {"depth": 3}, {"depth_by_empty": [...]}, {"depth_by_distinct": ...}
	} `json:"search"`

	Objective string `json:"objective"`

	HeldOut []HeldOut `json:"held_out"` // one for each validated search; empty if it played none

	ConfigHash  string `json:"config_hash"`
	Signature   string `json:"signature"` // of the play: another one plays other games
	Fingerprint string `json:"fingerprint"`
	// Unrepeatable says why its games cannot be played again, and why there is no fingerprint.
	Unrepeatable string `json:"unrepeatable,omitzero"`
	// HeldOutSalt is hashed into the seeds of the held-out games, beside the config's seeds. Older
	// records have none.
	HeldOutSalt string `json:"held_out_salt,omitzero"`
	Verify      string `json:"verify"` // the command that plays the held-out games again
	// Config is the run's whole config, YAML. Heuristic, game, search and objective follow from it
	// and the weights.
	Config string `json:"config"`

	// Weights are all numbers of the heuristic by name, as -weights takes them. Dead is the value
	// of a position without a legal move: "worst" or a number.
	Weights Ordered[float64] `json:"weights"`
	Dead    any              `json:"dead"`

	heuristic eval.Heuristic // Weights and Heuristic show it
	config    *config.Config // Config, parsed
	values    eval.Vector    // of all its numbers
}

// Player is the player.
func (r *Record) Player() eval.Player {
	return r.config.Form().WithDead(r.heuristic.Dead).Player(r.values)
}

// Experiment is the run's config.
func (r *Record) Experiment() *config.Config { return r.config }

// maxScores is how many scores of a search a record has at most, so that it stays a small file.
const maxScores = 10_000

// HeldOut are the player's figures at a search, on games that nothing was chosen by.
type HeldOut struct {
	Search    string           `json:"search"`
	Games     int              `json:"games"`
	MeanScore float64          `json:"mean_score"`
	CI        *[2]float64      `json:"ci"`
	Fitness   float64          `json:"fitness"`
	FitnessCI *[2]float64      `json:"fitness_ci"`
	Reach     Ordered[float64] `json:"reach"`      // share of games by tile: "2048"; none if a bot did not say it
	Scores    []float64        `json:"scores"`     // of the first maxScores games, by seed; null: not kept
	StartMean float64          `json:"start_mean"` // mean score of the start weights
	Gain      *float64         `json:"gain"`       // fitness minus the start weights' fitness; or null
	GainCI    *[2]float64      `json:"gain_ci"`
	Verdict   string           `json:"verdict"` // on the gain: better, worse, ...; or empty
}
