package config

import (
	"reflect"
	"testing"

	"tune2048/engine"
)

// players are the start weights of the shipped configs.
func players(t *testing.T) []Player {
	t.Helper()
	var list []Player
	for _, name := range Names() {
		c, err := LoadEmbedded(name)
		must(t, err)
		list = append(list, NewPlayer(name+" \"'é\\ ", c.Heuristic, c.Heuristic.Values(), c.Heuristic.Dead))
	}
	return list
}

func TestContestIsReadAsItIsWritten(t *testing.T) {
	search := engine.Settings{Rule: engine.DepthRule{ByDistinct: &engine.DistinctLayers{Minus: 2, Least: 3}}, MinProbability: 0.0001}
	all := players(t)
	c := NewContest(7, engine.Rules{FourProbability: 0.25}, []engine.Settings{search, engine.FixedDepth(3)}, all)
	again, err := ParseContest(c.YAML(), "run compare")
	must(t, err)
	if !reflect.DeepEqual(again, c) {
		t.Errorf("got\n%s\nwant\n%s", again.YAML(), c.YAML())
	}
	const wrong, want = "search: []\nplayers: 3", "x:1:1: search: want at least 1, got 0\nx:2:1: players: want a list of players, got 3"
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
	values := all[0].Heuristic.Values()
	values[0]++
	changed := NewPlayer(all[0].Name, all[0].Heuristic, values, all[0].Heuristic.Dead)
	dead := all[0]
	dead.Heuristic.Dead.Worst, dead.Heuristic.Dead.Value = false, 12
	for what, got := range map[string]string{
		"seed": hash(2, 3, all...), "search": hash(1, 5, all...), "weight": hash(1, 3, changed, all[1]), "dead": hash(1, 3, dead, all[1]),
	} {
		if got == want {
			t.Errorf("another %s makes the same contest", what)
		}
	}
}
