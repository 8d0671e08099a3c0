package configs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"tune2048/engine"
	"tune2048/tuner"
)

var (
	rootKeys = []string{"name", "seed", "game", "heuristic", "search", "optimizer", "restarts", "stages",
		"objective", "playoff", "validation", "sensitivity", "references", "store"}
	gameKeys = []string{"four_probability"}
)

// defaultStage is a stage of which only the name is given.
func defaultStage(name string, search engine.Settings) Stage {
	return Stage{Name: name, Search: search, Generations: 30, Games: 8, Rounds: 1}
}

// Load reads the config file at path, and the weights files it refers to. A missing file is a [*NotFound] error,
// which says how to get a shipped config; what is wrong with the file's contents is [Problems].
func Load(path string) (*Config, error) {
	data, err := ReadFile(path)
	if err != nil {
		if os.IsNotExist(err) {
			return nil, &NotFound{Path: path}
		}
		return nil, err
	}
	return Parse(data, path)
}

// Parse reads a config. The path is for messages, for the default of the name, and to find weights files that
// the config refers to. The error is [Problems]: all that is wrong, each with its place.
func Parse(data []byte, path string) (*Config, error) { return parse(data, path, ReadFile) }

// ParseStored is [Parse] for a config that was found in a database, which may be somebody else's: it refers to no files, as
// [Config.YAML] writes it, and none is read.
func ParseStored(data []byte, path string) (*Config, error) {
	return parse(data, path, func(string) ([]byte, error) {
		return nil, errors.New("want the weights themselves: a stored config refers to no files")
	})
}

// parse reads a config with a way to read the files that it refers to.
func parse(data []byte, path string, read func(path string) ([]byte, error)) (*Config, error) {
	doc := openDocument(data, path)
	if err := doc.err(); err != nil {
		return nil, err
	}
	c := &Config{Path: path}
	doc.root.config(c, read)
	if err := doc.err(); err != nil {
		return nil, err
	}
	c.identify()
	return c, nil
}

// config reads the whole.
func (v value) config(c *Config, read func(path string) ([]byte, error)) {
	f, ok := v.fields(rootKeys...)
	if !ok {
		return
	}
	base := filepath.Base(c.Path)
	c.Name = strings.TrimSuffix(base, filepath.Ext(base))
	if f.has("name") {
		f.name("name", &c.Name)
	} else if !nameForm.MatchString(c.Name) {
		v.doc.add(1, 1, "name", `want %s, got "%s", the file's name: give a name of its own with name:`, nameRule, clip(c.Name))
	}

	c.Seed = 2048
	if seed, ok := f.get("seed"); ok {
		const most = 1<<53 - 1 // what a double, and so SQL and JSON readers, hold exactly
		if n, ok := seed.whole(0, most); ok {
			c.Seed = uint64(n)
		}
	}
	c.Rules = f.rules()
	if h, ok := f.required("heuristic", "heuristic: {family: nneonneo}"); ok {
		h.heuristic(c)
	}
	c.Search = engine.FixedDepth(3)
	f.search(&c.Search)
	c.Optimizer = tuner.DefaultOptions()
	if o, ok := f.get("optimizer"); ok {
		o.optimizer(&c.Optimizer)
	}
	c.Restarts = 1
	f.whole("restarts", &c.Restarts, 1, maxRestarts)
	c.Stages = []Stage{defaultStage("tune", c.Search)}
	if stages, ok := f.get("stages"); ok {
		c.Stages = stages.stages(c.Search)
	}
	c.Objective = Objective{Kind: MeanScore}
	if o, ok := f.get("objective"); ok {
		o.objective(&c.Objective)
	}
	c.Playoff = Playoff{Finalists: 8, Games: 500, Rounds: 10, Search: c.Search}
	if p, ok := f.get("playoff"); ok {
		p.playoff(&c.Playoff)
	}
	c.Validation = Validation{Games: 2000, Search: []engine.Settings{c.Search}}
	if p, ok := f.get("validation"); ok {
		p.validation(&c.Validation)
	}
	c.Sensitivity = Sensitivity{Games: 500, Step: 0.1, Search: c.Playoff.Search}
	if p, ok := f.get("sensitivity"); ok {
		p.sensitivity(&c.Sensitivity)
	}
	c.Store = Store{Games: StoreAll}
	if store, ok := f.get("store"); ok {
		if s, ok := store.fields("games"); ok {
			s.choice("games", &c.Store.Games, StoreAll, StoreValidation, StoreNone)
		}
	}
	// Last: its weights are checked against the heuristic, if that is right.
	if references, ok := f.get("references"); ok {
		references.references(c, read)
	}
}

// rules reads the rules of the game.
func (f fields) rules() engine.Rules {
	rules := engine.DefaultRules()
	if game, ok := f.get("game"); ok {
		if g, ok := game.fields(gameKeys...); ok {
			g.within("four_probability", &rules.FourProbability, interval{low: 0, high: 1})
		}
	}
	return rules
}
