package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/experiments"
	"tune2048/results"
)

// contender is a player of a comparison as the user named it.
type contender struct {
	player   configs.Player
	from     string // what it is
	rules    engine.Rules
	searches []engine.Settings // that its config validates
}

// openExisting opens a database; nil if there is none.
func (in *invocation) openExisting(ctx context.Context, path string) (*results.Store, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return in.openStore(ctx, path)
}

// readExisting opens a database for reading only; nil if there is none.
func readExisting(path string) (*results.Reader, error) {
	reader, err := results.OpenReader(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return reader, err
}

// contenders finds the players that the arguments name: a candidate's id, a file, or a run, in this order.
func (in *invocation) contenders(ctx context.Context, c compareFlags, reader *results.Reader, arguments []string) ([]contender, error) {
	var base *configs.Config // of -config
	if c.config != "" {
		var err error
		if base, err = in.load(c.config); err != nil {
			return nil, err
		}
	}
	find := finder{ctx: ctx, base: base, reader: reader, database: c.database}
	var list []contender
	for _, name := range arguments {
		who, err := find.contender(name)
		if err != nil {
			return nil, err
		}
		if len(list) > 0 && who.rules != list[0].rules {
			return nil, usagef("compare: %s plays with four_probability %v, %s with %v: want the same game",
				arguments[0], list[0].rules.FourProbability, name, who.rules.FourProbability)
		}
		list = append(list, who)
	}
	return list, nil
}

// finder finds players.
type finder struct {
	ctx      context.Context
	base     *configs.Config // nil: none was given
	reader   *results.Reader // nil: there is no database
	database string
}

func (f finder) contender(name string) (contender, error) {
	if id, err := strconv.ParseInt(name, 10, 64); err == nil {
		return f.candidate(name, id)
	}
	extension := strings.ToLower(filepath.Ext(name))
	isFile := strings.ContainsRune(name, filepath.Separator) || extension == ".json" || extension == ".yaml" || extension == ".yml"
	if f.reader == nil && !isFile {
		_, err := os.Stat(name)
		isFile = err == nil
	}
	if isFile {
		return f.file(name)
	}
	if f.reader == nil {
		return contender{}, fmt.Errorf("compare: %s: no such file, and there is no database %s to have such a run (tune -config FILE makes one; -db names another)",
			name, f.database)
	}
	champion, err := f.reader.Champion(f.ctx, name)
	if err != nil {
		return contender{}, err
	}
	return f.stored(name, champion.Run, champion.Candidate, "champion of run "+champion.Run.Name)
}

// candidate finds a candidate by its id in the database.
func (f finder) candidate(name string, id int64) (contender, error) {
	if f.reader == nil {
		return contender{}, fmt.Errorf("compare: candidate %s: there is no database %s (tune -config FILE makes one; -db names another)", name, f.database)
	}
	run, candidate, err := f.reader.CandidateByID(f.ctx, id)
	if err != nil {
		return contender{}, err
	}
	return f.stored(name, run, candidate, fmt.Sprintf("candidate %d of run %s", candidate.Number, run.Name))
}

// stored makes a player of a candidate in the database.
func (f finder) stored(name string, run results.Run, candidate experiments.Candidate, from string) (contender, error) {
	replayer, err := storedReplayer(run)
	if err != nil {
		return contender{}, err
	}
	who := contender{from: from, rules: replayer.Rules}
	if run.Kind == "compare" {
		c, err := configs.ParseComparison([]byte(run.ConfigYAML), "run "+run.Name)
		if err != nil {
			return who, err
		}
		who.searches = []engine.Settings{c.Search}
	} else {
		c, err := storedConfig(run)
		if err != nil {
			return who, err
		}
		who.searches = c.Validation.Search
	}
	p, err := replayer.Player(candidate, who.searches[0].String())
	if err != nil {
		return who, err
	}
	who.player = configs.NewPlayer(name, *p.Family, p.Values, p.Dead)
	return who, nil
}

// looksLikeConfig tells a config that cannot be read from weights that cannot.
var looksLikeConfig = regexp.MustCompile(`(?m)^heuristic\s*:`)

// file makes a player of a weights file, or of a config's start weights.
func (f finder) file(path string) (contender, error) {
	weights, err := configs.LoadWeights(path)
	if err == nil {
		return f.weights(path, weights)
	}
	isWeights := strings.EqualFold(filepath.Ext(path), ".json")
	data, unreadable := configs.ReadFile(path)
	if unreadable == nil {
		isWeights = !looksLikeConfig.Match(data)
	}
	if isWeights {
		return contender{}, usageError{err}
	}
	c, err := configs.Load(path)
	if err != nil {
		return contender{}, usageError{err}
	}
	return fromConfig(path, "start weights of "+path, c, c.Family.Start()), nil
}

func fromConfig(name, from string, c *configs.Config, values []float64) contender {
	return contender{
		player: configs.NewPlayer(name, c.Family, values, c.Family.Dead), from: from, rules: c.Rules, searches: c.Validation.Search,
	}
}

// weights makes a player of weights, with the heuristic of the run that they were exported from or of -config.
func (f finder) weights(path string, weights *configs.WeightsFile) (contender, error) {
	c, err := f.exportedFrom(path)
	if err != nil {
		return contender{}, err
	}
	if c == nil {
		c = f.base
	}
	if c == nil {
		return contender{}, usagef("compare: %s: which heuristic do these weights belong to? want -config FILE, or a database with the run that they were exported from", path)
	}
	values, err := c.Weights(weights.Weights)
	if err != nil {
		return contender{}, usagef("%s: %w", path, err)
	}
	who := fromConfig(path, "weights of "+path, c, values)
	if weights.Dead != nil {
		who.player.Family.Dead = *weights.Dead
	}
	return who, nil
}

// exportedFrom returns the config of the run that an export names, if the database has that very config; else nil.
func (f finder) exportedFrom(path string) (*configs.Config, error) {
	data, err := configs.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var export struct {
		Run        string `json:"run"`
		ConfigHash string `json:"config_hash"`
	}
	if json.Unmarshal(data, &export) != nil || export.Run == "" || f.reader == nil {
		return nil, nil
	}
	run, err := f.reader.Find(f.ctx, export.Run)
	switch {
	case errors.Is(err, results.ErrNotFound) || err == nil && run.ConfigHash != export.ConfigHash:
		return nil, nil
	case err != nil:
		return nil, err
	}
	return storedConfig(run)
}
