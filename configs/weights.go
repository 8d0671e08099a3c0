package configs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"tune2048/engine/eval"
)

// WeightsFile is the content of a weights file.
type WeightsFile struct {
	Weights map[string]float64 // by name of Family.Weights; finite
	Dead    *eval.Dead         // nil: the file does not say
}

// ParseWeights reads weights as JSON or YAML. There are three forms:
//
//   - a flat mapping of names to numbers;
//   - an export: its key "weights" has such a mapping, and its key "dead" may be worst or a number;
//   - a config: its start weights are meant.
//
// Other keys of an export or a config are for other readers. The path is for messages. The error
// lists all problems. [Config.Vector] checks the names.
func ParseWeights(data []byte, path string) (*WeightsFile, error) {
	file := new(WeightsFile)
	d := &document{path: path}
	err := d.read(data, func(n node) {
		all, ok := n.fields()
		if !ok {
			return
		}
		weights := all
		if (all.entries["heuristic"].isSection() || all.entries["player"].isSection()) && !all.has("weights") {
			c := new(Config)
			c.readWho(all)
			file.Weights, file.Dead = map[string]float64{}, &c.Family.Dead
			for _, w := range c.Family.Weights() {
				file.Weights[w.Name] = w.Value
			}
			return
		}
		if inner, nested := all.entries["weights"]; nested && inner.Kind != yaml.ScalarNode {
			if at, ok := all.entries["dead"]; ok && !at.isNull() {
				file.Dead = new(eval.Dead)
				at.dead(file.Dead)
			}
			if weights, ok = inner.fields(); !ok {
				return
			}
		}
		if file.Weights = weights.numbers(); len(file.Weights) == 0 {
			weights.problem("want weights as name: number, got none")
		}
	})
	if err != nil {
		return nil, err
	}
	return file, nil
}

// numbers reads all entries as numbers.
func (f *fields) numbers() map[string]float64 {
	numbers := map[string]float64{}
	for _, key := range f.keys {
		numbers[key], _ = f.entries[key].numberOr("a number in decimal digits")
	}
	return numbers
}

// Vector returns the values of all weights of the config's family. Weights that are given by name
// may lie outside their ranges, all others are at their start. It fails for a name that the family
// does not have, and for values with which the heuristic cannot be compiled.
func (c *Config) Vector(weights map[string]float64) (eval.Vector, error) {
	return c.vector(weights, c.Family.Dead)
}

// vector is Vector for a player with this value of positions without a legal move.
func (c *Config) vector(weights map[string]float64, dead eval.Dead) (eval.Vector, error) {
	var names []string
	for _, w := range c.Family.Weights() {
		names = append(names, w.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("no weight is called %s%s; the weights are %s", clip(name), DidYouMean(name, names), strings.Join(names, ", "))
		}
	}
	vector := c.Family.Values()
	for i, w := range c.Family.Weights() {
		if x, given := weights[w.Name]; given {
			vector[i] = x
		}
	}
	if fixed := c.Family.Fix(vector); c.Family.Bot != nil {
		return vector, fixed.Check()
	}
	if _, err := eval.NewCompiler(&c.Family).Compile(vector, dead); err != nil {
		return nil, err
	}
	return vector, nil
}
