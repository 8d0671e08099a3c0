package config

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/key"
	"tune2048/experiments/fitness"
	"tune2048/tuner"
)

// Config is a validated experiment: a YAML file with its defaults filled in and its weights files
// read.
type Config struct {
	Name string // of the experiment; default: the file's name without directory and extension
	Note string // of the owner, for readers: see CheckNote
	Seed uint64

	Rules     engine.Rules
	Heuristic eval.Heuristic    // of the section heuristic or player
	Weights   []tuner.Parameter // the numbers of its vector: fixed, or with a range

	Search     engine.Settings // default of every phase; what move and play use
	Optimizer  tuner.Algorithm
	Stages     []Stage
	Objective  fitness.Objective
	Playoff    Playoff
	Validation Validation
	Ablation   Ablation
	References References  // by name
	Starts     [][]float64 // further starts, beside the weights' own: values of the tunable weights
	Store      Store

	Text string // what identifies the config: see [Config.YAML]
	Hash string // SHA-256 of Text, 64 hexadecimal digits
	Path string // the file it was read from, or "embedded:NAME.yaml"

	written written
}

// written has what the config's text says where the config itself has what follows from that: zero
// values and auto, and starts by name.
type written struct {
	search    engine.Settings
	optimizer tuner.Algorithm
	starts    []start
}

// Keys returns the keys of a config. A section that is chosen by a word, the optimizer, is not
// known before it is read.
func (c *Config) Keys() []key.Key {
	return []key.Key{
		{Name: "name", Doc: "by default the name of the file", To: &c.Name, Named: true, Label: true},
		{Name: "note", Doc: "one line for readers", To: &c.Note, Label: true},
		{Name: "seed", Doc: "the one seed of everything random", To: &c.Seed, Default: uint64(2048),
			Range: key.Between(0, float64(maxSeed))},
		{Name: "game", Doc: "the rules", To: &c.Rules, Default: engine.DefaultRules()},
		eval.PlayerKey(&c.Heuristic),
		{Name: "search", Doc: "default of every phase; left out: depth 3, and move and play take the last search of the " +
			"validation", To: &c.written.search},
		{Name: "optimizer", Doc: "the algorithm and its settings", To: &optimizer{&c.written.optimizer},
			Default: optimizer{&c.written.optimizer}},
		{Name: "stages", Doc: "of the tuning, one behind the other", To: &c.Stages, Range: key.Between(1, 32),
			Items: "stages", Block: true},
		{Name: "objective", Doc: "what is maximised", To: &c.Objective, Default: fitness.MeanScore},
		{Name: "playoff", Doc: "finalists play fresh games: the best is the champion", To: &c.Playoff, Default: Playoff{}},
		{Name: "validation", Doc: "held-out games of champion, start and references", To: &c.Validation,
			Default: Validation{}},
		{Name: "ablation", Doc: "the champion plays without each feature", To: &c.Ablation,
			Default: Ablation{Games: AutoGames, Difference: 0.02}},
		{Name: "references", Doc: "further players of the validation", To: &c.References},
		{Name: "starts", Doc: "further vectors of the first generation", To: &c.written.starts, Range: key.Between(1, 32),
			Items: "weights files", Block: true},
		{Name: "store", Doc: "what the database keeps", To: &c.Store, Default: Store{StoreAll}, Label: true},
	}
}

// optimizer is the section of that name.
type optimizer struct{ of *tuner.Algorithm }

func (o *optimizer) Keys() []key.Key {
	name := (*o.of).Name()
	return append([]key.Key{{Name: "algorithm", Doc: "its settings follow", To: &name, Default: tuner.Algorithms()[0],
		Choices: tuner.Algorithms()}}, (*o.of).Keys()...)
}

// Store names the games that the database keeps.
type Store struct{ Games string } // as rows: StoreAll, StoreValidation or StoreNone

