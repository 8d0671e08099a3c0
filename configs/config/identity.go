package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/portable"
	"tune2048/experiments/fitness"
	"tune2048/tuner"
)

// allKeys says whether a text has all keys. Otherwise it is an identity: it leaves out keys at
// their defaults, and what changes no result. The methods write "key: value", or nothing.
type allKeys bool

// key writes a key that has a default.
func (all allKeys) key(key, text, standard string) string {
	if !all && text == standard {
		return ""
	}
	return unless("", key, text)
}

// note writes a key that changes no result.
func (all allKeys) note(key, text string) string {
	if !all {
		return ""
	}
	return unless(`""`, key, text)
}

func (all allKeys) whole(key string, x, standard int) string {
	return all.key(key, strconv.Itoa(x), strconv.Itoa(standard))
}

func (all allKeys) number(key string, x, standard float64) string {
	return all.key(key, decimal(x), decimal(standard))
}

// fitting writes a number whose default fits the budget, if there is one: then always.
func (all allKeys) fitting(key string, x, standard int, b budget) string {
	return all.whole(key, x, b.or(standard, -1))
}

// unless writes a key whose absence has a meaning. The text may be a block.
func unless(absent, key, text string) string {
	switch {
	case text == absent:
		return ""
	case strings.HasPrefix(text, "\n"):
		return key + ":" + text
	}
	return key + ": " + text
}

// block writes entries on lines of their own, flow as a mapping on one line.
func block(entries ...string) string { return strings.Join(written(entries), "\n") }
func flow(entries ...string) string  { return "{" + strings.Join(written(entries), ", ") + "}" }

func written(entries []string) []string {
	return slices.DeleteFunc(entries, func(entry string) bool { return entry == "" })
}

// section writes a mapping, all of whose keys may be left out.
func section(key string, entries ...string) string { return unless("{}", key, flow(entries...)) }

// indented writes a mapping as a block below its key.
func indented(key string, entries ...string) string {
	return key + ":" + strings.ReplaceAll("\n"+block(entries...), "\n", "\n  ")
}

// each writes the items of a list, listOf on one line and blockOf on lines of their own.
func each[T any](list []T, text func(T) string) (texts []string) {
	for _, x := range list {
		texts = append(texts, text(x))
	}
	return texts
}

func listOf[T any](list []T, text func(T) string) string {
	return "[" + strings.Join(each(list, text), ", ") + "]"
}

func blockOf[T any](list []T, text func(T) string) string {
	return strings.Join(each(list, func(x T) string {
		return "\n  - " +
			strings.ReplaceAll(text(x), "\n", "\n    ")
	}), "")
}

