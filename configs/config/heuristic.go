package config

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"tune2048/engine/bot"
	"tune2048/engine/eval"
	"tune2048/engine/key"
	"tune2048/engine/portable"
	"tune2048/tuner"
)

// player reads the player: a heuristic that this program plays, or a bot. The document has its
// weights.
func (f *fields) player(to *eval.Heuristic) {
	f.known = append(f.known, "player")
	f.doc.weights, f.doc.shared, f.doc.chosen = nil, nil, map[int]float64{}
	heuristic, given := f.entries["heuristic"]
	switch player, isBot := f.entries["player"]; {
	case isBot && given:
		heuristic.problem("want heuristic or player, got both")
		fallthrough
	case isBot:
		player.bot(to)
	case given:
		heuristic.heuristic(to)
	default:
		f.doc.refuse("heuristic", "missing: give it, such as heuristic: {family: nneonneo}")
	}
}

// heuristic reads the heuristic. Without features, the name of a shipped config stands for that
// config's whole heuristic. Dead, symmetry and order may then be given another value.
func (n node) heuristic(to *eval.Heuristic) {
	if n.isText() {
		n.problem("want a mapping such as {family: %s}, got %s", cmp.Or(Nearest(n.Value, Names()), "snake"), n.describe())
		return
	}
	f, ok := n.fields()
	if !ok {
		return
	}
	before := len(n.doc.problems)
	h, shipped := eval.Heuristic{}, []tuner.Parameter(nil)
	others := []string{"numbers", "features"} // which are shipped, or missing
	switch family, named := f.entries["family"]; {
	case f.has("features"):
		others = nil
	case !named:
		f.doc.refuse(f.key, "want features, or the family of a shipped config: %s",
			either(Names()))
	default:
		if of, err := LoadEmbedded(family.Value); err == nil {
			h, shipped = of.Heuristic, of.Weights
			for _, name := range []string{"dead", "symmetry", "order"} {
				if !f.has(name) {
					others = append(others, name) // the shipped one stays
				}
			}
		} else if nameForm.MatchString(family.Value) {
			family.problem("there is no shipped family %s%s; give features, or one of %s",
				family.Value, DidYouMean(family.Value, Names()), either(Names()))
		}
	}
	if given, ok := f.entries["numbers"]; ok && others != nil {
		given.problem("want features beside it, which share these numbers")
	}
	f.section(&h, others...)
	if f.done(); len(n.doc.problems) > before {
		return
	}
	*to = h
	if shipped != nil {
		n.doc.weights = slices.Clone(shipped)
	}
	n.doc.nameWeights(to)
	if c := (&Config{Heuristic: *to, Weights: n.doc.weights}); n.checkHeuristic(c) {
		f.entries["order"].order(c)
	}
}

// number makes a parameter the next number of the player.
func (d *document) number(to *eval.Number, p tuner.Parameter) {
	to.At = len(d.weights)
	d.weights = append(d.weights, p)
}

// nameWeights gives the player's parameters their names.
func (d *document) nameWeights(h *eval.Heuristic) {
	for i, name := range h.Names() {
		d.weights[i].Name = name
	}
}

// start returns the player's vector.
func (d *document) start() eval.Vector { return (&Config{Weights: d.weights}).Start() }

// order checks the names of weights that candidates have in ascending order. The values of these
// trade places, so they have one range and one scale.
func (n node) order(c *Config) {
	var names []string
	tunable, before := c.Tunable(), tuner.Parameter{}
	for _, w := range tunable {
		names = append(names, w.Name)
	}
	for i, name := range c.Heuristic.Order {
		at := slices.Index(names, name)
		if at < 0 {
			n.problem("no weight with a range is called %s%s", clip(name), DidYouMean(name, names))
			return
		}
		w := tunable[at]
		if i > 0 && (w.Min != before.Min || w.Max != before.Max || w.Scale != before.Scale || w.Whole != before.Whole) {
			n.problem("want one range and one scale, got %v to %v (%s) for %s and %v to %v (%s) for %s",
				before.Min, before.Max, before.Scale, before.Name, w.Min, w.Max, w.Scale, name)
		} else if i > 0 && w.Value < before.Value || slices.Contains(c.Heuristic.Order[:i], name) {
			n.problem("want each weight once and starts in this order, got %s at %v after %s at %v", name, w.Value,
				before.Name, before.Value)
		}
		before = w
	}
}

