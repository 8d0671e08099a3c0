package config

import (
	"path/filepath"
	"reflect"
	"testing"

	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/eval"
)

// TestFormIsReadAsItIsWritten: another machine plays the very same players.
func TestFormIsReadAsItIsWritten(t *testing.T) {
	all := []*Config{load(t, `heuristic: {symmetry: best, features: [{feature: formula, row: "two > 2 || !(two == 3)", let: {zero: "a - a", two: "zero + max(a, b)"}}]}`),
		load(t, `heuristic: {dead: -0.1, features: [{feature: formula, column: "\n1\t/ a"}]}`)}
	for _, pattern := range []string{"../*.yaml", "testdata/*.yaml", "testdata/public/*.yaml"} {
		files, err := filepath.Glob(pattern)
		must(t, err)
		for _, file := range files {
			c, err := Load(file)
			must(t, err)
			all = append(all, c)
		}
	}
	hashes := []map[string]string{nil, {}, {"./bot": "ab12", "7 : {": "0"}}
	for i, answers := range []string{bot.Moves, bot.Games, bot.Score} {
		c := load(t, `player: {command: [python3, "a b\n", '"7"', "true", "1e3"], weights: {w: 1.5, v: {min: 0, max: 3}}, answers: `+answers+"}")
		c.Heuristic.Bot.Hashes = hashes[i]
		all = append(all, c)
	}
	for i, c := range all {
		h := c.Heuristic
		form := eval.NewForm(engine.Rules{FourProbability: float64(i%3) / 2}, &h)
		again, err := ParseForm([]byte(form.Text))
		if err != nil {
			t.Fatalf("%v\nof\n%s", err, form.Text)
		}
		player, same := form.Player(c.Start()), again.Player(c.Start())
		if again.Text != form.Text || same.Hash() != player.Hash() || same.Text() != player.Text() {
			t.Fatalf("got\n%s\nwant\n%s", again.Text, form.Text)
		}
		if again.Rules != form.Rules || again.Heuristic.Dead != h.Dead || again.Heuristic.Symmetry != h.Symmetry {
			t.Fatalf("got %+v, want %+v of\n%s", again.Heuristic, h, form.Text)
		}
		got, want := *again.Heuristic, h
		for i := range want.Features { // no game of a heuristic depends on the names
			if h.Bot == nil {
				got.Features[i].Name = want.Features[i].Name
			}
		}
		if !reflect.DeepEqual(got.Features, want.Features) || !reflect.DeepEqual(got.Numbers, want.Numbers) {
			t.Fatalf("got\n%+v\nwant\n%+v", got.Features, want.Features)
		}
	}
}
