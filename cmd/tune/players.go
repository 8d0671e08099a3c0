package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
	"tune2048/results"
	"tune2048/results/export"
)

// player is a heuristic with its weights, and the config that has its rules and searches.
type player struct {
	config.Player
	config *config.Config
}

func newPlayer(name string, c *config.Config, values []float64, dead eval.Dead) *player {
	return &player{config.NewPlayer(name, c.Heuristic, values, dead), c}
}

// hash names the player: equal players have equal hashes.
func (p *player) hash() string { return p.At(p.config.Rules).Hash() }

// loadRecord reads a file that must be a record.
func loadRecord(path string) (*export.Record, error) {
	data, err := readFile(path, "want a record (tune export writes one), or the name of a run")
	if err != nil {
		return nil, err
	}
	if !export.IsRecord(data) {
		return nil, usagef("%s: want a record, which tune export writes; to start from weights as name: number in JSON or "+
			"YAML: init -from FILE -config FILE", path)
	}
	r, err := export.Read(data)
	if err != nil {
		return nil, usagef("%s: %w", path, err)
	}
	return r, nil
}

// readFile reads a file of the user's. The hint is added where there is no such file.
func readFile(path, hint string) ([]byte, error) {
	data, err := config.ReadFile(path)
	if other := besides(path, ".json", ".yaml", ".yml"); other != "" {
		hint += "; did you mean " + other + "?"
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usagef("%s: no such file: %s", path, hint)
	}
	if err != nil {
		return nil, usageError{err}
	}
	return data, nil
}

// recordPlayer is a record's player, with the record's own config.
func recordPlayer(name string, r *export.Record) *player {
	who := r.Player()
	return newPlayer(name, r.Experiment(), who.Values, who.Heuristic.Dead)
}

// startPlayer plays a config's start weights.
func startPlayer(c *config.Config) *player {
	return newPlayer(c.Path, c, c.Start(), c.Heuristic.Dead)
}

// playerOfWeights is the heuristic of a config with the weights of a file: a record, a config (for
// its start weights), or name: number. A record has its own config and needs none. playerOfWeights
// warns of weights that seem to be meant for another heuristic.
func (in *invocation) playerOfWeights(c *config.Config, path string) (*player, error) {
	data, err := readFile(path, "want weights as name: number, or an export (tune export)")
	if err != nil {
		return nil, err
	}
	if export.IsRecord(data) {
		r, err := export.Read(data)
		switch {
		case err != nil:
			return nil, usagef("%s: %w", path, err)
		case c == nil, c.Heuristic.Bot != nil && in.command.name != "init": // which a stored run wants
			return recordPlayer(path, r), nil
		}
		return in.playerOfRecord(c, path, r)
	}
	w, err := config.ParseWeights(data, path)
	switch {
	case err != nil:
		return nil, usageError{err}
	case c == nil:
		return nil, usagef("%s: %s: want the config that these weights belong to: add -config FILE; an export (tune "+
			"export) has its own", in.command.name, path)
	}
	return in.withWeights(c, path, w)
}

// playerOfRecord is the heuristic of a config with the weights of a record.
func (in *invocation) playerOfRecord(c *config.Config, path string, r *export.Record) (*player, error) {
	if features(r.Experiment()) != features(c) {
		fmt.Fprintf(in.stderr, "warning: %s comes from run %s with another config\n", path, r.Run)
	}
	return in.withWeights(c, path, &config.WeightsFile{Weights: r.Weights.Map(), Dead: new(r.Player().Heuristic.Dead)})
}

// withWeights is the heuristic of a config with these weights, and the start weights for the rest.
func (in *invocation) withWeights(c *config.Config, path string, w *config.WeightsFile) (*player, error) {
	dead := c.Heuristic.Dead
	if w.Dead != nil {
		dead = *w.Dead
	}
	values, err := c.Vector(w.Weights, dead)
	if err != nil {
		return nil, usagef("%s: %w", path, err)
	}
	warnings := outside(c, w.Weights)
	var absent []string
	for _, tuned := range c.Tunable() {
		if _, given := w.Weights[tuned.Name]; !given {
			absent = append(absent, tuned.Name)
		}
	}
	if len(absent) > 0 {
		warnings = append(warnings, fmt.Sprintf("start values are used for %d of %d weights: %s", len(absent),
			len(c.Tunable()), strings.Join(absent, ", ")))
	}
	for _, text := range warnings {
		fmt.Fprintf(in.stderr, "warning: %s: %s\n", path, text)
	}
	return newPlayer(path, c, values, dead), nil
}

