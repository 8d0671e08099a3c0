package configs

import (
	"errors"
	"math"
	"slices"

	"tune2048/engine/heuristic"
)

// maxFeatures bounds the time that tables take.
const maxFeatures = 64

// heuristic describes the section heuristic, which a config must have.
func (s *section) heuristic(c *Config) {
	const key = "heuristic"
	if !s.reading {
		s.put(key, indented(s.full, func(s *section) { describeHeuristic(s, c) }))
		return
	}
	s.known = append(s.known, key)
	s.required(key, "{family: nneonneo}")
	if s.schema != nil {
		o := schemaOf(func(s *section) { describeHeuristic(s, c) })
		o["anyOf"] = []object{{"required": []string{"features"}}, {"required": []string{"family"}, "properties": object{"family": object{"enum": Names()}}}}
		s.note(key, o)
	}
	if n, ok := s.get(key); ok {
		before := n.doc.found
		n.section(func(s *section) { describeHeuristic(s, c) })
		if n.doc.found == before {
			n.checkFamily(&c.Family)
		}
	}
}

// describeHeuristic describes the family. Without features, the name of a shipped config stands for that config's
// whole heuristic, of which dead and symmetry may be given another value.
func describeHeuristic(s *section, c *Config) {
	if s.reading || s.full && c.FamilyName != "" {
		s.name("family", &c.FamilyName, "")
	}
	family := heuristic.Family{Dead: heuristic.Dead{Worst: true}, Symmetry: heuristic.SymmetryNone}
	if s.reading && !s.has("features") {
		family = s.shipped(c.FamilyName, family)
	}
	entry(s, "dead", &c.Family.Dead, family.Dead, node.dead, dead)
	s.word("symmetry", &c.Family.Symmetry, family.Symmetry, heuristic.SymmetryNone, heuristic.SymmetryBest)
	entry(s, "features", &c.Family.Features, family.Features, node.features, func(features []heuristic.Feature, full bool) string {
		var texts []string
		for _, f := range features {
			texts = append(texts, flow(full, func(s *section) { describeFeature(s, &f) }))
		}
		return items(texts)
	})
}

// shipped returns the family of the shipped config with that name. It is a problem if there is none.
func (s *section) shipped(name string, otherwise heuristic.Family) heuristic.Family {
	at, named := s.get("family")
	switch {
	case !named:
		s.mapping.problem("want features, or the family of a shipped config: %s", either(Names()))
	case name != "":
		if shipped, err := LoadEmbedded(name); err == nil {
			return shipped.Family
		}
		at.problem("there is no shipped family %s%s; give features, or one of %s", name, didYouMean(name, Names()), either(Names()))
	}
	return otherwise
}

// checkFamily notes what can be wrong with right numbers, where it is: a name that is used twice, a range that leaves a
// setting's domain or would overflow the tables.
func (n node) checkFamily(family *heuristic.Family) {
	var problem *heuristic.Problem
	err := family.Check()
	if err == nil {
		return
	}
	if h, _ := n.entries(); errors.As(err, &problem) && problem.Feature >= 0 && h.has("features") {
		features, _ := h.entries["features"].items("", 0, maxFeatures)
		feature := features[problem.Feature]
		keys, _ := feature.entries()
		if at, given := keys.get(problem.Key); given {
			feature = at
		}
		if problem.Symbol != "" {
			problem.Reason += didYouMean(problem.Symbol, problem.Known)
		}
		feature.problem("%s", problem.Reason)
		return
	}
	n.problem("%v", err)
}

// dead reads the value of a position without a legal move.
func (n node) dead() (heuristic.Dead, bool) {
	if n.isText() && n.yaml.Value == "worst" {
		return heuristic.Dead{Worst: true}, true
	}
	if !n.unquoted() || n.isText() || n.isNull() {
		n.want("worst or a number")
		return heuristic.Dead{}, false
	}
	x, ok := n.number()
	return heuristic.Dead{Value: x}, ok
}

func dead(d heuristic.Dead, _ bool) string {
	if d.Worst {
		return "worst"
	}
	return number(d.Value)
}

// features reads the list of features.
func (n node) features() (features []heuristic.Feature, ok bool) {
	items, ok := n.items("features", 1, maxFeatures)
	for _, item := range items {
		var f heuristic.Feature
		item.section(func(s *section) { describeFeature(s, &f) })
		features = append(features, f)
	}
	return features, ok
}

