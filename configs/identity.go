package configs

import (
	"math"
	"strconv"
	"strings"

	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/portable"
	"tune2048/tuner"
	"tune2048/tuner/fitness"
)

// writer writes the keys of a mapping: in full, or for an identity without keys at their defaults
// and without what changes no result.
type writer struct {
	full  bool
	lines []string
}

// put writes a key with its text, which may be a block.
func (w *writer) put(key, text string) {
	if !strings.HasPrefix(text, "\n") {
		text = " " + text
	}
	w.lines = append(w.lines, key+":"+text)
}

// key writes a key with a default.
func (w *writer) key(key, text, standard string) {
	if w.full || text != standard {
		w.put(key, text)
	}
}

// unless writes a key whose absence has a meaning.
func (w *writer) unless(absent, key, text string) {
	if text != absent {
		w.put(key, text)
	}
}

// flow writes a mapping on one line.
func flow(full bool, write func(w *writer)) string {
	return "{" + strings.Join(lines(full, write), ", ") + "}"
}

// indented writes a mapping as the value of a key, key by key on lines of their own.
func indented(full bool, write func(w *writer)) string {
	return strings.ReplaceAll("\n"+strings.Join(lines(full, write), "\n"), "\n", "\n  ")
}

func lines(full bool, write func(w *writer)) []string {
	w := &writer{full: full}
	write(w)
	return w.lines
}

