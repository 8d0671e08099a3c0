package configs

import "tune2048/engine"

// searchKeys are the keys of a search. A search that is given stands for itself: it takes nothing
// over from the default one.
type searchKeys struct {
	Depth          int            `yaml:"depth" want:"[1,31]"`
	ByEmpty        []emptyDepth   `yaml:"depth_by_empty" want:"[1,17] {above: N, depth: N}"`
	ByDistinct     *distinctDepth `yaml:"depth_by_distinct"`
	MinProbability float64        `yaml:"min_probability" want:"[0,1)"`
}

type emptyDepth struct {
	Above *int `yaml:"above" want:"[0,15]"` // nil: all other boards
	Depth int  `yaml:"depth" want:"[1,31]" example:"3"`
}

type distinctDepth struct {
	Minus int `yaml:"minus" want:"[0,15]" example:"2"`
	Least int `yaml:"least" want:"[0,15]" example:"3"`
}

// search reads how a player searches, and its own games unless games is nil.
func (n node) search(to *engine.Settings, games *int) {
	if n.doc.bot {
		n.problem("want none: a player searches in its own way")
		return
	}
	f, ok := n.fields()
	if !ok {
		return
	}
	var keys searchKeys
	before := len(n.doc.problems)
	f.decode(&keys)
	f.oneOf("depth", "depth_by_empty", "depth_by_distinct")
	sound := len(n.doc.problems) == before
	if games != nil {
		f.read("games", games, "[2,10000000]")
	}
	f.done()
	x := engine.Settings{
		Rule:           engine.DepthRule{Fixed: keys.Depth, ByDistinct: (*engine.DistinctLayers)(keys.ByDistinct)},
		MinProbability: keys.MinProbability,
	}
	for _, e := range keys.ByEmpty {
		above := -1
		if e.Above != nil {
			above = *e.Above
		}
		x.Rule.ByEmpty = append(x.Rule.ByEmpty, engine.EmptyDepth{Above: above, Depth: e.Depth})
	}
	// The engine has the last word, so that its rules and these cannot drift apart.
	if err := x.Validate(); sound && err != nil {
		n.problem("%v", err)
	} else if sound {
		*to = x
	}
}
