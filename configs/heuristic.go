package configs

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"tune2048/engine/eval"
	"tune2048/engine/portable"
)

// describeHeuristic describes the section heuristic, which a config must have.
func (c *Config) describeHeuristic(s *section) {
	required(s, "heuristic", c, "{family: nneonneo}", kind[Config]{
		read: func(n node) (Config, bool) {
			n.section(c.describeFamily)
			return *c, true
		},
		text: func(_ Config, full bool) string { return indented(full, c.describeFamily) },
		schema: func() object {
			o := schemaOf(c.describeFamily)
			shipped := object{"family": object{"enum": Names()}}
			o["anyOf"] = []object{{"required": []string{"features"}}, {"required": []string{"family"}, "properties": shipped}}
			return o
		},
	})
}

// describeFamily describes the family. Without features, the name of a shipped config stands for
// that config's whole heuristic. Dead and symmetry may then be given another value.
func (c *Config) describeFamily(s *section) {
	if !s.identity() {
		optional(s, "family", &c.FamilyName, "", name())
	}
	standard := eval.Heuristic{Dead: eval.Dead{Worst: true}, Symmetry: eval.SymmetryNone}
	if s.missing("features") {
		if !s.has("family") {
			s.refuse("", "want features, or the family of a shipped config: %s", either(Names()))
		} else if shipped, err := LoadEmbedded(c.FamilyName); err == nil {
			standard = shipped.Family
		} else if c.FamilyName != "" {
			s.refuse("family", "there is no shipped family %s%s; give features, or one of %s",
				c.FamilyName, DidYouMean(c.FamilyName, Names()), either(Names()))
		}
	}
	f := &c.Family
	entry(s, "dead", &f.Dead, standard.Dead, dead())
	entry(s, "symmetry", &f.Symmetry, standard.Symmetry, word(eval.SymmetryNone, eval.SymmetryBest))
	entry(s, "features", &f.Features, standard.Features, features())
	if s.by == reader && len(f.Features) > 0 {
		s.checkFamily(f)
	}
}

// checkFamily chooses the ranges of the weights that are reward or penalty. It notes what can be
// wrong with right numbers: a name that is used twice, a range that leaves a setting's domain or
// would overflow the tables.
func (s *section) checkFamily(family *eval.Heuristic) {
	var items []node
	if given, ok := s.entries["features"]; ok {
		items, _ = given.items("", 0, eval.MaxFeatures)
	}
	d := s.mapping.doc
	read := slices.Clone(d.problems)
	s.refuseFamily(items, family.Problems(func(feature int, key string) bool {
		if len(items) == 0 {
			return false
		}
		at := items[feature]
		name := strings.TrimSuffix(at.nameOf(key), ".")
		return slices.ContainsFunc(read, func(p problem) bool { return p.Key == at.key || p.within(name) })
	}))
	if len(items) == 0 {
		return
	}
	chosen, problems := chooseRanges(family.Features, func(feature int) bool { return d.wrong(items[feature].key) })
	if s.refuseFamily(items, problems); chosen && s.sound() {
		s.refuseFamily(items, family.Problems(nil))
	}
	if s.sound() {
		balance(family.Features)
	}
}

// refuseFamily notes the problems of a family at the items of features that they are of.
func (s *section) refuseFamily(items []node, problems []*eval.Problem) {
	for _, problem := range problems {
		if problem.Feature < 0 || len(items) == 0 {
			s.refuse("", "%v", problem)
			continue
		}
		at := items[problem.Feature]
		seen := at
		seen.doc = new(document) // whose problems are noted already
		keys, _ := seen.entries()
		if key, given := keys.entries[problem.Key]; given {
			at.at, at.key = key.at, key.key
		}
		if problem.Symbol != "" {
			problem.Reason += DidYouMean(problem.Symbol, problem.Known)
		}
		at.problem("%s", problem.Reason)
	}
}

// dead is the value of a position without a legal move.
func dead() kind[eval.Dead] {
	return kind[eval.Dead]{
		read: func(n node) (eval.Dead, bool) {
			if n.isWord("worst") {
				return eval.Dead{Worst: true}, true
			}
			x, ok := numberOr("worst or a number").read(n)
			return eval.Dead{Value: x}, ok
		},
		text:   func(d eval.Dead, _ bool) string { return deadText(d) },
		schema: func() object { return anyOf(object{"const": "worst"}, object{"type": "number"}) },
	}
}

