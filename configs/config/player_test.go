package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/tuner"
)

const player = `
player:
  command: [bot, --depth, 3]
  answers: moves
  weights:
    smooth: {min: 0, max: 10, start: 0.1}
    lookahead: {min: 1, max: 4, start: 2, whole: true}
    empty: 2.7
stages: [{generations: 20, games: 4}]
`

// TestPlayer: a bot's weights are numbers like any other, in the order of the file. It searches in
// its own way, and its games follow those of the tuning: 20 x 4 x 40.
func TestPlayer(t *testing.T) {
	c := load(t, player)
	b := c.Heuristic.Bot
	if got := strings.Join(b.Command, " "); got != "bot --depth 3" || b.Answers != bot.Moves || b.Timeout != time.Minute {
		t.Errorf("got %+v", b)
	}
	if b.Folder != "" {
		t.Errorf("a config that no user named starts its bot in %s", b.Folder)
	}
	names := ""
	for _, w := range c.Weights {
		names += w.Name + " "
	}
	if names != "smooth lookahead empty " || !c.Weights[1].Whole || c.Weights[0].Scale != tuner.LinearScale {
		t.Errorf("got the weights %+v", c.Weights)
	}
	for _, s := range []engine.Settings{c.Search, c.Stages[0].Search, c.Playoff.Search, c.Validation.Search[0].Settings,
		c.Ablation.Search} {
		if !s.Bot {
			t.Errorf("a search is %v", s)
		}
	}
	checkRoundTrip(t, c)
	checkRoundTrip(t, load(t, "player: {command: [bot], answers: games}\n"))
}

// TestTimeoutIdentifiesNothing: and stored configs of whole games have none, and verify compares
// them.
func TestTimeoutIdentifiesNothing(t *testing.T) {
	if text := load(t, "player: {command: [a], answers: games, weights: {x: {min: 0, max: 1}}}").YAML(); strings.Contains(string(text), "timeout") {
		t.Errorf("%s has a timeout", text)
	}
	if load(t, strings.Replace(player, "answers: moves", "answers: moves\n  timeout: 5s", 1)).Hash != load(t,
		player).Hash {
		t.Error("another timeout makes another config")
	}
}

// TestScoreBounds: bounds of the scores are a part of the config, as the objective is. They change
// no game, so they are no part of the player.
func TestScoreBounds(t *testing.T) {
	bounded := func(score string) *Config {
		c := load(t, strings.Replace(player, "answers: moves", "answers: moves\n  score: "+score, 1))
		checkRoundTrip(t, c)
		return c
	}
	free, c, wider := load(t, player), bounded("{min: 0, max: 1}"), bounded("{min: -2.5, max: 1}")
	if b := c.Objective.Bounds(); b != (bot.Bounds{Min: 0, Max: 1}) || free.Objective.Bounds().Known() {
		t.Errorf("got the bounds %v, and without any %v", b, free.Objective.Bounds())
	}
	if c.Hash == free.Hash || c.Hash == wider.Hash || c.Tuning() == free.Tuning() {
		t.Error("other bounds make the same config")
	}
	if c.Form().Text != free.Form().Text || strings.Contains(c.Form().Text, "score") {
		t.Errorf("bounds make another player: %s", c.Form().Text)
	}
	if c.Form().Heuristic.Bot.Score != c.Objective.Bounds() {
		t.Error("the player has lost its bounds")
	}
}

// TestNamedPlayer: a bot starts in the folder of the config that the user named, and only if its
// program is there.
func TestNamedPlayer(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.yaml")
	must(t, os.WriteFile(path, []byte("player: {command: [./bot], answers: moves}\n"), 0o644))
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), "a.yaml:1:10: player.command: program") ||
		!strings.Contains(err.Error(), "no such file or directory: build it first") {
		t.Errorf("without the program: %v", err)
	}
	must(t, os.WriteFile(filepath.Join(folder, "bot"), []byte("#!/bin/sh\n"), 0o755))
	c, err := Load(path)
	must(t, err)
	if c.Heuristic.Bot.Folder != folder {
		t.Errorf("it starts in %q, want %q", c.Heuristic.Bot.Folder, folder)
	}
	stored, err := Parse(c.YAML(), path)
	must(t, err)
	if stored.Heuristic.Bot.Folder != "" || stored.Hash != c.Hash {
		t.Errorf("stored: %+v", stored.Heuristic.Bot)
	}
}

