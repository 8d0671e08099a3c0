package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/experiments/fitness"
	"tune2048/tuner"
)

// Config is a validated experiment: a YAML file with its defaults filled in and its weights files
// read. The tags yaml are keys of the file, the tags want their limits.
type Config struct {
	Name string `yaml:"name" want:"name"` // of the experiment; default: the file's name without directory and extension
	Note string `yaml:"note"`             // of the owner, for readers: see CheckNote
	Seed uint64 `yaml:"seed" want:"[0,9007199254740991]"`

	Rules      engine.Rules   `yaml:"game"`
	FamilyName string         // heuristic.family: what the heuristic is called; nothing depends on it
	Family     eval.Heuristic // of the section heuristic or player

	Search     engine.Settings   `yaml:"search"` // default of every phase; what move and play use
	Optimizer  tuner.Options     `yaml:"optimizer"`
	Stages     []Stage           `yaml:"stages" want:"[1,32] stages"`
	Objective  fitness.Objective `yaml:"objective"`
	Playoff    Playoff           `yaml:"playoff"`
	Validation Validation        `yaml:"validation"`
	Ablation   Ablation          `yaml:"ablation"`
	References []Reference       // by name
	Starts     [][]float64       // further starts, beside the weights' own: values of Family.Tunable
	StoreGames string            // which games the database keeps as rows: StoreAll, StoreValidation or StoreNone

	Text string // what identifies the config: see [Config.YAML]
	Hash string // SHA-256 of Text, 64 hexadecimal digits
	Path string // the file it was read from, or "embedded:NAME.yaml"
}

// rootKeys are the keys of a config.
var rootKeys = []string{"name", "note", "seed", "game", "heuristic", "player", "search", "optimizer", "stages",
	"objective", "playoff",
	"validation", "ablation", "references", "starts", "store"}

// rulesKeys are the keys of the section game.
type rulesKeys struct {
	FourProbability float64 `yaml:"four_probability" want:"[0,1]"`
}

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
	f, ok := n.fields()
	if !ok {
		return
	}
	d := n.doc
	d.bot = f.has("player")
	base := filepath.Base(c.Path)
	c.Name = strings.TrimSuffix(base, filepath.Ext(base))
	if !f.has("name") && !nameForm.MatchString(c.Name) {
		d.refuse("name", `want %s, got "%s", the file's name: give a name of its own with name:`, nameRule,
			clip(c.Name))
	}
	c.Seed, c.Rules, c.Objective, c.StoreGames = 2048, engine.DefaultRules(), fitness.MeanScore, StoreAll
	c.Ablation = Ablation{Games: -1, Difference: standardDifference}
	store := struct {
		Games *string `yaml:"games" want:"all|validation|none"`
	}{&c.StoreGames}
	var references, starts node
	f.decode(c)
	if err := CheckNote(c.Note); err != nil {
		d.refuse("note", "%v", err)
	}
	c.readWho(f)
	f.read("store", &store, "")
	f.read("references", &references, "")
	f.read("starts", &starts, "")
	f.known = rootKeys
	if f.done(); len(d.problems) > 0 { // what holds between keys needs them all
		return
	}
	c.complete(d)
	if references.Node != nil {
		c.readReferences(references)
	}
	if starts.Node != nil {
		c.readStarts(starts)
	}
}

// YAML returns the config with all defaults and the weights of all files. [Parse] reads it as the
// same config. Text is the same without two things: keys at their default, so that a new key does
// not change the configs there are, and keys that change no result, which are Name, Note,
// FamilyName and StoreGames. If a byte of Text changes, stored runs are of another config: golden
// tests pin it.
func (c *Config) YAML() []byte { return []byte(c.text(true)) }

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
		return nil, fmt.Errorf("want one number, or one for each stage, %d at most, got %d", len(c.Stages),
			len(generations))
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
			return nil, fmt.Errorf("want 1 to %d in each stage, and 0 only at the end of a list, got %d",
				MaxGenerations, n)
		}
		stages[i].Generations, stages[i].MaxGames, stages[i].Open = n, 0, false
	}
	return c.withStages(stages), nil
}

// Longer returns the config with this number of generations in its last stage, which nothing else
// ends. It is another experiment than c unless it was that long: its hash differs. A playoff that
// fitted max_games fits the longer tuning. So it grows with that, see Grown.
func (c *Config) Longer(generations int) (*Config, error) {
	if generations < 1 || generations > MaxGenerations {
		return nil, fmt.Errorf("want 1 to %d generations in all, got %d", MaxGenerations, generations)
	}
	stages := slices.Clone(c.Stages)
	last := &stages[len(stages)-1]
	last.Generations, last.MaxGames, last.Open = generations, 0, false
	longer := c.withStages(stages)
	if played, _, _ := c.standard(); c.Family.Bot == nil && c.budget() > 0 && c.Playoff.Games == played {
		longer.Playoff.Games = max(played, longer.tuned().playoff(longer.Playoff.Finalists))
		longer.identify()
	}
	return longer, nil
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
	played, err := c.WithGenerations(append(slices.Clone(generations),
		make([]int, len(c.Stages)-len(generations))...)...)
	if err != nil {
		return "", err
	}
	return played.Hash, nil
}