// checkHeuristic chooses the ranges of the weights that are reward or penalty. It notes what can be
// wrong with right numbers: a name that is used twice, a range that leaves a setting's range. It
// returns whether all is right.
func (n node) checkHeuristic(c *Config) (right bool) {
	for _, check := range []func() []*eval.Problem{
		func() []*eval.Problem { return c.Heuristic.Problems(c.Start()) },
		func() []*eval.Problem { return rangeProblems(c.Heuristic.Slots(), c.Weights) },
		func() []*eval.Problem { return c.chooseRanges(n.doc.chosen) },
	} {
		problems := check()
		for _, p := range problems {
			at := n.key
			if p.Feature >= 0 {
				at = fmt.Sprintf("%s.features[%d]", n.key, p.Feature)
			}
			if n.doc.places[at+"."+p.Key] != nil {
				at += "." + p.Key
			}
			if slices.ContainsFunc(c.Heuristic.Numbers, func(n eval.Number) bool { return n.Symbol == p.Symbol }) {
				p.Reason += fmt.Sprintf("; for the number that features share, write numbers: {%s: %[1]s}", p.Symbol)
			} else if p.Symbol != "" {
				p.Reason += DidYouMean(p.Symbol, p.Known)
			}
			n.doc.refuse(at, "%s", p.Reason)
		}
		if problems != nil {
			return false
		}
	}
	c.balance()
	return true
}

// rangeProblems returns the ranges that are wrong or have an end outside their setting's range.
func rangeProblems(slots []eval.Slot, weights []tuner.Parameter) (all []*eval.Problem) {
	for _, slot := range slots {
		w := weights[slot.At]
		report := func(_, reason string) {
			all = append(all, &eval.Problem{Feature: slot.Feature, Key: slot.Key, Reason: reason})
		}
		if w.Validate(report); !w.Tunable {
			continue
		}
		for _, end := range []float64{w.Min, w.Max} {
			if why := slot.Refuse(end); why != "" {
				report("", why)
				break
			}
		}
	}
	return all
}

// dead reads the value of a position without a legal move.
func (n node) dead(to *eval.Dead) {
	if n.isText() && n.Value == "worst" {
		*to = eval.Dead{Worst: true}
	} else if x, ok := n.numberOr("worst or a number"); ok {
		*to = eval.Dead{Value: x}
	}
}

// feature reads {feature: KIND, name, weight, ...}. The kind determines the settings.
func (n node) feature(t *eval.Term) {
	if n.isText() {
		n.problem("want a mapping such as {feature: %s, weight: reward}, got %s",
			cmp.Or(Nearest(n.Value, kindNames()), eval.Empty), n.describe())
		return
	}
	f, ok := n.fields()
	if !ok || f.asKind() {
		return
	}
	kind, _ := key.Find(t, "feature")
	f.need(kind)
	if given, ok := f.entries[kind.Name]; ok {
		given.value(kind)
	}
	if t.Kind == "" { // nobody knows which settings it has
		return
	}
	*t = eval.Defaults(t.Kind)
	parts := eval.Parts()
	f.section(t, append(parts, kind.Name)...)
	parts = slices.DeleteFunc(parts, func(part string) bool { return !slices.Contains(f.known, part) })
	if len(parts) > 0 {
		t.Over, t.Formula = f.formula(parts)
		if t.Over == "line" {
			t.Over = ""
		}
	}
	f.done()
}

// formula reads the formula over one of these parts of the board.
func (f *fields) formula(parts []string) (over, formula string) {
	over = "line"
	for _, part := range parts {
		if given, ok := f.entries[part]; ok {
			formula = given.text(key.Key{})
			over = part
		}
	}
	f.oneOf(parts...)
	return over, formula
}

// each calls do for every entry of a mapping of names. It sorts them unless the order of a file has
// a meaning: otherwise another order would make another config.
func (n node) each(sorted bool, do func(name string, n node)) {
	f, _ := n.fields()
	if sorted {
		slices.Sort(f.keys)
	}
	for _, key := range f.keys {
		do(key, f.entries[key])
	}
}

// sum reads a sum of a formula over the board.
func (n node) sum(name string) eval.NamedPart {
	sum := eval.NamedPart{Name: name}
	if f, ok := n.fields(); ok {
		f.known = eval.SumParts()
		sum.Over, sum.Formula = f.formula(f.known)
		f.done()
	}
	return sum
}

// matrix reads four rows of four weights, the upper row first. The cells have one effect together,
// so their ratio scales turn from differences to ratios at maxNear.
func (n node) matrix(to eval.Matrix) {
	four := key.Key{Range: key.Between(4, 4), Items: "4 rows of 4 numbers", Example: "[[3, 2, 1, 0], ...]"}
	if rows := n.asRows(); rows != "" {
		n.problem("want %s, got %s: write %s", four.Items, n.describe(), rows)
		return
	}
	for i, row := range n.items(four) {
		four.Items, four.Example = "4 numbers", "[3, 2, 1, 0]"
		for j, cell := range row.items(four) {
			cell.weight(&to[4*i+j], tuner.RatioScale, maxNear)
		}
	}
}