// outside names the weights that are not in the range that they are tuned in.
func outside(c *config.Config, weights map[string]float64) (warnings []string) {
	for _, w := range c.Tunable() {
		if value, given := weights[w.Name]; given {
			w.Value = value
			w.Validate(func(_, reason string) { warnings = append(warnings, w.Name+": "+reason) })
		}
	}
	return warnings
}

// features describes the features of a config whatever the values and ranges of their weights are:
// weights of one config fit every other that has the same.
func features(c *config.Config) string {
	return fmt.Sprint(c.Form().WithDead(eval.Dead{Worst: true}).Text, c.Heuristic.Names())
}

// expectimax returns the player's engine at a search.
func (p *player) expectimax(search engine.Settings) (*engine.Searcher, error) {
	tables, err := eval.NewCompiler(&p.Heuristic).Compile(p.Values, p.Heuristic.Dead)
	if err != nil {
		return nil, usagef("%s: %w", p.Name, err)
	}
	e := new(engine.Searcher)
	e.Prepare(tables, search, p.config.Rules)
	return e, nil
}

// playerFlags are the flags that choose a player.
type playerFlags struct {
	config, weights string
	depth           int // 0: not given
}

func (p *playerFlags) define(f *flag.FlagSet) {
	f.StringVar(&p.config, "config", "",
		"the config `FILE`, to play with its start weights, or with -weights; an export has its own")
	f.StringVar(&p.weights, "weights", "",
		"the weights `FILE`, with name: number as JSON or YAML, or an export; if not given, the start weights of the "+
			"config are used")
	f.Var(&wholeNumber{&p.depth, 1, engine.MaxDepth}, "depth",
		"search exactly this many `PLIES` deep, instead of by the rule of the config")
}