// describeFeature describes {feature: KIND, name, weight, ...}, of which the kind says what there is.
func describeFeature(s *section, f *heuristic.Feature) {
	var kinds []string
	for _, k := range heuristic.Kinds() {
		kinds = append(kinds, k.Name)
	}
	must(s, "feature", &f.Kind, "empty", func(n node) (string, bool) { return n.choice(kinds...) }, func(kind string, _ bool) string { return kind })
	kind := heuristic.KindOf(f.Kind)
	if kind == nil {
		s.known = s.keys // nobody knows which keys it has
		return
	}
	if s.reading {
		*f = heuristic.Defaults(kind.Name)
	}
	s.name("name", &f.Name, kind.Name)
	standard := heuristic.Defaults(kind.Name)
	for _, setting := range kind.Settings {
		switch {
		case setting.Text != nil:
			must(s, setting.Key, setting.Text(f), setting.Example, node.text, quoted)
		case setting.Numbers != nil:
			entry(s, setting.Key, setting.Numbers(f), nil, node.formulaNumbers, formulaNumbers)
		case setting.Word != nil:
			s.word(setting.Key, setting.Word(f), setting.Default, setting.Choices...)
		case setting.Matrix != nil:
			must(s, setting.Key, setting.Matrix(f), setting.Example, node.matrix, matrix)
		case setting.Default == "":
			must(s, setting.Key, setting.Weight(f), setting.Example, node.weight, weight)
		default:
			entry(s, setting.Key, setting.Weight(f), *setting.Weight(&standard), node.weight, weight)
		}
		if s.schema != nil {
			s.schema["properties"].(object)[setting.Key].(object)["description"] = setting.Doc
		}
	}
	s.foreign = func(key string) string {
		used := func(settings []*heuristic.Setting) bool {
			return slices.ContainsFunc(settings, func(setting *heuristic.Setting) bool { return setting.Key == key })
		}
		if used(heuristic.Settings()) && !used(kind.Settings) {
			return kind.Name + " does not use it"
		}
		return ""
	}
}

// formulaNumbers reads the numbers of a formula, each under its symbol. Their order is that of the symbols: that of a file has no
// meaning, so it must not make another config.
func (n node) formulaNumbers() (numbers []heuristic.Number, ok bool) {
	f, ok := n.entries()
	for _, symbol := range slices.Sorted(slices.Values(f.keys)) {
		w, _ := f.entries[symbol].weight()
		numbers = append(numbers, heuristic.Number{Symbol: symbol, Weight: w})
	}
	return numbers, ok
}

func formulaNumbers(numbers []heuristic.Number, full bool) string {
	return flow(full, func(s *section) {
		for _, n := range numbers {
			s.put(quoted(n.Symbol, full), weight(n.Weight, full))
		}
	})
}

// matrix reads four rows of four weights, the upper row first.
func (n node) matrix() (matrix [4][4]heuristic.Weight, ok bool) {
	rows, ok := n.items("4 rows of 4 numbers", 4, 4)
	for r, row := range rows {
		cells, _ := row.items("4 numbers", 4, 4)
		for c, cell := range cells {
			matrix[r][c], _ = cell.weight()
		}
	}
	return matrix, ok
}

func matrix(m [4][4]heuristic.Weight, full bool) string {
	return list(m[:], func(row [4]heuristic.Weight) string {
		return list(row[:], func(w heuristic.Weight) string { return weight(w, full) })
	})
}

// weight reads a weight of a heuristic: a number alone, which is fixed, or {min, max, start, scale}, which is tuned.
func (n node) weight() (w heuristic.Weight, ok bool) {
	if n.isScalar() {
		if !n.unquoted() || n.isNull() {
			n.want("a number or {min, max, start, scale}")
			return w, false
		}
		x, ok := n.number()
		return heuristic.Fixed(x), ok
	}
	before := n.doc.found
	w.Tunable = true
	if !n.section(func(s *section) {
		describeWeight(s, &w)
		if key, reason := w.Validate(); reason != "" && n.doc.found == before {
			at, given := s.get(key)
			if !given { // the range as a whole
				at = n
			}
			at.problem("%s", reason)
		}
	}) {
		return w, false
	}
	return w, n.doc.found == before
}

func weight(w heuristic.Weight, full bool) string {
	if !w.Tunable {
		return number(w.Value)
	}
	return flow(full, func(s *section) { describeWeight(s, &w) })
}

// describeWeight describes a tuned weight. It starts at the middle of its range, of its logarithms' range for scale log.
func describeWeight(s *section, w *heuristic.Weight) {
	write := func(x float64, _ bool) string { return number(x) }
	must(s, "min", &w.Min, "0", node.number, write)
	must(s, "max", &w.Max, "1000", node.number, write)
	scale := "linear"
	if w.Log {
		scale = "log"
	}
	s.word("scale", &scale, "linear", "linear", "log")
	w.Log = scale == "log"
	entry(s, "start", &w.Value, middle(w), node.number, write)
}

// middle returns the middle of the weight's range on its scale. Square roots and halves are the same on every
// machine.
func middle(w *heuristic.Weight) float64 {
	m := w.Min/2 + w.Max/2
	if w.Log {
		m = math.Sqrt(w.Min) * math.Sqrt(w.Max)
	}
	return min(max(m, w.Min), w.Max)
}
