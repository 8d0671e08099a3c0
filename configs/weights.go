package configs

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"tune2048/engine/heuristic"
)

// maxWeights is the most numbers a family can have: a position feature has 18.
const maxWeights = maxFeatures * 18

// WeightsFile is what a weights file says.
type WeightsFile struct {
	Weights map[string]float64 // by name of Family.Numbers; finite
	Dead    *heuristic.Dead    // nil: the file does not say
}

// LoadWeights reads a weights file, see [ParseWeights].
func LoadWeights(path string) (*WeightsFile, error) {
	data, err := ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such file: want weights as name: number, or an export (tune export): %w", path, fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	return ParseWeights(data, path)
}

// ParseWeights reads weights as JSON or YAML: a flat mapping of names to numbers, or an export, which is a mapping
// whose key "weights" has such a mapping, and whose key "dead", if any, is worst or a number; an export's other
// keys are for other readers. The path is for messages. The error is [Problems]. Whether the names are right is
// for [Config.Weights] to say.
func ParseWeights(data []byte, path string) (*WeightsFile, error) {
	doc := openDocument(data, path)
	if err := doc.err(); err != nil {
		return nil, err
	}
	file := new(WeightsFile)
	if all, ok := doc.root.entries(); ok {
		if weights, ok := all.get("weights"); !ok || weights.isScalar() {
			file.Weights = all.weights()
		} else {
			file.Weights = weights.weights()
			if dead, ok := all.get("dead"); ok && !dead.isNull() {
				if d, ok := dead.dead(); ok {
					file.Dead = &d
				}
			}
		}
	}
	if err := doc.err(); err != nil {
		return nil, err
	}
	return file, nil
}

// weights reads a mapping of names to numbers.
func (v value) weights() map[string]float64 {
	f, ok := v.entries()
	if !ok {
		return nil
	}
	return f.weights()
}

func (f fields) weights() map[string]float64 {
	switch {
	case len(f.keys) == 0:
		f.of.problem("want weights as name: number, got none")
	case len(f.keys) > maxWeights:
		f.of.problem("want at most %d weights, got %d", maxWeights, len(f.keys))
		return nil
	}
	weights := map[string]float64{}
	for _, name := range f.keys {
		if x, ok := f.entries[name].number(); ok {
			weights[name] = x
		}
	}
	return weights
}

// Weights returns the values of all numbers of the config's family, in the order of Family.Numbers: the given
// ones by name, which may lie outside the ranges of the tuning, and the start for the rest. It fails for a name
// that the family does not have, and for values that the heuristic cannot be compiled with.
func (c *Config) Weights(weights map[string]float64) ([]float64, error) {
	return c.values(weights, c.Family.Dead)
}

// values is Weights with another value of positions without a legal move.
func (c *Config) values(weights map[string]float64, dead heuristic.Dead) ([]float64, error) {
	values := c.Family.Start()
	var names []string
	for i, n := range c.Family.Numbers() {
		names = append(names, n.Name)
		if x, given := weights[n.Name]; given {
			values[i] = x
		}
	}
	var unknown []string
	for name := range weights {
		if !slices.Contains(names, name) {
			unknown = append(unknown, fmt.Sprintf("no weight is called %s%s", clip(name), didYouMean(name, names)))
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		unknown = unknown[:min(len(unknown), maxShown)]
		return nil, fmt.Errorf("%s; the weights are %s", strings.Join(unknown, "; "), strings.Join(names, ", "))
	}
	if _, err := heuristic.NewCompiler(&c.Family).Compile(values, dead); err != nil {
		return nil, err
	}
	return values, nil
}
