package configs

import (
	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/tuner"
)

// Config is a validated experiment: what a YAML file says, with defaults filled in and referenced files read.
type Config struct {
	Name   string // of the experiment; default: the file's name without directory and extension
	Seed   uint64 // the one seed of everything random, in [0, 2^53)
	Rules  engine.Rules
	Label  string // heuristic.family: what the heuristic is called; nothing depends on it
	Family heuristic.Family
	Search engine.Settings // default of every phase; what move and play use

	Optimizer   tuner.Options
	Restarts    int     // populations that are tuned side by side, each from a seed of its own; at least 1
	Stages      []Stage // at least one
	Objective   Objective
	Playoff     Playoff
	Validation  Validation
	Sensitivity Sensitivity
	References  []Reference // by name
	Store       Store

	Text string // canonical YAML of all of the above but Name, Label and Store: what Hash covers
	Hash string // SHA-256 of Text, 64 hexadecimal digits
	Path string // the file it was read from, or "embedded:NAME.yaml"
}

// Stage is a part of the tuning phase: generations of candidates that play at the same search settings.
type Stage struct {
	Name        string // unique within the experiment
	Search      engine.Settings
	Generations int // at most this many, at least 1
	Games       int // of a candidate in a generation at most, at least 1
	Rounds      int // in which these games are dealt, 1 to Games: who is clearly out after one stops; 1: no racing
	MaxGames    int // of the whole stage: a generation that would exceed it does not begin, but for the first; 0: no limit
}

// Objectives: what a candidate's games are turned into as fitness, higher is better.
const (
	MeanScore    = "mean_score"     // mean of the scores, in points
	MeanLogScore = "mean_log_score" // mean of the natural log of score + 1
	Reach        = "reach"          // share of games that reach a tile of face Tile or more, 0..1
	Quantile     = "quantile"       // the Q quantile of the scores, in points
)

// Objective is the quantity that is maximised.
type Objective struct {
	Kind string
	Tile int     // face, a power of two 4..65536; of Reach
	Q    float64 // strictly between 0 and 1; of Quantile
}

// Playoff is the phase in which finalists play fresh seeds to name the champion.
type Playoff struct {
	Finalists int // at least 1
	Games     int // of each finalist at most, at least 1
	Rounds    int // in which these games are dealt, 1 to Games, as in a Stage
	Search    engine.Settings
}

// Validation is the phase in which the champion, the start weights and the references play held-out seeds.
type Validation struct {
	Games  int               // of each player at each setting, at least 2
	Search []engine.Settings // at least one
}

// Sensitivity is the phase that moves one number of the champion at a time, up and down.
type Sensitivity struct {
	Games  int     // of the champion and of each moved vector; 0: there is no such phase
	Step   float64 // share of the number's range (of its logarithm's, on a log scale) that it is moved by, in (0, 0.5]
	Search engine.Settings
}

// Reference is a set of weights that is also played in validation.
type Reference struct {
	Name    string
	Dead    heuristic.Dead
	Weights map[string]float64 // by name of Family.Numbers; what is absent keeps its start
}

// Which games are kept as rows; summaries always are.
const (
	StoreAll        = "all"
	StoreValidation = "validation" // of playoff and validation
	StoreNone       = "none"
)

// Store says what the database keeps.
type Store struct {
	Games string // StoreAll, StoreValidation or StoreNone
}
