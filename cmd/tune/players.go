package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/experiments"
	"tune2048/results"
	"tune2048/results/export"
)

// player is a heuristic with its weights, the rules, and the searches of its config.
type player struct {
	configs.Player
	from     string // such as "champion of run small"
	rules    engine.Rules
	search   engine.Settings   // the config's own
	searches []engine.Settings // the searches that the config validates
}

func newPlayer(name, from string, c *configs.Config, values []float64, dead heuristic.Dead) *player {
	return &player{
		Player: configs.NewPlayer(name, c.Family, values, dead), from: from, rules: c.Rules, search: c.Search, searches: c.Validation.Searches(),
	}
}

// weightsFile has the contents of a weights file.
type weightsFile struct {
	*configs.WeightsFile
	record *export.Record // that it is; nil: another file with weights
}

// loadWeights reads a weights file: a record, a config (for its start weights), or name: number.
func loadWeights(path string) (w weightsFile, err error) {
	data, err := readFile(path, "want weights as name: number, or an export (tune export)")
	if err != nil {
		return w, err
	}
	if !export.IsRecord(data) {
		if w.WeightsFile, err = configs.ParseWeights(data, path); err != nil {
			return w, usageError{err}
		}
		return w, nil
	}
	if w.record, err = export.Read(data); err != nil {
		return w, usagef("%s: %w", path, err)
	}
	dead := w.record.Family().Dead
	w.WeightsFile = &configs.WeightsFile{Weights: w.record.Weights.Map(), Dead: &dead}
	return w, nil
}

// loadRecord reads a file that must be a record.
func loadRecord(path string) (*export.Record, error) {
	data, err := readFile(path, "want a record (tune export writes one), or the name of a run")
	if err != nil {
		return nil, err
	}
	r, err := export.Read(data)
	if err != nil {
		return nil, usagef("%s: %w", path, err)
	}
	return r, nil
}

// readFile reads a file of the user's. The hint is added where there is no such file.
func readFile(path, hint string) ([]byte, error) {
	data, err := configs.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usagef("%s: no such file: %s", path, hint)
	}
	if err != nil {
		return nil, usageError{err}
	}
	return data, nil
}

// player is the record's player, at its own config's search.
func (w weightsFile) player(path string) *player {
	return newPlayer(path, "weights of "+path, w.record.Experiment(), w.record.Values(), w.record.Family().Dead)
}

// startPlayer plays a config's start weights.
func startPlayer(c *configs.Config) *player {
	return newPlayer(c.Path, "start weights of "+c.Path, c, c.Family.Start(), c.Family.Dead)
}

// withWeights is the config's heuristic with the weights of a file. It warns of weights that seem
// to be meant for another heuristic.
func (in *invocation) withWeights(c *configs.Config, path string, w weightsFile) (*player, error) {
	values, err := c.Weights(w.Weights)
	if err != nil {
		return nil, usagef("%s: %w", path, err)
	}
	if w.record != nil && features(w.record.Experiment()) != features(c) {
		fmt.Fprintf(in.stderr, "warning: %s comes from run %s with another config\n", path, w.record.Run)
	}
	for _, text := range unusual(c, w.Weights) {
		fmt.Fprintf(in.stderr, "warning: %s: %s\n", path, text)
	}
	dead := c.Family.Dead
	if w.Dead != nil {
		dead = *w.Dead
	}
	return newPlayer(path, "weights of "+path, c, values, dead), nil
}

// unusual says which weights are absent, and which lie outside the range that they are tuned in.
func unusual(c *configs.Config, weights map[string]float64) []string {
	warnings, absent := outside(c, weights), []string(nil)
	tunable := c.Family.Tunable()
	for _, w := range tunable {
		if _, given := weights[w.Name]; !given {
			absent = append(absent, w.Name)
		}
	}
	switch {
	case len(absent) == 1:
		warnings = append(warnings, fmt.Sprintf("1 of %d weights is absent: its start value is used: %s", len(tunable), absent[0]))
	case len(absent) > 1:
		warnings = append(warnings, fmt.Sprintf("%d of %d weights are absent: their start values are used: %s", len(absent), len(tunable), strings.Join(absent, ", ")))
	}
	return warnings
}

