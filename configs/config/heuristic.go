package config

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"tune2048/engine/bot"
	"tune2048/engine/eval"
	"tune2048/engine/portable"
)

// heuristicKeys are the keys of a heuristic.
var heuristicKeys = []string{"family", "dead", "symmetry", "features", "order"}

// readWho reads the player: a heuristic that this program plays, or a bot.
func (c *Config) readWho(f *fields) {
	f.known = append(f.known, "heuristic", "player")
	heuristic, given := f.entries["heuristic"]
	switch player, isBot := f.entries["player"]; {
	case isBot && given:
		heuristic.problem("want heuristic or player, got both")
		fallthrough
	case isBot:
		c.Family = eval.Heuristic{Bot: new(bot.Program), Symmetry: eval.SymmetryNone}
		c.readPlayer(player)
	case given:
		c.readHeuristic(heuristic)
	default:
		f.lacks([]string{"heuristic", "player"}, "heuristic", "missing: give it, such as heuristic: {family: nneonneo}")
	}
}

// readHeuristic reads the heuristic. Without features, the name of a shipped config stands for that
// config's whole heuristic. Dead and symmetry may then be given another value.
func (c *Config) readHeuristic(n node) {
	f, ok := n.fields()
	if !ok {
		return
	}
	before := len(n.doc.problems)
	var order []string
	f.read("family", &c.FamilyName, "name")
	h := eval.Heuristic{Dead: eval.Dead{Worst: true}, Symmetry: eval.SymmetryNone}
	if !f.has("features") && !f.has("family") {
		f.lacks([]string{"features", "family"}, f.key, "want features, or the family of a shipped config: %s",
			either(Names()))
	} else if !f.has("features") {
		if shipped, err := LoadEmbedded(c.FamilyName); err == nil {
			h = shipped.Family
		} else if c.FamilyName != "" {
			f.entries["family"].problem("there is no shipped family %s%s; give features, or one of %s",
				c.FamilyName, DidYouMean(c.FamilyName, Names()), either(Names()))
		}
	}
	f.read("dead", &h.Dead, "")
	f.read("symmetry", &h.Symmetry, "none|best")
	f.read("features", &h.Features, "[1,64] features")
	f.read("order", &order, "[2,256] names of weights")
	f.known = heuristicKeys
	if f.done(); len(n.doc.problems) == before && n.checkFamily(&h) {
		f.entries["order"].order(&h, order)
		c.Family = h
	}
}

// order takes the names of weights that candidates have in ascending order. The values of these
// trade places, so they have one range and one scale.
func (n node) order(h *eval.Heuristic, order []string) {
	tunable, names, before := h.Tunable(), []string(nil), eval.Weight{}
	for _, w := range tunable {
		names = append(names, w.Name)
	}
	for i, name := range order {
		at := slices.Index(names, name)
		if at < 0 {
			n.problem("no weight with a range is called %s%s", clip(name), DidYouMean(name, names))
			return
		}
		w := tunable[at]
		if i > 0 && (w.Min != before.Min || w.Max != before.Max || w.Scale != before.Scale || w.Whole != before.Whole) {
			n.problem("want one range and one scale, got %v to %v (%s) for %s and %v to %v (%s) for %s",
				before.Min, before.Max, before.Scale, before.Name, w.Min, w.Max, w.Scale, name)
		} else if i > 0 && w.Value < before.Value || slices.Contains(order[:i], name) {
			n.problem("want each weight once and starts in this order, got %s at %v after %s at %v", name, w.Value,
				before.Name, before.Value)
		}
		before = w
	}
	h.Order = order
}

// checkFamily chooses the ranges of the weights that are reward or penalty. It notes what can be
// wrong with right numbers: a name that is used twice, a range that leaves a setting's domain or
// would overflow the tables. It returns whether all is right.
func (n node) checkFamily(family *eval.Heuristic) (right bool) {
	choose := func() []*eval.Problem { return chooseRanges(family.Features) }
	for _, check := range []func() []*eval.Problem{family.Problems, choose, family.Problems} {
		problems := check()
		for _, p := range problems {
			key := n.key
			if p.Feature >= 0 {
				key = fmt.Sprintf("%s.features[%d]", n.key, p.Feature)
			}
			if n.doc.places[key+"."+p.Key] != nil {
				key += "." + p.Key
			}
			if p.Symbol != "" {
				p.Reason += DidYouMean(p.Symbol, p.Known)
			}
			n.doc.refuse(key, "%s", p.Reason)
		}
		if problems != nil {
			return false
		}
	}
	balance(family.Features)
	return true
}

