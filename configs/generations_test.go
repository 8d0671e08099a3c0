package configs

import "testing"

// staged has two stages with budgets, which choose its population and the games of its playoff.
const staged = "heuristic: {family: nneonneo}\nstages: [{name: a, max_games: 4000}, {name: b, search: {depth: 5}, max_games: 2000, stop: {no_progress: 9}}]\n"

// TestWithGenerations: the numbers win over max_games and leave stages out. All else stays as the whole config resolved it.
func TestWithGenerations(t *testing.T) {
	c := load(t, staged)
	for _, x := range []struct {
		given []int
		want  []int // generations of the stages, none where it is an error
	}{
		{[]int{500}, []int{500, 500}}, {[]int{7, 300}, []int{7, 300}}, {[]int{7, 0}, []int{7}}, {[]int{1000000}, []int{1000000, 1000000}},
		{[]int{}, nil}, {[]int{0}, nil}, {[]int{0, 0}, nil}, {[]int{0, 5}, nil}, {[]int{-1, 5}, nil}, {[]int{5, 1000001}, nil}, {[]int{1, 2, 3}, nil},
	} {
		changed, err := c.WithGenerations(x.given...)
		if err != nil || x.want == nil {
			if err == nil || x.want != nil {
				t.Errorf("%v: got error %v, want stages of %v", x.given, err, x.want)
			}
			continue
		}
		for i, s := range changed.Stages {
			if s.Generations != x.want[i] || s.MaxGames != 0 || s.Games != c.Stages[i].Games || s.Search.String() != c.Stages[i].Search.String() {
				t.Errorf("%v: stage %+v", x.given, s)
			}
		}
		if len(changed.Stages) != len(x.want) || changed.Optimizer != c.Optimizer || changed.Playoff.Games != c.Playoff.Games ||
			changed.Playoff.Finalists != c.Playoff.Finalists || c.Stages[0].MaxGames != 4000 {
			t.Errorf("%v: got %s", x.given, changed.Text)
		}
		if stored, err := ParseStored(changed.YAML(), "stored"); err != nil || stored.Hash != changed.Hash || stored.Text != changed.Text {
			t.Errorf("%v: stored it is another config: %v", x.given, err)
		}
	}
}