// asRows returns the matrix that 16 numbers in a row stand for, or nothing.
func (n node) asRows() string {
	var cells []string
	for _, cell := range n.Content {
		cells = append(cells, cell.Value)
	}
	if n.isText() {
		cells = strings.FieldsFunc(n.Value,
			func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(",;[]", c) })
	}
	other := func(cell string) bool { return !numberForm.MatchString(cell) }
	if len(cells) != 16 || n.isMapping() || slices.ContainsFunc(cells, other) {
		return ""
	}
	var rows []string
	for row := range slices.Chunk(cells, 4) {
		rows = append(rows, "["+strings.Join(row, ", ")+"]")
	}
	return "[" + strings.Join(rows, ", ") + "]"
}

// weight reads a number alone, which is fixed, a range, which is tuned, or the name of a number
// that features share. scale is the scale of a range that names none. A ratio scale turns at the
// share near of its larger end; 0: see balance. The words stand for a range that is still to be
// chosen: only a feature's own weight knows them, so nothing shares it.
func (n node) weight(to *eval.Number, scale string, near float64, words ...string) {
	wanted := either(append([]string{"a number", "{min, max, start, scale}"}, words...))
	var names []string
	if words == nil && n.isText() {
		for _, shared := range n.doc.shared {
			names = append(names, shared.Symbol)
		}
	}
	p := tuner.Parameter{}
	switch word := n.isText() && (n.Value == reward || n.Value == penalty); {
	case n.isMapping():
		p = n.tuned(scale, near)
	case word && len(words) > 0:
		n.doc.chosen[len(n.doc.weights)] = map[string]float64{reward: 1, penalty: -1}[n.Value]
		p.Tunable = true
	case word:
		n.problem("want %s, got %s: it is for the weight of a feature only", wanted, n.describe())
	case n.isText() && slices.Contains(names, n.Value):
		to.Shared, to.At = n.Value, slices.Index(names, n.Value)
		return
	case n.isText() && DidYouMean(n.Value, append(names, words...)) != "":
		n.problem("want %s, got %s%s", wanted, n.describe(), DidYouMean(n.Value, append(names, words...)))
	default:
		if x, ok := n.numberOr(wanted); ok {
			p = tuner.Fixed(x)
		}
	}
	n.doc.number(to, p)
}

// tuned reads a range. A range whose ends are equal is a fixed weight.
func (n node) tuned(scale string, near float64) (w tuner.Parameter) {
	f, ok := n.fields()
	if !ok {
		return w
	}
	before := len(n.doc.problems)
	w = tuner.Parameter{Scale: scale, Tunable: true}
	f.section(&w, "start")
	if w.Whole && !f.has("scale") {
		w.Scale = tuner.LinearScale
	}
	w.Near = 0
	if near > 0 && w.Scale == tuner.RatioScale {
		w.Near = portable.Rounded(near*max(math.Abs(w.Min), math.Abs(w.Max)), 2)
	}
	w.Value = w.Middle()
	if start, ok := f.entries["start"]; ok {
		start.number(&w.Value, key.Range{})
	}
	if f.done(); len(n.doc.problems) > before {
		return w
	}
	w.Validate(func(key, reason string) {
		if w.Min > w.Max {
			reason += ": swap min and max"
		}
		n.doc.refuse(strings.TrimSuffix(n.key+"."+key, "."), "%s", reason)
	})
	if w.Min == w.Max {
		return tuner.Fixed(w.Value)
	}
	return w
}

// bot reads the section player.
func (n node) bot(to *eval.Heuristic) {
	p := new(bot.Program)
	*to, n.doc.bot = eval.Heuristic{Bot: p, Symmetry: eval.SymmetryNone}, true
	f, ok := n.fields()
	if !ok {
		return
	}
	before := len(n.doc.problems)
	f.section(to)
	if given, ok := f.entries["score"]; ok && len(n.doc.problems) == before && !p.Score.Known() {
		given.problem("want min below max, got %v and %v", p.Score.Min, p.Score.Max)
	}
	n.doc.nameWeights(to)
	if f.done(); len(n.doc.problems) == before {
		f.entries["order"].order(&Config{Heuristic: *to, Weights: n.doc.weights})
	}
	folder, err := filepath.Abs(filepath.Dir(n.doc.path))
	if len(n.doc.problems) > before || !n.doc.own || err != nil { // nothing runs that the user did not name
		return
	}
	p.Folder = folder
	if err := p.Check(to.Names()); err != nil {
		n.doc.refuse(n.key+".command", "%v", err)
	}
}