// dead reads the value of a position without a legal move.
func (n node) dead(to *eval.Dead) {
	if n.isText() && n.Value == "worst" {
		*to = eval.Dead{Worst: true}
	} else if x, ok := n.numberOr("worst or a number"); ok {
		*to = eval.Dead{Value: x}
	}
}

func kindNames() (names []string) {
	for _, k := range eval.Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// featureKeys are the keys of all kinds of features.
func featureKeys() []string {
	keys := []string{"feature", "name"}
	for _, s := range eval.Settings() {
		keys = append(keys, s.Key)
	}
	return keys
}

// feature reads {feature: KIND, name, weight, ...}. The kind determines the settings.
func (n node) feature(t *eval.Term) {
	f, ok := n.fields()
	if !ok {
		return
	}
	f.need("feature", "empty")
	f.read("feature", &t.Kind, strings.Join(kindNames(), "|"))
	if given, ok := f.entries["feature"]; ok && t.Kind == "" {
		t.Kind = Nearest(given.Value, kindNames()) // which the message names
	}
	if t.Kind == "" { // nobody knows which settings it has: any
		f.known = featureKeys()
		f.done()
		return
	}
	*t = eval.Defaults(t.Kind)
	f.read("name", &t.Name, "name")
	var over []string // the keys of parts of the board
	for _, setting := range eval.KindOf(t.Kind).Settings {
		key := setting.Key
		f.known = append(f.known, key)
		if setting.Over {
			over = append(over, key)
		}
		given, ok := f.entries[key]
		switch {
		case !ok:
			if setting.Example != "" && !setting.Over {
				f.need(key, setting.Example)
			}
		case setting.Over:
			if given.read(&t.Formula, ""); key != "line" { // empty for a line, as before there were others
				t.Over = key
			}
		case setting.Let:
			given.each(false, func(name string, n node) {
				part := eval.NamedPart{Name: name}
				n.read(&part.Formula, "")
				t.Let = append(t.Let, part)
			})
		case setting.Sums:
			given.each(true, func(name string, n node) { t.Sums = append(t.Sums, n.sum(name)) })
		case setting.Numbers:
			given.each(true, func(name string, n node) {
				number := eval.Number{Symbol: name}
				n.weight(&number.Weight, portable.LinearScale, 0)
				t.Numbers = append(t.Numbers, number)
			})
		case setting.Word != nil:
			given.read(setting.Word(t), strings.Join(setting.Choices, "|"))
		case setting.Matrix != nil:
			given.matrix(setting.Matrix(t))
		case key == "weight":
			given.weight(&t.Weight, setting.Scale(), 0, reward, penalty)
		default:
			given.weight(setting.Weight(t), setting.Scale(), 0)
		}
	}
	if over != nil {
		f.oneOf(over...)
	}
	f.done()
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
	sum := eval.NamedPart{Name: name, Over: "line"}
	parts := []string{"line", "row", "column", "square"}
	if f, ok := n.fields(); ok {
		for _, key := range parts {
			if f.read(key, &sum.Formula, ""); f.has(key) {
				sum.Over = key
			}
		}
		f.oneOf(parts...)
		f.done()
	}
	return sum
}

// matrix reads four rows of four weights, the upper row first. The cells have one effect together,
// so their ratio scales turn from differences to ratios at mostNear.
func (n node) matrix(to *[4][4]eval.Weight) {
	for i, row := range n.four("rows of 4 numbers") {
		for j, cell := range row.four("numbers") {
			cell.weight(&to[i][j], portable.RatioScale, mostNear)
		}
	}
}

// four returns the items of a list of four.
func (n node) four(what string) []node {
	if count := len(n.Content); n.Kind == yaml.SequenceNode && count != 4 {
		n.problem("want 4 %s, got %d", what, count)
		return nil
	}
	return n.items("[4,4] 4 " + what)
}

// rangeKeys are the keys of a tuned number.
type rangeKeys struct {
	Min   float64  `yaml:"min" example:"0"`
	Max   float64  `yaml:"max" example:"1000"`
	Whole string   `yaml:"whole" want:"true|false"`
	Scale string   `yaml:"scale" want:"linear|log|ratio"`
	Start *float64 `yaml:"start"`
}

// weight reads a number alone, which is fixed, or a range, which is tuned. scale is the scale of a
// range that names none. A ratio scale turns at the share near of its larger end; 0: see balance.
// The words stand for a range that is still to be chosen.
func (n node) weight(to *eval.Weight, scale string, near float64, words ...string) {
	wanted := either(append([]string{"a number", "{min, max, start, scale}"}, words...))
	switch word := n.isText() && (n.Value == reward || n.Value == penalty); {
	case n.isMapping():
		n.tuned(to, scale, near)
	case word && len(words) > 0:
		*to = toChoose(n.Value)
	case word:
		n.problem("want %s, got %s: it is for the weight of a feature only", wanted, n.describe())
	default:
		if x, ok := n.numberOr(wanted); ok {
			*to = eval.Fixed(x)
		}
	}
}

// tuned reads a range. It starts at its middle, on its scale, unless it says where. A range whose
// ends are equal is a fixed weight.
func (n node) tuned(to *eval.Weight, scale string, near float64) {
	f, ok := n.fields()
	if !ok {
		return
	}
	keys, before := rangeKeys{}, len(n.doc.problems)
	f.decode(&keys)
	defer f.done()
	w := eval.Weight{Min: keys.Min, Max: keys.Max, Tunable: true, Whole: keys.Whole == "true"}
	if w.Whole {
		scale = portable.LinearScale
	}
	w.Scale = cmp.Or(keys.Scale, scale)
	w = nearOf(w, near)
	w.Value = w.Middle()
	if keys.Start != nil {
		w.Value = *keys.Start
	}
	if len(n.doc.problems) > before {
		return
	}
	w.Validate(func(key, reason string) { n.doc.refuse(strings.TrimSuffix(n.key+"."+key, "."), "%s", reason) })
	if w.Min == w.Max {
		w = eval.Fixed(w.Min)
	}
	*to = w
}

// nearOf returns the weight with a ratio scale that turns at the share near of its larger end. 0 is
// for the weights of features, before balance.
func nearOf(w eval.Weight, near float64) eval.Weight {
	if w.Near = 0; near > 0 && w.Scale == portable.RatioScale {
		w.Near = rounded(near*max(math.Abs(w.Min), math.Abs(w.Max)), 2)
	}
	return w
}

// playerKeys are the keys of a bot in place of heuristic and search.
type playerKeys struct {
	Command []argument     `yaml:"command" want:"[1,100] a program and its arguments" example:"[python3, bot.py]"`
	Answers string         `yaml:"answers" want:"moves|games|score" example:"moves"`
	Timeout *time.Duration `yaml:"timeout"`
	Weights node           `yaml:"weights"`
	Order   []string       `yaml:"order" want:"[2,256] names of weights"`
}

// argument of a command is a scalar as it is written.
type argument string

// readPlayer reads the section player.
func (c *Config) readPlayer(n node) {
	f, ok := n.fields()
	if !ok {
		return
	}
	var keys playerKeys
	before := len(n.doc.problems)
	f.decode(&keys)
	p := c.Family.Bot
	p.Answers = keys.Answers
	for _, x := range keys.Command {
		p.Command = append(p.Command, string(x))
	}
	if keys.Timeout != nil {
		p.Timeout = *keys.Timeout
	} else if p.Answers == bot.Moves {
		p.Timeout = time.Minute
	}
	var names []string
	if keys.Weights.Node != nil {
		keys.Weights.each(false, func(name string, n node) {
			if !nameForm.MatchString(name) {
				n.problem("want %s", nameRule)
			}
			t := eval.Term{Kind: eval.BotWeight, Name: name}
			n.weight(&t.Weight, portable.LinearScale, 0)
			c.Family.Features = append(c.Family.Features, t)
			names = append(names, name)
		})
	}
	if f.done(); len(n.doc.problems) == before {
		f.entries["order"].order(&c.Family, keys.Order)
	}
	folder, err := filepath.Abs(filepath.Dir(c.Path))
	if len(n.doc.problems) > before || !n.doc.own || err != nil { // nothing runs that the user did not name
		return
	}
	p.Folder = folder
	if err := p.Check(names); err != nil {
		n.doc.refuse(n.key+".command", "%v", err)
	}
}
