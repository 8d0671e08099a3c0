package configs

import "tune2048/engine"

var searchKeys = []string{"depth", "depth_by_empty", "depth_by_distinct", "min_probability"}

// search reads the settings of a search. A search that is given stands for itself: it takes nothing over from
// the default one.
func (v value) search() (s engine.Settings, ok bool) {
	f, ok := v.fields(searchKeys...)
	if !ok {
		return s, false
	}
	before := v.doc.found
	f.within("min_probability", &s.MinProbability, interval{low: 0, high: 1, highOut: true})
	if rule, ok := f.exactlyOne("depth", "depth_by_empty", "depth_by_distinct"); ok {
		switch given, _ := f.get(rule); rule {
		case "depth":
			f.whole("depth", &s.Rule.Fixed, 1, engine.MaxDepth)
		case "depth_by_empty":
			s.Rule.ByEmpty = given.depthByEmpty()
		case "depth_by_distinct":
			s.Rule.ByDistinct = given.depthByDistinct()
		}
	}
	if v.doc.found > before {
		return s, false
	}
	// The engine has the last word, so that its rules and these cannot drift apart.
	if err := s.Validate(); err != nil {
		v.problem("%v", err)
		return s, false
	}
	return s, true
}

// depthByEmpty reads [{above: 7, depth: 3}, {depth: 7}].
func (v value) depthByEmpty() (rule []engine.EmptyDepth) {
	const cells = 16
	items, ok := v.items("{above: N, depth: N}", 1, cells+1)
	if !ok {
		return nil
	}
	for i, item := range items {
		f, ok := item.fields("above", "depth")
		if !ok {
			continue
		}
		e := engine.EmptyDepth{Above: -1, Depth: 1}
		if _, ok := f.required("depth", "depth: 3"); ok {
			f.whole("depth", &e.Depth, 1, engine.MaxDepth)
		}
		f.whole("above", &e.Above, 0, cells-1)
		above, given := f.get("above")
		switch last := i == len(items)-1; {
		case last && given:
			above.problem("want none in the last entry, which is for all other boards")
		case !last && !given:
			item.problem("above is missing: only the last entry, for all other boards, has none")
		case given && len(rule) > 0 && e.Above >= rule[len(rule)-1].Above:
			above.problem("want less than in the entry before (%d), got %d", rule[len(rule)-1].Above, e.Above)
		}
		rule = append(rule, e)
	}
	return rule
}

// depthByDistinct reads {minus: 2, least: 3}.
func (v value) depthByDistinct() *engine.DistinctLayers {
	rule := new(engine.DistinctLayers)
	if f, ok := v.fields("minus", "least"); ok {
		if _, ok := f.required("minus", "minus: 2"); ok {
			f.whole("minus", &rule.Minus, 0, 15)
		}
		if _, ok := f.required("least", "least: 3"); ok {
			f.whole("least", &rule.Least, 0, (engine.MaxDepth-1)/2)
		}
	}
	return rule
}
