package configs

import (
	"tune2048/engine"
	"tune2048/tuner"
)

// search reads the settings of a search. A search that is given stands for itself: it takes nothing over from
// the default one.
func (n node) search() (x engine.Settings, ok bool) {
	return x, n.settings(&x, func(s *section) { describeSearch(s, &x) })
}

// settings reads a mapping that has the settings of a search, and says whether they are such.
func (n node) settings(x *engine.Settings, describe func(*section)) bool {
	before := n.doc.found
	if !n.section(describe) || n.doc.found > before {
		return false
	}
	// The engine has the last word, so that its rules and these cannot drift apart.
	if err := x.Validate(); err != nil {
		n.problem("%v", err)
		return false
	}
	return true
}

func search(x engine.Settings, full bool) string {
	return flow(full, func(s *section) { describeSearch(s, &x) })
}

func describeSearch(s *section, x *engine.Settings) {
	r := &x.Rule
	if s.reading {
		s.onlyOne("depth", "depth_by_empty", "depth_by_distinct")
	}
	if s.reading || r.Fixed > 0 {
		s.whole("depth", &r.Fixed, 0, 1, engine.MaxDepth)
	}
	if s.reading || r.ByEmpty != nil {
		entry(s, "depth_by_empty", &r.ByEmpty, nil, node.depthByEmpty, depthByEmpty)
	}
	if s.reading || r.ByDistinct != nil {
		entry(s, "depth_by_distinct", &r.ByDistinct, nil, node.depthByDistinct, depthByDistinct)
	}
	s.number("min_probability", &x.MinProbability, 0, tuner.Range{Low: 0, High: 1, HighOut: true})
}

// depthByEmpty reads [{above: 7, depth: 3}, {depth: 7}].
func (n node) depthByEmpty() (rule []engine.EmptyDepth, ok bool) {
	const cells = 16
	items, ok := n.items("{above: N, depth: N}", 1, cells+1)
	for i, item := range items {
		e := engine.EmptyDepth{Above: -1}
		item.section(func(s *section) {
			describeEmptyDepth(s, &e)
			above, given := s.get("above")
			switch last := i == len(items)-1; {
			case last && given:
				above.problem("want none in the last entry, which is for all other boards")
			case !last && !given:
				item.problem("above is missing: only the last entry, for all other boards, has none")
			case given && len(rule) > 0 && e.Above >= rule[len(rule)-1].Above:
				above.problem("want less than in the entry before (%d), got %d", rule[len(rule)-1].Above, e.Above)
			}
		})
		rule = append(rule, e)
	}
	return rule, ok
}

func depthByEmpty(rule []engine.EmptyDepth, full bool) string {
	return list(rule, func(e engine.EmptyDepth) string { return flow(full, func(s *section) { describeEmptyDepth(s, &e) }) })
}

func describeEmptyDepth(s *section, e *engine.EmptyDepth) {
	if s.reading || e.Above >= 0 {
		s.whole("above", &e.Above, -1, 0, 15)
	}
	s.mustWhole("depth", &e.Depth, 3, 1, engine.MaxDepth)
}

// depthByDistinct reads {minus: 2, least: 3}.
func (n node) depthByDistinct() (rule *engine.DistinctLayers, ok bool) {
	rule = new(engine.DistinctLayers)
	return rule, n.section(func(s *section) { describeDistinct(s, rule) })
}

func depthByDistinct(rule *engine.DistinctLayers, full bool) string {
	if rule == nil {
		return ""
	}
	return flow(full, func(s *section) { describeDistinct(s, rule) })
}

func describeDistinct(s *section, rule *engine.DistinctLayers) {
	s.mustWhole("minus", &rule.Minus, 2, 0, 15)
	s.mustWhole("least", &rule.Least, 3, 0, (engine.MaxDepth-1)/2)
}