// listOf writes a list on one line.
func listOf[T any](all []T, text func(T) string) string {
	var texts []string
	for _, x := range all {
		texts = append(texts, text(x))
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// blockOf writes a list with each item on lines of its own.
func blockOf(items []string) (text string) {
	for _, item := range items {
		text += "\n  - " + strings.ReplaceAll(item, "\n", "\n    ")
	}
	return text
}

// decimal writes the fewest digits that read back as the same number, with an exponent only for the
// very large and the very small, as JSON does.
func decimal(x float64) string {
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.FormatFloat(x, 'e', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// text writes the config.
func (c *Config) text(full bool) string {
	w := &writer{full: full}
	if full {
		w.put("name", strconv.Quote(c.Name))
		w.unless(`""`, "note", strconv.Quote(c.Note))
	}
	w.seedAndRules(c.Seed, c.Rules)
	w.who(&c.Family, c.FamilyName)
	w.search("search", c.Search, engine.FixedDepth(3))
	b := c.budget()
	w.unless("{}", "optimizer", flow(full, func(w *writer) { w.optimizer(c.Optimizer, b) }))
	texts := func(stages []Stage) string {
		var items []string
		for i, s := range stages {
			items = append(items, flow(full, func(w *writer) { w.stage(s, c.Search, i) }))
		}
		return blockOf(items)
	}
	w.key("stages", texts(c.Stages), texts([]Stage{{Name: "tune", Search: c.Search, Generations: 30, Games: 8, Rounds: 1}}))
	w.key("objective", c.Objective.String(), fitness.MeanScore.String())
	isBot, ablated := c.Family.Bot != nil, min(4000, c.Validation.Games)
	if isBot {
		b, ablated = c.tuned(), 0
	}
	w.unless("{}", "playoff", flow(full, func(w *writer) {
		p := c.Playoff
		w.fitting("finalists", p.Finalists, standardFinalists, b)
		w.fitting("games", p.Games, standardPlayoffGames, b)
		w.whole("rounds", p.Rounds, min(10, p.Games))
		w.search("search", p.Search, c.Search)
	}))
	w.unless("{}", "validation", flow(full, func(w *writer) {
		v := c.Validation
		if isBot {
			w.fitting("games", v.Games, 0, b)
			return
		}
		w.whole("games", v.Games, 2000)
		text := func(h ValidatedSearch) string { return heldOutText(h, full) }
		w.key("search", listOf(v.Search, text), listOf([]ValidatedSearch{{Settings: c.Search}}, text))
	}))
	w.unless("{}", "ablation", flow(full, func(w *writer) {
		w.whole("games", c.Ablation.Games, ablated)
		w.key("difference", decimal(c.Ablation.Difference), decimal(standardDifference))
		w.search("search", c.Ablation.Search, c.Playoff.Search)
	}))
	if len(c.References) > 0 {
		w.put("references", indented(full, func(w *writer) {
			for _, r := range c.References {
				w.put(strconv.Quote(r.Name), flow(full, func(w *writer) { w.reference(r, &c.Family) }))
			}
		}))
	}
	if full {
		w.put("store", "{games: "+c.StoreGames+"}")
	}
	return strings.Join(w.lines, "\n") + "\n"
}

func (w *writer) whole(key string, x, standard int) {
	w.key(key, strconv.Itoa(x), strconv.Itoa(standard))
}

// fitting writes a number whose default fits the budget, if there is one: then always.
func (w *writer) fitting(key string, x, standard int, b budget) {
	w.whole(key, x, b.or(standard, -1))
}

func (w *writer) seedAndRules(seed uint64, rules engine.Rules) {
	w.key("seed", strconv.FormatUint(seed, 10), "2048")
	w.unless("{}", "game", flow(w.full, func(w *writer) {
		w.key("four_probability", decimal(rules.FourProbability), decimal(engine.DefaultRules().FourProbability))
	}))
}

// who writes the player: the section heuristic or player.
func (w *writer) who(h *eval.Heuristic, name string) {
	if p := h.Bot; p != nil {
		w.put("player", indented(w.full, func(w *writer) {
			w.put("command", listOf(p.Command, strconv.Quote))
			w.put("answers", p.Answers)
			if w.full {
				w.put("timeout", p.Timeout.String())
			}
			w.unless("{}", "weights", flow(w.full, func(w *writer) {
				for _, t := range h.Features {
					w.put(strconv.Quote(t.Name), weightText(t.Weight, 0, w.full))
				}
			}))
		}))
		return
	}
	w.put("heuristic", indented(w.full, func(w *writer) {
		if w.full {
			w.unless(`""`, "family", strconv.Quote(name))
		}
		w.key("dead", deadText(h.Dead), "worst")
		w.key("symmetry", h.Symmetry, eval.SymmetryNone)
		var items []string
		for i := range h.Features {
			items = append(items, flow(w.full, func(w *writer) { w.feature(&h.Features[i]) }))
		}
		w.put("features", blockOf(items))
	}))
}

func deadText(d eval.Dead) string {
	if d.Worst {
		return "worst"
	}
	return decimal(d.Value)
}

func (w *writer) feature(t *eval.Term) {
	w.put("feature", t.Kind)
	w.key("name", strconv.Quote(t.Name), strconv.Quote(t.Kind))
	standard := eval.Defaults(t.Kind)
	for _, s := range eval.KindOf(t.Kind).Settings {
		switch {
		case s.Over:
			w.unless(`""`, s.Key, strconv.Quote(s.Formula(t)))
		case s.Let != nil:
			w.unless("{}", s.Key, flow(w.full, func(w *writer) {
				for _, part := range t.Let {
					w.put(strconv.Quote(part.Name), strconv.Quote(part.Formula))
				}
			}))
		case s.Sums != nil:
			w.unless("{}", s.Key, flow(w.full, func(w *writer) {
				for _, sum := range t.Sums {
					w.put(strconv.Quote(sum.Name), "{"+sum.Over+": "+strconv.Quote(sum.Formula)+"}")
				}
			}))
		case s.Numbers != nil:
			w.key(s.Key, flow(w.full, func(w *writer) {
				for _, n := range t.Numbers {
					w.put(strconv.Quote(n.Symbol), weightText(n.Weight, 0, w.full))
				}
			}), "{}")
		case s.Word != nil:
			w.key(s.Key, *s.Word(t), s.Default)
		case s.Matrix != nil:
			w.put(s.Key, listOf(s.Matrix(t)[:], func(row [4]eval.Weight) string {
				return listOf(row[:], func(x eval.Weight) string { return weightText(x, mostNear, w.full) })
			}))
		case s.Default == "":
			w.put(s.Key, weightText(*s.Weight(t), 0, w.full))
		default:
			w.key(s.Key, weightText(*s.Weight(t), 0, w.full), weightText(*s.Weight(&standard), 0, w.full))
		}
	}
}

// weightText writes a number alone or a range. Identities leave out the scale linear: stored runs
// were made when it was the default of all.
func weightText(x eval.Weight, near float64, full bool) string {
	if !x.Tunable {
		return decimal(x.Value)
	}
	return flow(full, func(w *writer) {
		w.put("min", decimal(x.Min))
		w.put("max", decimal(x.Max))
		if x.Scale == portable.WholeScale {
			w.put("whole", "true")
		} else {
			w.key("scale", x.Scale, portable.LinearScale)
		}
		w.key("start", decimal(x.Value), decimal(nearOf(x, near).Range().Middle()))
	})
}

// search writes the search of a phase, unless it is a bot's.
func (w *writer) search(key string, x, standard engine.Settings) {
	if !x.Bot {
		w.key(key, searchText(x, w.full), searchText(standard, w.full))
	}
}

func searchText(x engine.Settings, full bool) string {
	return heldOutText(ValidatedSearch{Settings: x}, full)
}

func heldOutText(x ValidatedSearch, full bool) string {
	return flow(full, func(w *writer) {
		w.unless("0", "depth", strconv.Itoa(x.Rule.Fixed))
		w.unless("[]", "depth_by_empty", listOf(x.Rule.ByEmpty, func(e engine.EmptyDepth) string {
			return flow(full, func(w *writer) {
				w.unless("-1", "above", strconv.Itoa(e.Above))
				w.put("depth", strconv.Itoa(e.Depth))
			})
		}))
		if rule := x.Rule.ByDistinct; rule != nil {
			w.put("depth_by_distinct", "{minus: "+strconv.Itoa(rule.Minus)+", least: "+strconv.Itoa(rule.Least)+"}")
		}
		w.key("min_probability", decimal(x.MinProbability), "0")
		w.unless("0", "games", strconv.Itoa(x.Games))
	})
}

// optimizer writes the optimizer. The identity is silent about genetic, as it was made when that was
// the default.
func (w *writer) optimizer(o tuner.Options, b budget) {
	w.key("algorithm", o.Algorithm, "genetic")
	before := tuner.Options{Algorithm: o.Algorithm, Settings: map[string]float64{}} // settings before
	for _, s := range tuner.AlgorithmOf(o.Algorithm).Settings {
		standard := decimal(before.Get(s.Key))
		if s.Key == "population" && b > 0 {
			standard = "" // always written
		}
		before.Settings[s.Key] = o.Get(s.Key)
		w.key(s.Key, decimal(o.Get(s.Key)), standard)
	}
}

func (w *writer) stage(s Stage, standard engine.Settings, i int) {
	b := budget(s.MaxGames)
	w.key("name", strconv.Quote(s.Name), strconv.Quote("stage-"+strconv.Itoa(i+1)))
	w.search("search", s.Search, standard)
	w.whole("max_games", s.MaxGames, 0)
	w.fitting("generations", s.Generations, 30, b)
	w.fitting("games", s.Games, 8, b)
	w.whole("rounds", s.Rounds, 1)
}

// reference writes a reference with the weights of its files.
func (w *writer) reference(r Reference, family *eval.Heuristic) {
	w.key("dead", deadText(r.Dead), deadText(family.Dead))
	if r.FromChampion {
		w.put("from", "champion")
	}
	w.unless("{}", "weights", flow(w.full, func(w *writer) {
		for i, x := range family.Weights() {
			switch text := decimal(r.Weights[i]); {
			case !r.FromChampion:
				w.key(strconv.Quote(x.Name), text, decimal(x.Value))
			case r.Given[i]:
				w.put(strconv.Quote(x.Name), text)
			}
		}
	}))
}