func (s *Store) Keys() []key.Key {
	return []key.Key{{Name: "games", Doc: "which games are kept as rows: all, those of playoff and validation, or none",
		To: &s.Games, Default: StoreAll, Choices: []string{StoreAll, StoreValidation, StoreNone}}}
}

// start is one of the further starts.
type start struct{ Weights map[string]float64 }

func (s *start) Keys() []key.Key {
	return []key.Key{{Name: "weights", To: &s.Weights, Example: "{empty: 270}"}}
}

// Tunable returns the weights with a range, which make up the genome.
func (c *Config) Tunable() []tuner.Parameter {
	return slices.DeleteFunc(slices.Clone(c.Weights), func(w tuner.Parameter) bool { return !w.Tunable })
}

// Start returns the start weights: all numbers of the heuristic.
func (c *Config) Start() (v eval.Vector) {
	for _, w := range c.Weights {
		v = append(v, w.Value)
	}
	return v
}

// WithGenome returns a copy of a vector of all weights with these values of the tunable ones.
func (c *Config) WithGenome(v eval.Vector, genome []float64) eval.Vector {
	changed := slices.Clone(v)
	for i, w := range c.Weights {
		if w.Tunable {
			changed[i], genome = genome[0], genome[1:]
		}
	}
	return changed
}

// Form returns the form of the config's player.
func (c *Config) Form() *eval.Form { return eval.NewForm(c.Rules, &c.Heuristic) }

// Which games are kept as rows. Summaries always are.
const (
	StoreAll        = "all"
	StoreValidation = "validation" // of playoff and validation
	StoreNone       = "none"
)

// maxSeed is the largest seed: a double, and so SQL and JSON readers, hold it exactly.
const maxSeed uint64 = 1<<53 - 1

const maxNote = 200

// CheckNote refuses a note of a run that is longer than 200 characters, or that a terminal does not
// show on one line.
func CheckNote(note string) error {
	if utf8.RuneCountInString(note) > maxNote || strings.ContainsFunc(note,
		func(c rune) bool { return !unicode.IsPrint(c) }) {
		return fmt.Errorf("want a note of one line, %d characters at most, got \"%s\"", maxNote, clip(note))
	}
	return nil
}

// read reads a whole config.
func (c *Config) read(n node) {
	if !n.isMapping() {
		n.want("a mapping with the key heuristic, or player for a bot")
		return
	}
	f, ok := n.fields()
	if !ok {
		return
	}
	d := n.doc
	c.written.optimizer = tuner.NewAlgorithm("")
	(&fields{node: node{doc: d}}).section(c.written.optimizer)
	f.section(c, "references", "starts")
	c.Weights = d.weights
	if !f.has("name") {
		base := filepath.Base(c.Path)
		c.Name = strings.TrimSuffix(base, filepath.Ext(base))
		if !nameForm.MatchString(c.Name) {
			d.refuse("name", `want %s, got "%s", the file's name: give a name of its own with name:`, nameRule,
				clip(c.Name))
		}
	}
	if err := CheckNote(c.Note); err != nil {
		d.refuse("note", "%v", err)
	}
	if f.done(); len(d.problems) > 0 { // what holds between keys needs them all
		return
	}
	c.complete(d)
	if given, ok := f.entries["references"]; ok {
		c.readReferences(given)
	}
	if given, ok := f.entries["starts"]; ok {
		c.readStarts(given)
	}
}

// optimizer reads the optimizer: its algorithm, which says which settings there are, and settings.
func (n node) optimizer(to *tuner.Algorithm) {
	if n.isText() {
		n.problem("want a mapping such as {algorithm: %s}, got %s",
			cmp.Or(Nearest(n.Value, tuner.Algorithms()), tuner.Algorithms()[0]), n.describe())
		return
	}
	f, ok := n.fields()
	if !ok {
		return
	}
	name := (*to).Name()
	if given, ok := f.entries["algorithm"]; ok {
		name = given.text(key.Key{Choices: tuner.Algorithms()})
		if name == "" {
			return // nobody knows which settings it has
		}
	}
	*to, f.known = tuner.NewAlgorithm(name), []string{"algorithm"}
	f.section(*to)
	f.done()
}