// chosen returns the player that the argument or the flags choose, with an engine that is ready to
// search, or with a bot, which shows its stderr and is to be closed. The other one is nil.
func (in *invocation) chosen(ctx context.Context, p playerFlags, name string) (who *player, e *engine.Searcher,
	b *bot.Process, err error) {
	who, err = in.choose(ctx, p, name)
	if err == nil {
		err = in.nameBot(&who.Heuristic)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	search, program := who.config.Play(), who.Heuristic.Bot
	switch {
	case program != nil && p.depth > 0:
		return nil, nil, nil, usagef("%s: -depth: %s is a bot, which searches in its own way", in.command.name,
			who.Name)
	case program != nil && program.Answers != bot.Moves:
		return nil, nil, nil, usagef("%s: want a bot that answers moves: this one answers %s, so its games cannot be watched",
			in.command.name, program.Answers)
	case program != nil:
		b = bot.New(*program)
		b.Stderr = in.stderr
		return who, nil, b, nil
	case p.depth > 0:
		search = engine.FixedDepth(p.depth)
	}
	e, err = who.expectimax(search)
	return who, e, nil, err
}

// botWeights returns the weights that the player's bot gets.
func (p *player) botWeights() []bot.Weight { return simulator.BotWeights(p.At(p.config.Rules)) }

// choose finds the player of the argument RUN, or of -config and -weights. A bot's config lets a
// stored run start the bot.
func (in *invocation) choose(ctx context.Context, p playerFlags, name string) (*player, error) {
	var c *config.Config
	var err error
	if p.config != "" {
		c, err = in.load(p.config)
		if err != nil {
			return nil, err
		}
	}
	switch {
	case name != "" && (p.weights != "" || c != nil && c.Heuristic.Bot == nil):
		return nil, usagef("%s: want a RUN or -config and -weights, not both", in.command.name)
	case name != "":
		return in.named(ctx, c, name)
	case p.weights != "":
		return in.playerOfWeights(c, p.weights)
	case c == nil: // the newest run, as report and export take it
		record, err := in.recordOf(ctx, "")
		if err != nil {
			return nil, fmt.Errorf("%w; without a run: -config FILE", err)
		}
		fmt.Fprintf(in.stderr, "run %s is the newest: its champion plays\n", cell(record.Run))
		return recordPlayer(record.Run, record), nil
	}
	fmt.Fprintf(in.stderr, "%s plays with its start weights; for a champion name its run, without -config\n", c.Path)
	return startPlayer(c), nil
}

// named finds the player that an argument names: weights of a file, the start weights of a config,
// or a candidate of the database. base is the config that weights files belong to; nil: none is
// known.
func (in *invocation) named(ctx context.Context, base *config.Config, name string) (*player, error) {
	if !isFile(name) {
		record, err := in.recordOf(ctx, name)
		if err != nil {
			return nil, err
		}
		return recordPlayer(name, record), nil
	}
	data, _ := config.ReadFile(name)
	if export.IsRecord(data) || !looksLikeConfig.Match(data) {
		return in.playerOfWeights(base, name)
	}
	c, err := in.load(name)
	if err != nil {
		return nil, err
	}
	return startPlayer(c), nil
}

// nameBot sets the folder of a stored bot to the folder of the same bot that the user named, if
// any: otherwise it is an error. A bot's play depends on its files, so the program hashes them in
// that folder.
func (in *invocation) nameBot(heuristic *eval.Heuristic) error {
	if heuristic.Bot == nil {
		return nil
	}
	program, err := simulator.Named(heuristic.Bot, in.bots)
	if err != nil {
		return usageError{err}
	}
	heuristic.Bot = program
	program.Hashes, err = program.Files() // what is played now has the files of today
	return err
}

// isFile reports whether an argument is a file, not the name of a run.
func isFile(name string) bool {
	return strings.ContainsRune(name, filepath.Separator) || config.HasFileEnding(name)
}

// looksLikeConfig matches a config, also one that cannot be read, and a record.
var looksLikeConfig = regexp.MustCompile(`(?m)(^|[{,])\s*["']?(heuristic|player)["']?\s*:`)

// recordOf returns the record of a file, such as champions/NAME, or from the database the record of
// a run's champion or of RUN:CANDIDATE.
func (in *invocation) recordOf(ctx context.Context, name string) (*export.Record, error) {
	if isFile(name) {
		return loadRecord(name)
	}
	reader, err := in.reader()
	if err != nil {
		return nil, err
	}
	name, number, given := strings.Cut(name, ":")
	if !given {
		run, err := reader.Champion(ctx, name)
		if err != nil {
			return nil, notRun(err, name, players)
		}
		return export.New(ctx, reader, run, run.Champion)
	}
	candidate, err := strconv.Atoi(number)
	if err != nil || candidate < 0 {
		return nil, usagef("%s:%s: want the number of a candidate after the colon, such as %s:0 for the start weights", name,
			number, name)
	}
	run, err := reader.Find(ctx, name)
	if err != nil {
		return nil, notRun(err, name, players)
	}
	if candidate >= run.Candidates {
		return nil, usagef("%s:%s: run %s has the candidates 0 to %d", name, number, run.Name, run.Candidates-1)
	}
	return export.New(ctx, reader, run, candidate)
}

// players are the files that name a player.
const players = "a config or record, whose names end in .yaml or .json"

// notRun adds to the error of a name that no run has what else it is: a file that is none of those
// that the command takes, or a shipped champion.
func notRun(err error, name, files string) error {
	switch {
	case !errors.Is(err, results.ErrNotFound) || !results.WrongInput(err): // or the run has no champion yet
	case exists(name):
		return usagef("%s: want a run, or %s: this file is neither", name, files)
	case slices.Contains(config.Champions(), name):
		return fmt.Errorf("%w; the shipped champion of that name is champions/%s", err, name)
	}
	return err
}