// outside names the weights that lie outside the range that they are tuned in.
func outside(c *configs.Config, weights map[string]float64) (warnings []string) {
	for _, w := range c.Family.Tunable() {
		if v, given := weights[w.Name]; given && (v < w.Min || v > w.Max) {
			warnings = append(warnings, fmt.Sprintf("%s = %s is outside its range %s to %s", w.Name, exactNumber(v), exactNumber(w.Min), exactNumber(w.Max)))
		}
	}
	return warnings
}

// exactNumber writes a number without an exponent where that is readable.
func exactNumber(v float64) string {
	if v > -1e15 && v < 1e15 && v == math.Trunc(v) {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// features describes the features of a config whatever the values and ranges of their weights are:
// weights of one config fit every other that has the same.
func features(c *configs.Config) string {
	none := make(heuristic.Vector, len(c.Family.Weights()))
	return configs.NewPlayer("", c.Family, none, heuristic.Dead{Worst: true}).Text()
}

// expectimax returns the player's engine at a search.
func (p *player) expectimax(search engine.Settings) (*engine.Expectimax, error) {
	tables, err := heuristic.NewCompiler(&p.Family).Compile(p.Family.Start(), p.Family.Dead)
	if err != nil {
		return nil, usagef("%s: %w", p.Name, err)
	}
	e := new(engine.Expectimax)
	e.Prepare(tables, search, p.rules)
	return e, nil
}

// withoutConfig is the error for a file of weights that is given without their config: it has the
// command line that is meant.
func (in *invocation) withoutConfig(path string) error {
	meant := program + " " + in.command.name
	for _, arg := range in.args {
		if !strings.HasPrefix(arg, "-") { // quote would make a file of a flag
			arg = quote(arg)
		}
		meant += " " + arg
	}
	return usagef("%s: %s: want the config that these weights belong to, as in: %s -config FILE; an export (tune export) has its own",
		in.command.name, path, meant)
}

// playerFlags are the flags that choose a player.
type playerFlags struct {
	config, weights string
	depth           int
	given           bool // whether a depth was
}

func (p *playerFlags) define(f *flag.FlagSet) {
	f.StringVar(&p.config, "config", "", "the config `FILE`: required, unless -weights is an export, which has its own")
	f.StringVar(&p.weights, "weights", "", "the weights `FILE`, with name: number as JSON or YAML, or an export; if not given, the start weights of the config are used")
	f.IntVar(&p.depth, "depth", 0, "search exactly this many `PLIES` deep, instead of by the rule of the config")
}

// player returns the player that the flags choose.
func (in *invocation) player(p playerFlags) (who *player, err error) {
	var weights weightsFile
	if p.weights != "" {
		if weights, err = loadWeights(p.weights); err != nil {
			return nil, err
		}
	}
	switch {
	case p.config == "" && weights.record != nil:
		who = weights.player(p.weights)
	case p.config == "" && p.weights != "":
		return nil, in.withoutConfig(p.weights)
	default:
		c, err := in.load(p.config)
		if err != nil {
			return nil, err
		}
		if who = startPlayer(c); p.weights != "" {
			if who, err = in.withWeights(c, p.weights, weights); err != nil {
				return nil, err
			}
		}
	}
	if p.given {
		who.search = engine.FixedDepth(p.depth)
		if err := who.search.Validate(); err != nil {
			return nil, usagef("-%w", err)
		}
	}
	return who, nil
}

// players finds the players that the arguments of compare name.
func (in *invocation) players(ctx context.Context, c compareFlags, arguments []string) (list []*player, err error) {
	find := finder{ctx: ctx, invocation: in, database: c.database}
	if c.config != "" {
		if find.base, err = in.load(c.config); err != nil {
			return nil, err
		}
	}
	find.reader, err = results.OpenReader(c.database)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if find.reader != nil {
		defer func() { err = errors.Join(err, find.reader.Close()) }()
	}
	for _, name := range arguments {
		who, err := find.player(name)
		if err != nil {
			return nil, err
		}
		if list = append(list, who); who.rules != list[0].rules {
			return nil, usagef("compare: %s plays with four_probability %v, %s with %v: want the same game",
				arguments[0], list[0].rules.FourProbability, name, who.rules.FourProbability)
		}
	}
	return list, nil
}

// finder finds players by name.
type finder struct {
	*invocation
	ctx      context.Context
	base     *configs.Config // of -config; nil: none was given
	reader   *results.Reader // nil: there is no database
	database string
}

func (f finder) player(name string) (*player, error) {
	extension := strings.ToLower(filepath.Ext(name))
	isFile := strings.ContainsRune(name, filepath.Separator) || extension == ".json" || extension == ".yaml" || extension == ".yml"
	hint := fmt.Sprintf("(tune -config FILE%s makes one; -db names another)", results.DatabaseFlag(f.database))
	if id, err := strconv.ParseInt(name, 10, 64); err == nil {
		if f.reader == nil {
			return nil, fmt.Errorf("compare: candidate %s: there is no database %s %s", name, f.database, hint)
		}
		run, candidate, err := f.reader.CandidateByID(f.ctx, id)
		if err != nil {
			return nil, err
		}
		return stored(name, fmt.Sprintf("candidate %d of run %s", candidate.Number, run.Name), run, candidate)
	}
	missing := fmt.Errorf("compare: %s is no file, and there is no database %s to have such a run %s", name, f.database, hint)
	if f.reader != nil && !isFile {
		if _, err := f.reader.Find(f.ctx, name); err == nil {
			champion, err := f.reader.Champion(f.ctx, name)
			if err != nil {
				return nil, err
			}
			return stored(name, "champion of run "+champion.Run.Name, champion.Run, champion.Candidate)
		} else if missing = fmt.Errorf("compare: %s is no run, no candidate id and no file: %w", name, err); !errors.Is(err, results.ErrNotFound) {
			return nil, err
		}
	}
	if _, err := os.Stat(name); err != nil && !isFile {
		return nil, missing
	}
	return f.file(name)
}

// stored makes a player of a candidate in the database.
func stored(name, from string, run results.Run, candidate experiments.Candidate) (*player, error) {
	stored, err := run.Stored()
	if err != nil {
		return nil, err
	}
	who := &player{from: from, rules: stored.Rules}
	if run.Kind == experiments.KindCompare {
		c, err := run.Comparison()
		if err != nil {
			return nil, err
		}
		who.searches = []engine.Settings{c.Search}
	} else {
		c, err := run.Config()
		if err != nil {
			return nil, err
		}
		who.searches = c.Validation.Searches()
	}
	p, err := stored.Player(candidate, who.searches[0].String())
	if err != nil {
		return nil, err
	}
	who.Player = configs.NewPlayer(name, *p.Family, p.Values, p.Dead)
	return who, nil
}

// looksLikeConfig matches a config, also one that cannot be read.
var looksLikeConfig = regexp.MustCompile(`(?m)^heuristic\s*:`)

// file makes a player of a weights file, or of a config's start weights.
func (f finder) file(path string) (*player, error) {
	data, err := configs.ReadFile(path)
	if looksLikeConfig.Match(data) || err != nil && !strings.EqualFold(filepath.Ext(path), ".json") {
		c, err := f.load(path)
		if err != nil {
			return nil, err
		}
		return startPlayer(c), nil
	}
	w, err := loadWeights(path)
	switch {
	case err != nil:
		return nil, err
	case f.base != nil:
		return f.withWeights(f.base, path, w)
	case w.record != nil:
		return w.player(path), nil
	}
	return nil, f.withoutConfig(path)
}