// YAML returns the config as people read it, with the weights of all files. [Parse] reads it as the
// same config. Text has all that can change a result: every key with its value, or auto where that
// follows from the others. It lacks the name, the note, the heuristic's name and what the database
// keeps. If a byte of Text changes, stored runs are of another config: golden tests pin it.
func (c *Config) YAML() []byte { return []byte(c.writer().YAML(c)) }

// writer writes the config itself, with the ranges of its weights.
func (c *Config) writer() key.Writer {
	return key.Writer{Number: func(at int) any {
		if p := &c.Weights[at]; p.Tunable {
			return p
		}
		return c.Weights[at].Value
	}}
}

// identify fills in the fields that identify the config.
func (c *Config) identify() {
	c.Text = c.writer().Text(c)
	c.Hash = hash(c.Text)
}

func hash(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

// WithGenerations returns the config with other numbers of generations, and without max_games. One
// number counts for each stage. Several are for the stages in their order: a stage of 0 and those
// beyond the list are left out. It is another experiment than c: its hash differs.
func (c *Config) WithGenerations(generations ...int) (*Config, error) {
	each := slices.Clone(generations)
	if len(each) == 1 {
		each = slices.Repeat(each, len(c.Stages))
	}
	if len(each) < 1 || len(each) > len(c.Stages) || slices.Min(each) < 0 || slices.Max(each) < 1 ||
		slices.Max(each) > MaxGenerations {
		return nil, fmt.Errorf("want 1 to %d, or one number for each of the %d stages, where 0 leaves it out, got %d",
			MaxGenerations, len(c.Stages), generations)
	}
	return c.ofLength(each), nil
}

// Played returns the config with the generations that a run has played of its first stages, which
// nothing else ends; 0 leaves a stage out. Its hash is the same however the run was asked for and
// ended, and another one after a longer run or a change in the config.
func (c *Config) Played(generations []int) *Config {
	played := c.ofLength(generations)
	for i := range played.Stages {
		played.Stages[i].Patience = 0
	}
	played.identify()
	return played
}

// ofLength returns the config with the generations of its first stages, which nothing else ends; 0
// leaves a stage out.
func (c *Config) ofLength(generations []int) *Config {
	other := *c
	other.Stages = nil
	for i, n := range generations {
		if s := c.Stages[i]; n > 0 {
			s.last(n)
			other.Stages = append(other.Stages, s)
		}
	}
	other.identify()
	return &other
}

// Generations returns how many generations the stages have together, if nothing else ends them, or
// else 0.
func (c *Config) Generations() (all int) {
	for _, s := range c.Stages {
		if s.Generations == 0 || s.MaxGames != 0 || s.Patience != 0 && s.Patience != MaxGenerations ||
			s.Generations == MaxGenerations {
			return 0
		}
		all += s.Generations
	}
	return all
}

// Longer returns the config with this number of generations in its last stage, which nothing else
// ends. It is another experiment than c unless it was that long: its hash differs.
func (c *Config) Longer(generations int) *Config {
	longer := *c
	longer.Stages = slices.Clone(c.Stages)
	longer.Stages[len(c.Stages)-1].last(generations)
	longer.identify()
	return &longer
}

// Endless returns the config whose tuning only time ends.
func (c *Config) Endless() *Config { return c.Longer(MaxGenerations) }

// IsEndless reports whether only time ends the tuning.
func (c *Config) IsEndless() bool {
	last := c.Stages[len(c.Stages)-1]
	return last.Generations == MaxGenerations && last.MaxGames == 0
}

// Tuning is the hash of the config without the length of its last stage. Runs of one tuning
// differ in where it ends, and what follows from that.
func (c *Config) Tuning() string { return c.Endless().Hash }