func deadText(d eval.Dead) string {
	if d.Worst {
		return "worst"
	}
	return decimal(d.Value)
}

func features() kind[[]eval.Term] {
	feature := mapping(describeFeature)
	feature.schema = func() object {
		return variants("feature", kindNames(), "", func(kind string) object {
			o := schemaOf(func(s *section) { describeFeature(s, &eval.Term{Kind: kind}) })
			o["description"] = eval.KindOf(kind).Doc
			return o
		})
	}
	return blocks("features", 1, eval.MaxFeatures, same(feature))
}

func kindNames() (names []string) {
	for _, k := range eval.Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// describeFeature describes {feature: KIND, name, weight, ...}. The kind determines the settings.
func describeFeature(s *section, f *eval.Term) {
	required(s, "feature", &f.Kind, "empty", word(kindNames()...))
	if given, ok := s.entries["feature"]; ok && f.Kind == "" {
		f.Kind = Nearest(given.yaml.Value, kindNames()) // which the message names
	}
	kind := eval.KindOf(f.Kind)
	settings, standard := eval.Settings(), eval.Term{} // any, if nobody knows which it has
	if kind != nil {
		settings, standard = kind.Settings, eval.Defaults(kind.Name)
	}
	entry(s, "name", &f.Name, f.Kind, name())
	var over []string // the keys of parts of the board
	for _, setting := range settings {
		s.doc = setting.Doc
		example := setting.Example
		if kind == nil {
			example = ""
		}
		switch key := setting.Key; {
		case setting.Over:
			over = append(over, key)
			s.formula(f, key, setting.Formula(f))
		case setting.Let != nil:
			optional(s, key, setting.Let(f), nil, formulaParts())
		case setting.Sums != nil:
			optional(s, key, setting.Sums(f), nil, sums())
		case setting.Numbers != nil:
			entry(s, key, setting.Numbers(f), nil, formulaNumbers())
		case setting.Word != nil:
			entry(s, key, setting.Word(f), setting.Default, word(setting.Choices...))
		case setting.Matrix != nil:
			required(s, key, setting.Matrix(f), example, matrix())
		case setting.Default == "":
			required(s, key, setting.Weight(f), example, weight(setting.Scale()))
		case key == "weight":
			entry(s, key, &f.Weight, standard.Weight, weight(setting.Scale(), reward, penalty))
		default:
			entry(s, key, setting.Weight(f), *setting.Weight(&standard), weight(setting.Scale()))
		}
	}
	if kind == nil {
		return
	}
	if over != nil {
		s.oneOf(over...)
	}
	s.chosen, s.users = kind.Name, func(key string) (users []string) {
		for _, k := range eval.Kinds() {
			if slices.ContainsFunc(k.Settings, func(setting *eval.Setting) bool { return setting.Key == key }) {
				users = append(users, k.Name)
			}
		}
		return users
	}
}

// formula describes one of the keys that have a formula. written is a writer's.
func (s *section) formula(f *eval.Term, key, written string) {
	optional(s, key, &written, "", text())
	if s.by == reader && s.has(key) {
		f.Formula, f.Over = written, key
		if key == "line" {
			f.Over = "" // as before there were others
		}
	}
}

// formulaParts are the parts of a formula by their names. Their order has a meaning.
func formulaParts() kind[[]eval.NamedPart] {
	formula := text()
	return named(kind[eval.NamedPart]{
		read: func(n node) (eval.NamedPart, bool) {
			written, ok := formula.read(n)
			return eval.NamedPart{Formula: written}, ok
		},
		text:   func(x eval.NamedPart, full bool) string { return formula.text(x.Formula, full) },
		schema: formula.schema,
	}, false, func(x *eval.NamedPart) *string { return &x.Name })
}

// sums are the sums of a formula over the board by their names.
func sums() kind[[]eval.NamedSum] {
	sum := mapping(func(s *section, sum *eval.NamedSum) {
		var f eval.Term
		parts := []string{"line", "row", "column", "square"}
		for _, key := range parts {
			written := ""
			if sum.Over == key {
				written = sum.Formula
			}
			s.formula(&f, key, written)
		}
		if s.oneOf(parts...); s.by == reader {
			sum.Formula, sum.Over = f.Formula, cmp.Or(f.Over, "line")
		}
	})
	return named(sum, true, func(sum *eval.NamedSum) *string { return &sum.Name })
}

// formulaNumbers are the numbers of a formula by their symbols.
func formulaNumbers() kind[[]eval.Number] {
	number := weight(portable.LinearScale)
	return named(kind[eval.Number]{
		read: func(n node) (eval.Number, bool) {
			w, ok := number.read(n)
			return eval.Number{Weight: w}, ok
		},
		text:   func(x eval.Number, full bool) string { return number.text(x.Weight, full) },
		schema: number.schema,
	}, true, func(x *eval.Number) *string { return &x.Symbol })
}

// matrix is four rows of four weights, the upper row first. The cells have one effect together, so
// their ratio scales turn from differences to ratios at mostNear.
func matrix() kind[[4][4]eval.Weight] {
	cell := weightNear(portable.RatioScale, mostNear)
	rows := list("4 rows of 4 numbers", 4, 4, same(list("4 numbers", 4, 4, same(cell))))
	return kind[[4][4]eval.Weight]{
		read: func(n node) (m [4][4]eval.Weight, ok bool) {
			all, ok := rows.read(n)
			for i, row := range all {
				copy(m[i][:], row)
			}
			return m, ok
		},
		text: func(m [4][4]eval.Weight, full bool) string {
			return rows.text([][]eval.Weight{m[0][:], m[1][:], m[2][:], m[3][:]}, full)
		},
		schema: rows.schema,
	}
}

// weight is a weight of a heuristic: a number alone, which is fixed, or {min, max, start, scale},
// which is tuned. scale is the scale of a range that names none. The words stand for a range that
// is still to be chosen.
func weight(scale string, words ...string) kind[eval.Weight] {
	return weightNear(scale, 0, words...)
}

// weightNear is a weight whose ratio scale turns at a share of its larger end. 0: see balance.
func weightNear(scale string, near float64, words ...string) kind[eval.Weight] {
	tuned := mapping(func(s *section, w *eval.Weight) { describeWeight(s, w, scale, near) })
	wanted := append([]string{"a number", "{min, max, start, scale}"}, words...)
	return kind[eval.Weight]{
		read: func(n node) (eval.Weight, bool) {
			switch word := n.isWord(reward) || n.isWord(penalty); {
			case n.isMapping():
				return tuned.read(n)
			case word && len(words) > 0:
				return toChoose(n.yaml.Value), true
			case word:
				n.problem("want %s, got %s: it is for the weight of a feature only", either(wanted), n.describe())
				return eval.Weight{}, false
			}
			x, ok := numberOr(either(wanted)).read(n)
			return eval.Fixed(x), ok
		},
		text: func(w eval.Weight, full bool) string {
			if !w.Tunable {
				return decimal(w.Value)
			}
			return tuned.text(w, full)
		},
		schema: func() object {
			variants := []object{{"type": "number"}, reference("range")}
			if len(words) > 0 {
				variants = append(variants, object{"enum": words})
			}
			return anyOf(variants...)
		},
	}
}

// describeWeight describes a tuned weight. By default it starts at the middle of its range, on its
// scale. A range whose ends are equal is read as a fixed weight.
//
// A range that names no scale has the given one, or linear if it is of whole numbers. But
// identities leave out linear: stored runs were made when it was the default of all.
func describeWeight(s *section, w *eval.Weight, standard string, near float64) {
	w.Tunable = true
	required(s, "min", &w.Min, "0", number())
	required(s, "max", &w.Max, "1000", number())
	optional(s, "whole", &w.Whole, false, boolean())
	if s.by == writer || w.Whole {
		standard = portable.LinearScale
	}
	s.doc = "by default ratio for the weight of a feature and the cells of a matrix, otherwise linear, as for whole numbers"
	scale := word(portable.LinearScale, portable.LogScale, portable.RatioScale)
	scale.shown = false
	entry(s, "scale", &w.Scale, standard, scale)
	scaled := portable.Scale{Min: w.Min, Max: w.Max, By: w.Scale, Whole: w.Whole} // of a feature Near is known later
	if near > 0 && w.Scale == portable.RatioScale {
		scaled.Near = rounded(near*max(math.Abs(w.Min), math.Abs(w.Max)), 2)
		w.Near = scaled.Near
	}
	entry(s, "start", &w.Value, scaled.Middle(), number())
	finishWeight(s, w)
}

// finishWeight checks a tuned weight that was read.
func finishWeight(s *section, w *eval.Weight) {
	if s.sound("scale", "start") {
		for _, p := range w.Validate() {
			s.refuse(p.Key, "%s", p.Reason)
		}
	}
	if s.by == reader && w.Min == w.Max {
		*w = eval.Fixed(w.Min)
	}
}