// TestWholeRange: whole numbers on any scale.
func TestWholeRange(t *testing.T) {
	const player = "player: {command: [b], answers: moves, weights: {a: {min: 10, max: 10000, whole: true"
	for more, want := range map[string]struct {
		text  string
		start float64
	}{
		"}}}":                {`{"min": 10, "max": 10000, "whole": true, "scale": "linear", "start": 5005}`, 5005},
		", scale: linear}}}": {`{"min": 10, "max": 10000, "whole": true, "scale": "linear", "start": 5005}`, 5005},
		", scale: log}}}":    {`{"min": 10, "max": 10000, "whole": true, "scale": "log", "start": 316}`, 316},
	} {
		c := load(t, player+more)
		if !strings.Contains(c.Text, want.text) || c.Weights[0].Value != want.start {
			t.Errorf("%s: got a start of %v and\n%s\nwant %v", more, c.Weights[0].Value, c.Text, want)
		}
		checkRoundTrip(t, c)
	}
	if c := load(t, "heuristic: {features: [{feature: empty, weight: {min: 0, max: 9, whole: true}}]}"); c.Weights[0].Scale != tuner.LinearScale {
		t.Errorf("a weight of whole numbers has the scale %s", c.Weights[0].Scale)
	}
}

func TestPlayerProblems(t *testing.T) {
	for text, want := range map[string]string{
		"player: {}": "a.yaml:1:1: player.command: missing: give it, such as command: [python3, bot.py]\n" +
			"a.yaml:1:1: player.answers: missing: give it, such as answers: moves",
		"player: {command: [b], answers: move}": `a.yaml:1:24: player.answers: want moves, games or score, got the text "move"; did you mean moves?`,
		"player: {command: [b], answers: moves, timeout: 10}": "a.yaml:1:40: player.timeout: want a time " +
			"such as 10s, 500ms or 2m; 0s: no limit, got 10",
		"player: {command: [b], answers: moves, score: {min: 1, max: 0}}": "a.yaml:1:40: player.score: want min below " +
			"max, got 1 and 0",
		"player: {command: [b], answers: moves, score: {min: 0, max: 0}}": "a.yaml:1:40: player.score: want min below " +
			"max, got 0 and 0",
		"player: {command: [b], answers: moves, score: {max: 1}}": "a.yaml:1:40: player.score.min: missing: " +
			"give it, such as min: 0",
		"player: {command: [b], answers: moves, score: {min: 0, max: 1e51}}": "a.yaml:1:56: player.score.max: want a " +
			"number from -100000000000000000000000000000000000000000000000000 to " +
			"100000000000000000000000000000000000000000000000000, got 1e51",
		"player: {command: [b], answers: moves}\nsearch: {depth: 3}": "a.yaml:2:1: search: want " +
			"none: a player searches in its own way",
		"player: {command: [b], answers: moves}\nheuristic: {family: snake}": "a.yaml:2:1: heuristic: " +
			"want heuristic or player, got both",
		"player: {command: [b], answers: moves, weights: {a: reward}}":                          "a.yaml:1:50: player.weights.a: want a number or {min, max, start, scale}, got the text \"reward\": it is for the weight of a feature only",
		"player: {command: [b], answers: moves, weights: {a: {min: 0, max: 1.5, whole: true}}}": "a.yaml:1:62: player.weights.a.max: want a whole number, got 1.5",
		"player: {command: [b], answers: moves, score: [0, 1]}":                                 "a.yaml:1:40: player.score: want a mapping such as {min: 0, max: 1}, got a list: write {min: 0, max: 1}",
		"player: {command: [b], answers: moves, weights: {fast: true}}":                         "a.yaml:1:50: player.weights.fast: want a number or {min, max, start, scale}, got true: write {min: 0, max: 1, whole: true}, a whole number for each choice",
		"player: {command: [b], answers: moves, opening: [edge, corner, any]}":                  "a.yaml:1:40: player.opening: unknown key; write weights: {opening: {min: 0, max: 2, whole: true}}; want command, answers, timeout, score, weights or order",
		"player: {command: [b, {seed}], answers: score}":                                        `a.yaml:1:23: player.command[1]: want a text, got a mapping: write "{seed}" in quotes`,
	} {
		if _, err := Parse([]byte(text+"\n"), "a.yaml"); err == nil || err.Error() != want {
			t.Errorf("%s: got\n%v\nwant\n%s", text, err, want)
		}
	}
}
