package config

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/eval"
)

// players are the start weights of the shipped configs.
func players(t *testing.T) []Player {
	t.Helper()
	var list []Player
	for _, name := range Names() {
		c, err := LoadEmbedded(name)
		must(t, err)
		list = append(list, NewPlayer(name+" \"'é\\ ", c.Heuristic, c.Start(), c.Heuristic.Dead))
	}
	return list
}

func TestContestIsReadAsItIsWritten(t *testing.T) {
	search := engine.Settings{Rule: engine.DepthRule{ByDistinct: &engine.DistinctLayers{Minus: 2, Least: 3}},
		MinProbability: 0.0001}
	all := players(t)
	c := NewContest(7, engine.Rules{FourProbability: 0.25}, []engine.Settings{search, engine.FixedDepth(3)}, all)
	again, err := ParseContest(c.YAML(), "run compare")
	must(t, err)
	if !reflect.DeepEqual(again, c) {
		t.Errorf("got\n%s\nwant\n%s", again.YAML(), c.YAML())
	}
	const wrong, want = "search: []\nplayers: 3",
		"x:1:1: search: want at least 1, got 0\nx:2:1: players: want a list of players, such as [{name: a, heuristic: " +
			"{family: snake}}], got 3"
	if _, err := ParseContest([]byte(wrong), "x"); err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

func TestContestIsIdentifiedByItsGames(t *testing.T) {
	all := players(t)[:2]
	hash := func(seed uint64, depth int, players ...Player) string {
		c := NewContest(seed, engine.DefaultRules(), []engine.Settings{engine.FixedDepth(depth)}, players)
		return c.Hash()
	}
	want := hash(1, 3, all[0], all[1])
	renamed := all[0]
	renamed.Name = "other"
	if hash(1, 3, all[1], all[0]) != want || hash(1, 3, renamed, all[1]) != want {
		t.Error("the order of the players, or a name, makes another contest")
	}
	values := slices.Clone(all[0].Values)
	values[0]++
	changed := NewPlayer(all[0].Name, all[0].Heuristic, values, all[0].Heuristic.Dead)
	dead := all[0]
	dead.Heuristic.Dead.Worst, dead.Heuristic.Dead.Value = false, 12
	for what, got := range map[string]string{
		"seed": hash(2, 3, all...), "search": hash(1, 5, all...), "weight": hash(1, 3, changed, all[1]),
		"dead": hash(1, 3, dead, all[1]),
	} {
		if got == want {
			t.Errorf("another %s makes the same contest", what)
		}
	}
}

// TestContestHasBounds: the scores of a contest lie within the bounds of all its players. Other
// bounds are another question about the same games.
func TestContestHasBounds(t *testing.T) {
	of := func(scores ...bot.Bounds) *Contest {
		var list []Player
		for i, b := range scores {
			p := bot.Program{Command: []string{"bot", fmt.Sprint(i)}, Answers: bot.Games, Score: b}
			list = append(list, Player{Name: fmt.Sprint(i), Heuristic: eval.Heuristic{Bot: &p, Symmetry: eval.SymmetryNone}})
		}
		c := NewContest(1, engine.DefaultRules(), []engine.Settings{{Bot: true}}, list)
		again, err := ParseContest(c.YAML(), "run compare")
		must(t, err)
		if again.Objective != c.Objective || again.Hash() != c.Hash() {
			t.Errorf("read as %+v, written as %+v", again.Objective, c.Objective)
		}
		return c
	}
	unit, free := bot.Bounds{Min: 0, Max: 1}, of(bot.Bounds{}, bot.Bounds{})
	for _, c := range []struct {
		scores []bot.Bounds
		want   bot.Bounds
	}{
		{[]bot.Bounds{unit, unit}, unit},
		{[]bot.Bounds{unit, {Min: -1, Max: 0.5}}, bot.Bounds{Min: -1, Max: 1}},
		{[]bot.Bounds{unit, {}}, bot.Bounds{}},
	} {
		made := of(c.scores...)
		if got := made.Objective.Bounds(); got != c.want {
			t.Errorf("%v: %v, want %v", c.scores, got, c.want)
		}
		if made.Set() != free.Set() || (made.Hash() == free.Hash()) == c.want.Known() {
			t.Errorf("%v: bounds change the games, or are no part of the question", c.scores)
		}
	}
}
