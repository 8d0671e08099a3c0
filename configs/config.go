package configs

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/experiments/fitness"
	"tune2048/tuner"
)

// Config is a validated experiment: a YAML file with its defaults filled in and its weights files
// read.
type Config struct {
	Name       string // of the experiment; default: the file's name without directory and extension
	Seed       uint64 // the one seed of everything random, in [0, 2^53)
	Rules      engine.Rules
	FamilyName string // heuristic.family: what the heuristic is called; nothing depends on it
	Family     eval.Heuristic
	Search     engine.Settings // default of every phase; what move and play use

	Optimizer tuner.Options
	Stages    []Stage // at least one
	Objective fitness.Objective

	// Playoff is the phase in which finalists play fresh seeds to name the champion.
	Playoff struct {
		Finalists int // at least 2: the population's centre and the start weights
		Games     int // of each finalist at most, at least 1
		Rounds    int // in which these games are dealt, 1 to Games, as in a Stage
		Search    engine.Settings
	}
	Validation Validation
	// Ablation is the phase that plays the champion without each of its features, and asks whether
	// the tuning still got somewhere.
	Ablation struct {
		Games      int     // of each player at most; 0: there is no such phase
		Difference float64 // a share: what costs less can be left out, in (0, 1)
		Search     engine.Settings
	}
	References []Reference // by name
	StoreGames string      // which games the database keeps as rows: StoreAll, StoreValidation or StoreNone

	Note string // of the owner, for readers: see CheckNote

	Text string // what identifies the config: see [Config.YAML]
	Hash string // SHA-256 of Text, 64 hexadecimal digits
	Path string // the file it was read from, or "embedded:NAME.yaml"
}

// YAML returns the config with all defaults and the weights of all files. [Parse] reads it as the
// same config. Text is the same without two things: keys at their default, so that a new key does
// not change the configs there are, and keys that change no result, which are Name, Note,
// FamilyName and StoreGames. If a byte of Text changes, stored runs are of another config: golden
// tests pin it.
func (c *Config) YAML() []byte { return []byte(c.text(true)) }

func (c *Config) text(full bool) string { return block(full, c.describe) + "\n" }

// identify fills in the fields that identify the config.
func (c *Config) identify() {
	c.Text = c.text(false)
	c.Hash = hash(c.Text)
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// WithGenerations returns the config with other numbers of generations, and without max_games. One
// number counts for each stage. Several are for the stages in their order: the stages of zeros at
// the end and the stages beyond the list are left out. Everything else stays as c resolved it. It
// is another experiment than c: its hash differs.
func (c *Config) WithGenerations(generations ...int) (*Config, error) {
	if len(generations) < 1 || len(generations) > len(c.Stages) {
		return nil, fmt.Errorf("want one number, or one for each stage, %d at most, got %d", len(c.Stages), len(generations))
	}
	each := generations
	if len(each) == 1 {
		each = slices.Repeat(each, len(c.Stages))
	}
	for len(each) > 1 && each[len(each)-1] == 0 {
		each = each[:len(each)-1]
	}
	stages := slices.Clone(c.Stages[:len(each)])
	for i, n := range each {
		if n < 1 || n > MaxGenerations {
			return nil, fmt.Errorf("want 1 to %d in each stage, and 0 only at the end of a list, got %d", MaxGenerations, n)
		}
		stages[i].Generations, stages[i].MaxGames = n, 0
	}
	return c.withStages(stages), nil
}

// Longer returns the config with this number of generations in its last stage, which nothing else
// ends. It is another experiment than c unless it was that long: its hash differs.
func (c *Config) Longer(generations int) (*Config, error) {
	if generations < 1 || generations > MaxGenerations {
		return nil, fmt.Errorf("want 1 to %d generations in all, got %d", MaxGenerations, generations)
	}
	stages := slices.Clone(c.Stages)
	last := &stages[len(stages)-1]
	last.Generations, last.MaxGames = generations, 0
	return c.withStages(stages), nil
}

func (c *Config) withStages(stages []Stage) *Config {
	changed := *c
	changed.Stages = stages
	changed.identify()
	return &changed
}

// PlayedHash is the hash of the config with the generations that a run has played of each stage and
// no other limit on them. It is the same however the run was asked for and ended, and another one
// after a longer run or a change in the config.
func (c *Config) PlayedHash(generations []int) (string, error) {
	played, err := c.WithGenerations(append(slices.Clone(generations), make([]int, len(c.Stages)-len(generations))...)...)
	if err != nil {
		return "", err
	}
	return played.Hash, nil
}

// describe describes the whole config.
func (c *Config) describe(s *section) {
	if !s.identity() {
		base := filepath.Base(c.Path)
		called := strings.TrimSuffix(base, filepath.Ext(base))
		entry(s, "name", &c.Name, called, name())
		if s.missing("name") && !nameForm.MatchString(called) {
			s.refuse("name", `want %s, got "%s", the file's name: give a name of its own with name:`, nameRule, clip(called))
		}
		optional(s, "note", &c.Note, "", note())
	}
	entry(s, "seed", &c.Seed, 2048, whole(0, maxSeed))
	s.section("game", func(s *section) { describeRules(s, &c.Rules) })
	c.describeWho(s)
	c.searchOf(s, &c.Search, engine.FixedDepth(3))
	b := c.budget(s)
	s.section("optimizer", func(s *section) { c.describeOptimizer(s, b) })
	if s.by == maker {
		s.note("optimizer", optimizerSchema())
	}
	c.describePhases(s, b)
	optional(s, "references", &c.References, nil, references(c))
	if !s.identity() {
		s.section("store", func(s *section) {
			entry(s, "games", &c.StoreGames, StoreAll, word(StoreAll, StoreValidation, StoreNone))
		})
	}
}

func describeRules(s *section, rules *engine.Rules) {
	entry(s, "four_probability", &rules.FourProbability, engine.DefaultRules().FourProbability, within(tuner.Range{Low: 0, High: 1}))
}

// Which games are kept as rows. Summaries always are.
const (
	StoreAll        = "all"
	StoreValidation = "validation" // of playoff and validation
	StoreNone       = "none"
)

// maxSeed is the largest seed: a double, and so SQL and JSON readers, hold it exactly.
const maxSeed uint64 = 1<<53 - 1