// decimal writes the fewest digits that read back as the same number, with an exponent only for the
// very large and the very small, as JSON does.
func decimal(x float64) string {
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.FormatFloat(x, 'e', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

var quote = strconv.Quote

// text writes the config.
func (c *Config) text(all allKeys) string {
	p, v, a := c.Playoff, c.Validation, c.Ablation
	b, bots := c.budget(), budget(0)
	if c.Family.Bot != nil {
		b, bots = c.tuned(), c.tuned()
	}
	_, validated, ablated := c.standard()
	standard := []Stage{{Name: "tune", Search: c.Search, Generations: 30, Games: 8, Rounds: 1}}
	return block(
		all.note("name", quote(c.Name)),
		all.note("note", quote(c.Note)),
		all.rules(c.Seed, c.Rules),
		all.who(&c.Family, c.FamilyName),
		all.search(c.Search, engine.FixedDepth(3)),
		section("optimizer", all.optimizer(c.Optimizer, c.budget())...),
		all.key("stages", all.stages(c.Stages, c.Search), all.stages(standard, c.Search)),
		all.key("objective", c.Objective.String(), fitness.MeanScore.String()),
		section("playoff",
			all.fitting("finalists", p.Finalists, standardFinalists, b),
			all.fitting("games", p.Games, standardPlayoffGames, b),
			all.whole("rounds", p.Rounds, min(10, p.Games)),
			all.search(p.Search, c.Search)),
		section("validation",
			all.fitting("games", v.Games, validated, bots),
			all.searches(v.Search, c.Search)),
		section("ablation",
			all.whole("games", a.Games, min(ablated, v.Games)),
			all.number("difference", a.Difference, standardDifference),
			all.search(a.Search, p.Search)),
		all.references(c.References, &c.Family),
		unless("", "starts", blockOf(c.Starts, func(x []float64) string {
			i := -1
			return flow(section("weights", each(c.Family.Tunable(), func(w eval.Weight) string {
				i++
				return all.number(quote(w.Name), x[i], w.Value)
			})...))
		})),
		all.note("store", "{games: "+c.StoreGames+"}"),
	) + "\n"
}

// text writes the contest. Its players' names identify nothing.
func (c *Contest) text(all allKeys) string {
	search := all.search(c.Search, engine.FixedDepth(3))
	if c.Search.Bot {
		search = "search: " + c.Search.String()
	}
	return block(all.rules(c.Seed, c.Rules), search,
		unless(fitness.MeanScore.String(), "objective", c.Objective.String()),
		"players:"+blockOf(c.Players, func(p Player) string { return p.text(all) }))
}

func (p Player) text(all allKeys) string {
	return block(all.note("name", quote(p.Name)), all.who(&p.Family, ""))
}

func (all allKeys) rules(seed uint64, rules engine.Rules) string {
	return block(all.key("seed", strconv.FormatUint(seed, 10), "2048"),
		section("game", all.number("four_probability", rules.FourProbability, engine.DefaultRules().FourProbability)))
}

// who writes the player: the section heuristic or player.
func (all allKeys) who(h *eval.Heuristic, name string) string {
	if p := h.Bot; p != nil {
		return indented("player",
			"command: "+listOf(p.Command, quote),
			"answers: "+p.Answers,
			all.note("timeout", p.Timeout.String()),
			section("weights", each(h.Features, func(t eval.Term) string {
				return quote(t.Name) + ": " +
					all.weight(t.Weight, 0)
			})...),
			unless("[]", "order", listOf(h.Order, quote)))
	}
	return indented("heuristic",
		all.note("family", quote(name)),
		all.key("dead", deadText(h.Dead), "worst"),
		all.key("symmetry", h.Symmetry, eval.SymmetryNone),
		"features:"+blockOf(h.Features, all.feature),
		unless("[]", "order", listOf(h.Order, quote)))
}

func deadText(d eval.Dead) string {
	if d.Worst {
		return "worst"
	}
	return decimal(d.Value)
}

func (all allKeys) feature(t eval.Term) string {
	entries := []string{"feature: " + t.Kind, all.key("name", quote(t.Name), quote(t.Kind))}
	standard := eval.Defaults(t.Kind)
	for _, s := range eval.KindOf(t.Kind).Settings {
		entry := ""
		switch {
		case s.Over:
			entry = unless(`""`, s.Key, quote(s.Formula(&t)))
		case s.Let:
			entry = section(s.Key, each(t.Let, func(x eval.NamedPart) string {
				return quote(x.Name) + ": " +
					quote(x.Formula)
			})...)
		case s.Sums:
			entry = section(s.Key, each(t.Sums, func(x eval.NamedPart) string {
				return quote(x.Name) + ": " + flow(x.Over+": "+quote(x.Formula))
			})...)
		case s.Numbers:
			entry = all.key(s.Key, flow(each(t.Numbers,
				func(x eval.Number) string { return quote(x.Symbol) + ": " + all.weight(x.Weight, 0) })...), "{}")
		case s.Word != nil:
			entry = all.key(s.Key, *s.Word(&t), s.Default)
		case s.Matrix != nil:
			entry = s.Key + ": " + listOf(s.Matrix(&t)[:], func(row [4]eval.Weight) string {
				return listOf(row[:], func(x eval.Weight) string { return all.weight(x, mostNear) })
			})
		case s.Default == "":
			entry = s.Key + ": " + all.weight(*s.Weight(&t), 0)
		default:
			entry = all.key(s.Key, all.weight(*s.Weight(&t), 0), all.weight(*s.Weight(&standard), 0))
		}
		entries = append(entries, entry)
	}
	return flow(entries...)
}

// weight writes a number alone or a range. Identities leave out the scale linear: stored runs were
// made when it was the default of all.
func (all allKeys) weight(x eval.Weight, near float64) string {
	if !x.Tunable {
		return decimal(x.Value)
	}
	whole := ""
	if x.Whole {
		whole = "whole: true"
	}
	return flow("min: "+decimal(x.Min), "max: "+decimal(x.Max), whole,
		all.key("scale", x.Scale, portable.LinearScale), all.number("start", x.Value, nearOf(x, near).Middle()))
}

// search writes the search of a phase, unless it is a bot's.
func (all allKeys) search(x, standard engine.Settings) string {
	if x.Bot {
		return ""
	}
	return all.key("search", all.heldOut(ValidatedSearch{Settings: x}),
		all.heldOut(ValidatedSearch{Settings: standard}))
}

func (all allKeys) searches(list []ValidatedSearch, standard engine.Settings) string {
	if standard.Bot {
		return ""
	}
	return all.key("search", listOf(list, all.heldOut), listOf([]ValidatedSearch{{Settings: standard}}, all.heldOut))
}

func (all allKeys) heldOut(x ValidatedSearch) string {
	distinct := ""
	if rule := x.Rule.ByDistinct; rule != nil {
		distinct = fmt.Sprintf("depth_by_distinct: {minus: %d, least: %d}", rule.Minus, rule.Least)
	}
	return flow(
		unless("0", "depth", strconv.Itoa(x.Rule.Fixed)),
		unless("[]", "depth_by_empty", listOf(x.Rule.ByEmpty, func(e engine.EmptyDepth) string {
			return flow(unless("-1", "above", strconv.Itoa(e.Above)), fmt.Sprintf("depth: %d", e.Depth))
		})),
		distinct,
		all.number("min_probability", x.MinProbability, 0),
		unless("0", "games", strconv.Itoa(x.Games)))
}

// optimizer writes the optimizer. The identity is silent about genetic, as it was made when that
// was the default.
func (all allKeys) optimizer(o tuner.Options, b budget) []string {
	entries := []string{all.key("algorithm", o.Algorithm, "genetic")}
	before := tuner.Options{Algorithm: o.Algorithm, Settings: map[string]float64{}} // settings before
	for _, s := range tuner.AlgorithmOf(o.Algorithm).Settings {
		standard := before.Get(s.Key)
		if s.Key == "population" && b > 0 {
			standard = -1 // always written
		}
		before.Settings[s.Key] = o.Get(s.Key)
		entries = append(entries, all.number(s.Key, o.Get(s.Key), standard))
	}
	return entries
}

func (all allKeys) stages(stages []Stage, standard engine.Settings) string {
	i := 0
	return blockOf(stages, func(s Stage) string {
		i++
		b := budget(s.MaxGames)
		return flow(all.key("name", quote(s.Name), fmt.Sprintf(`"stage-%d"`, i)), all.search(s.Search, standard),
			all.whole("max_games", s.MaxGames, 0),
			all.fitting("generations", s.Generations, 30, b), all.fitting("games", s.Games, 8, b),
			all.whole("rounds", s.Rounds, 1))
	})
}

// references writes the references with the weights of their files.
func (all allKeys) references(list []Reference, family *eval.Heuristic) string {
	if len(list) == 0 {
		return ""
	}
	return indented("references", each(list, func(r Reference) string {
		from, weights := "", []string(nil)
		if r.FromChampion {
			from = "from: champion"
		}
		for i, x := range family.Weights() {
			switch key := quote(x.Name); {
			case !r.FromChampion:
				weights = append(weights, all.number(key, r.Weights[i], x.Value))
			case r.Given[i]:
				weights = append(weights, key+": "+decimal(r.Weights[i]))
			}
		}
		return quote(r.Name) + ": " + flow(all.key("dead", deadText(r.Dead), deadText(family.Dead)), from,
			section("weights", weights...))
	})...)
}
