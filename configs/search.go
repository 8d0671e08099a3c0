package configs

import (
	"tune2048/engine"
	"tune2048/tuner"
)

// search is how a player searches. A search that is given stands for itself: it takes nothing over
// from the default one.
func search() kind[engine.Settings] {
	k := mapping(describeSearch)
	k.schema = func() object { return reference("search") }
	return k
}

func describeSearch(s *section, x *engine.Settings) {
	s.oneOf("depth", "depth_by_empty", "depth_by_distinct")
	optional(s, "depth", &x.Rule.Fixed, 0, whole(1, engine.MaxDepth))
	optional(s, "depth_by_empty", &x.Rule.ByEmpty, nil,
		list("{above: N, depth: N}", 1, 17, same(mapping(describeEmptyDepth)))) // 17: 0 to 16 empty cells
	optional(s, "depth_by_distinct", &x.Rule.ByDistinct, nil, mapping(describeDistinct))
	entry(s, "min_probability", &x.MinProbability, 0, within(tuner.Range{Low: 0, High: 1, HighOut: true}))
	// The engine has the last word, so that its rules and these cannot drift apart.
	if err := x.Validate(); err != nil && s.sound("min_probability") {
		s.refuse("", "%v", err)
	}
}

// describeEmptyDepth describes {above: 7, depth: 3}. Above is -1 if it is left out.
func describeEmptyDepth(s *section, e *engine.EmptyDepth) {
	optional(s, "above", &e.Above, -1, whole(0, 15))
	required(s, "depth", &e.Depth, "3", whole(1, engine.MaxDepth))
}

// describeDistinct describes {minus: 2, least: 3}.
func describeDistinct(s *section, rule **engine.DistinctLayers) {
	if *rule == nil {
		*rule = &engine.DistinctLayers{Minus: -1} // which is no rule
	}
	required(s, "minus", &(*rule).Minus, "2", whole(0, 15))
	required(s, "least", &(*rule).Least, "3", whole(0, (engine.MaxDepth-1)/2))
}
