package config

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"tune2048/engine/eval"
	"tune2048/engine/key"
	"tune2048/engine/portable"
	"tune2048/tuner"
)

// OfSeed returns the config of the n-th of several experiments that differ in their seeds alone.
// The first, 0, is c. Each other has the n-th seed after c's, and a name that ends with it. It
// equals the config of a file with this name and seed. Its runs have a place of their own.
func (c *Config) OfSeed(n int) (*Config, error) {
	if n == 0 {
		return c, nil
	}
	next := *c
	next.Seed = (c.Seed + uint64(n)) % (maxSeed + 1)
	next.Name = fmt.Sprintf("%s-seed-%d", c.Name, next.Seed)
	if !nameForm.MatchString(next.Name) {
		return nil, fmt.Errorf("want a name of %s, got %s: give the config a shorter name", nameRule, clip(next.Name))
	}
	next.identify()
	return &next, nil
}

// Next returns the config of another experiment, which starts from these values of all weights and
// from this value of dead. Its seed is the next one: games that chose these weights must not praise
// them again. A range moves if the value lies within 2% of an end or beyond: the best one may lie
// there. Then the value is in its middle. The first generation is narrow. A stage that only time
// ended gets the standard length. changes has a line for each difference from c.
func (c *Config) Next(name string, values eval.Vector, dead eval.Dead) (next *Config, changes []string, err error) {
	if err := CheckName(name); err != nil {
		return nil, nil, err
	}
	change := func(format string, args ...any) { changes = append(changes, fmt.Sprintf(format, args...)) }
	moved := *c
	moved.Name, moved.Path = name, name+".yaml"
	moved.written.starts = nil
	if c.Starts != nil {
		change("starts: left out, these weights have met them")
	}
	moved.Seed = (c.Seed + 1) % (maxSeed + 1)
	change("seed: %d, was %d, for games that these weights were not chosen by", moved.Seed, c.Seed)
	if last := len(c.Stages) - 1; c.IsEndless() {
		moved.Stages = slices.Clone(c.Stages)
		moved.Stages[last].MaxGames, moved.Stages[last].Generations = AutoGames, 0
		change("stages[%d].max_games: auto, only -for ended the run", last)
	}
	if dead != c.Heuristic.Dead {
		change("dead: %s, was %s", deadText(dead), deadText(c.Heuristic.Dead))
	}
	moved.Weights = slices.Clone(c.Weights)
	moved.Heuristic.Dead = dead
	moved.written.optimizer = tuner.Copy(c.written.optimizer)
	narrow := c.Optimizer.Narrow()
	for _, name := range slices.Sorted(maps.Keys(narrow)) {
		k, _ := key.Find(moved.written.optimizer, name)
		if most, was := narrow[name], k.Value(); was > most {
			k.SetNumber(most)
			change("optimizer.%s: %s, was %s: the start is known to be good, and a wide first generation would lose it for "+
				"thousands of games", name, key.Number(most), key.Number(was))
		}
	}
	slots := map[int][]eval.Slot{}
	for _, slot := range moved.Heuristic.Slots() {
		slots[slot.At] = append(slots[slot.At], slot)
	}
	for i, x := range values {
		w := &moved.Weights[i]
		x += 0 // without -0
		old := *w
		w.Value = x
		if w.Tunable {
			w.Min, w.Max = min(old.Min, x), max(old.Max, x)
		}
		if w.Scale == tuner.LogScale && !(x/old.Min > 0) {
			w.Scale, old.Scale = tuner.RatioScale, tuner.RatioScale
			change("%s: scale: ratio, was log: the range now contains 0", w.Name)
		}
		from, to := key.Number(old.Value), key.Number(x)
		switch {
		case w.Tunable && old.Edge(x) != "":
			text := "the range stays, a moved one is not allowed"
			stays := *w
			*w = centred(old, x)
			if rangeProblems(slots[i], moved.Weights) == nil &&
				!slices.Contains(moved.Heuristic.Order, w.Name) && (w.Min < old.Min || w.Max > old.Max) {
				text = fmt.Sprintf("now %s to %s", key.Number(w.Min), key.Number(w.Max))
			} else {
				*w = stays
			}
			change("%s: start %s, was %s; it is at the edge of its range, %s to %s: %s",
				w.Name, to, from, key.Number(old.Min), key.Number(old.Max), text)
		case from == to:
		case w.Tunable:
			change("%s: start %s, was %s", w.Name, to, from)
		default:
			change("%s: %s, was %s", w.Name, to, from)
		}
	}
	// The written text counts: it must be a config, and the one that is meant.
	next, err = Parse(moved.YAML(), moved.Path)
	return next, changes, err
}

// centred returns the weight with a range as wide as before that has the value in its middle, to
// four digits. On a ratio scale the range only grows, by half of its width on that scale beyond the
// value.
func centred(w tuner.Parameter, x float64) tuner.Parameter {
	low, high := x-(w.Max-w.Min)/2, x+(w.Max-w.Min)/2
	switch w.Scale {
	case tuner.LogScale:
		ratio := math.Sqrt(w.Max / w.Min)
		low, high = x/ratio, x*ratio
	case tuner.RatioScale:
		within := tuner.Parameter{Min: min(w.Min, x), Max: max(w.Max, x), Scale: w.Scale}
		low, high = min(w.Min, within.At(within.Unit(x)-0.5)), max(w.Max, within.At(within.Unit(x)+0.5))
	}
	w.Value, w.Min, w.Max = x, min(portable.Rounded(low, 4), x), max(portable.Rounded(high, 4), x)
	if w.Whole {
		w.Min, w.Max = math.Floor(w.Min), math.Ceil(w.Max)
	}
	return w
}

func deadText(d eval.Dead) string {
	if d.Worst {
		return "worst"
	}
	return key.Number(d.Value)
}
