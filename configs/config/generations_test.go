package config

import (
	"reflect"
	"strings"
	"testing"
)

// staged has two stages with budgets, which choose its population and the games of its playoff.
const staged = "heuristic: {family: nneonneo}\nstages: [{name: a, max_games: 4000}, {name: b, search: {depth: 5}, " +
	"max_games: 2000}]\n"

// TestWithGenerations: the numbers win over max_games and leave stages out. All else stays as the
// whole config resolved it.
func TestWithGenerations(t *testing.T) {
	c := load(t, staged)
	for _, x := range []struct {
		given []int
		want  []int // generations of the stages, none where it is an error
	}{
		{[]int{500}, []int{500, 500}}, {[]int{7, 300}, []int{7, 300}}, {[]int{7, 0}, []int{7}},
		{[]int{1000000}, []int{1000000, 1000000}},
		{[]int{}, nil}, {[]int{0}, nil}, {[]int{0, 0}, nil}, {[]int{-1, 5}, nil}, {[]int{5, 1000001}, nil},
		{[]int{1, 2, 3}, nil},
	} {
		changed, err := c.WithGenerations(x.given...)
		if err != nil || x.want == nil {
			if err == nil || x.want != nil {
				t.Errorf("%v: got error %v, want stages of %v", x.given, err, x.want)
			}
			continue
		}
		for i, s := range changed.Stages {
			if s.Generations != x.want[i] || s.MaxGames != 0 || s.Games != c.Stages[i].Games ||
				s.Search.String() != c.Stages[i].Search.String() {
				t.Errorf("%v: stage %+v", x.given, s)
			}
		}
		if len(changed.Stages) != len(x.want) || !reflect.DeepEqual(changed.Optimizer, c.Optimizer) ||
			changed.Playoff.Games != c.Playoff.Games ||
			changed.Playoff.Finalists != c.Playoff.Finalists || c.Stages[0].MaxGames != 4000 {
			t.Errorf("%v: got %s", x.given, changed.Text)
		}
		if stored, err := Parse(changed.YAML(), "stored"); err != nil || stored.Hash != changed.Hash ||
			stored.Text != changed.Text {
			t.Errorf("%v: stored it is another config: %v", x.given, err)
		}
	}
}

// TestPlayedHash: the hash goes by what was played, not by how that was asked for, and sees every
// other change.
func TestPlayedHash(t *testing.T) {
	hash := func(c *Config, generations ...int) string { return c.Played(generations).Hash }
	c := load(t, staged+"playoff: {games: 40}\n")
	first, both := hash(c, 7), hash(c, 7, 12)
	if hash(c.Longer(999), 7, 12) != both {
		t.Error("of a config with a longer last stage: another hash")
	}
	renamed := load(t, "name: other\nstore: {games: none}\nplayoff: {games: 40}\n"+staged)
	if hash(renamed, 7) != first {
		t.Error("the name or what is stored changes it")
	}
	edited := load(t, strings.Replace(staged, "depth: 5", "depth: 4", 1))
	seen := map[string]string{}
	for name, h := range map[string]string{
		"7": first, "7,12": both, "8": hash(c, 8), "7,13": hash(c, 7, 13), "edited": hash(edited, 7, 12),
		"seed": hash(load(t, "seed: 1\n"+staged), 7, 12),
	} {
		if seen[h] != "" {
			t.Errorf("%s has the hash of %s", name, seen[h])
		}
		seen[h] = name
	}
}
