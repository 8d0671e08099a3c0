package config

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"tune2048/engine/eval"
)

const maxReferences = 32

// Reference is a player of the same family that the champion also meets in validation.
type Reference struct {
	Name         string
	Dead         eval.Dead
	Weights      eval.Vector
	FromChampion bool   // the champion, but for the weights that are given
	Given        []bool // which of Weights the config gives, where FromChampion
}

// readReferences reads the players to compare with, by name: each {dead, weights}, {dead, file} or
// just the file's path, which is relative to the config's folder. A weight that is absent is the
// start, or with {from: champion} the champion's.
func (c *Config) readReferences(n node) {
	if len(n.Content) > 2*maxReferences && n.isMapping() {
		n.problem("want at most %d, got %d", maxReferences, len(n.Content)/2)
		return
	}
	n.each(true, func(name string, n node) {
		before := len(n.doc.problems)
		r := Reference{Name: name, Dead: c.Family.Dead}
		weights := n.reference(&r)
		if len(n.doc.problems) == before {
			if err := c.finish(&r, weights); err != nil {
				n.problem("%v", err)
			}
		}
		c.References = append(c.References, r)
	})
}

// referenceKeys are the keys of a reference.
type referenceKeys struct {
	From    string     `yaml:"from" want:"champion"`
	Dead    *eval.Dead `yaml:"dead"`
	Weights node       `yaml:"weights"`
	File    node       `yaml:"file"`
}

// reference reads one of the references, and returns its weights by name.
func (n node) reference(r *Reference) (weights map[string]float64) {
	if !nameForm.MatchString(r.Name) {
		n.problem("want a name of %s", nameRule)
	}
	if n.Kind == yaml.ScalarNode {
		return n.weightsFile(r)
	}
	f, ok := n.fields()
	if !ok {
		return nil
	}
	var keys referenceKeys
	f.decode(&keys)
	f.done()
	r.FromChampion = keys.From != ""
	switch {
	case f.has("weights") && f.has("file"):
		keys.File.problem("want only one of weights or file, got both")
	case f.has("weights"):
		entries, _ := keys.Weights.fields()
		weights = entries.numbers()
	case f.has("file"):
		weights = keys.File.weightsFile(r)
	}
	if keys.Dead != nil { // after the file, whose own it overrides
		r.Dead = *keys.Dead
	}
	return weights
}

// readStarts reads further vectors of the first generation, each as a reference. The first
// generation has room for them, and they lie within the ranges.
func (c *Config) readStarts(n node) {
	items := n.items("[1,32] weights files")
	if len(items) >= c.Optimizer.Candidates() {
		n.problem("want fewer than population, which is %d, got %d", c.Optimizer.Candidates(), len(items))
	}
	for _, n := range items {
		r := Reference{Name: "start", Dead: c.Family.Dead}
		before := len(n.doc.problems)
		weights := n.reference(&r)
		if len(n.doc.problems) > before {
			continue
		}
		if r.FromChampion {
			n.problem("want weights or file: there is no champion yet")
			continue
		}
		if err := c.finish(&r, weights); err != nil {
			n.problem("%v", err)
			continue
		}
		var start []float64
		of := map[string]float64{}
		for i, w := range c.Family.Weights() {
			x, fixed := r.Weights[i], w.Value
			w.Value = x
			if w.Validate(func(_, reason string) { n.problem("%s: %s", w.Name, reason) }); w.Tunable {
				start, of[w.Name] = append(start, x), x
			} else if x != fixed {
				n.problem("%s: want %v, to which the config fixes it, got %v", w.Name, fixed, x)
			}
		}
		for i, name := range c.Family.Order {
			if before := c.Family.Order[max(i-1, 0)]; of[name] < of[before] {
				n.problem("want the order of the config, got %s at %v after %s at %v", name, of[name], before,
					of[before])
			}
		}
		c.Starts = append(c.Starts, start)
	}
}

// finish gives the reference a value for each weight of the family.
func (c *Config) finish(r *Reference, weights map[string]float64) (err error) {
	if r.Weights, err = c.vector(weights, r.Dead); err != nil || !r.FromChampion {
		return err
	}
	fixed := c.Family.Weights()
	for i, w := range fixed {
		_, given := weights[w.Name]
		r.Given = append(r.Given, given)
		if given {
			fixed[i] = eval.Fixed(r.Weights[i])
		}
	}
	family := c.Family.WithWeights(fixed)
	family.Dead = r.Dead
	return family.Check() // whatever the champion's other weights
}

// weightsFile reads the weights file whose path the value is.
func (n node) weightsFile(r *Reference) map[string]float64 {
	path := ""
	if n.read(&path, ""); path == "" {
		return nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(n.doc.path), path)
	}
	data, err := n.doc.open(path)
	if err != nil && strings.HasPrefix(n.Value, "champions/") {
		data, err = n.doc.open(n.Value) // of the program, wherever the config is
	}
	if err != nil {
		n.problem("cannot read the weights: %s", clipTo(err.Error(), 300))
		return nil
	}
	file, err := ParseWeights(data, path)
	if err != nil {
		n.problem("%s", clipTo(strings.ReplaceAll(err.Error(), "\n", "; "), 2000)) // on one line
		return nil
	}
	if file.Dead != nil {
		r.Dead = *file.Dead
	}
	return file.Weights
}

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
			return nil, fmt.Errorf("no weight is called %s%s; the weights are %s", clip(name),
				DidYouMean(name, names), strings.Join(names, ", "))
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
