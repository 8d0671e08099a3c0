package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"tune2048/engine/eval"
	"tune2048/engine/key"
)

const maxReferences = 32

// Reference is a player of the same heuristic that the champion also meets in validation.
type Reference struct {
	Name    string
	Dead    eval.Dead
	Weights map[string]float64 // those that are given, by name; the others are the start's
	From    string             // "champion": the others are the champion's
}

func (r *Reference) Keys() []key.Key {
	return []key.Key{
		{Name: "from", Doc: "weights that are left out are the champion's", To: &r.From, Choices: []string{"champion"}},
		{Name: "dead", Doc: "as in heuristic", To: &r.Dead, Default: r.Dead},
		{Name: "weights", Doc: "by name; others are at their start", To: &r.Weights},
	}
}

// References are written by their names.
type References []Reference

// WriteTo writes the references as a config has them.
func (all *References) WriteTo(b *bytes.Buffer, w key.Writer) {
	w.Mapping(b, len(*all), func(i int) (string, any) { return (*all)[i].Name, &(*all)[i] })
}

// Values returns the values of all weights of a reference, beside a champion.
func (c *Config) Values(r Reference, champion eval.Vector) eval.Vector {
	values := c.Start()
	if r.From != "" {
		values = slices.Clone(champion)
	}
	for i, w := range c.Weights {
		if x, given := r.Weights[w.Name]; given {
			values[i] = x + 0 // without -0
		}
	}
	return values
}

// readReferences reads the players to compare with, by name: each {dead, weights} or the path of a
// weights file, relative to the config's folder. A weight that is absent is the start, or with
// {from: champion} the champion's.
func (c *Config) readReferences(n node) {
	if len(n.Content) > 2*maxReferences && n.isMapping() {
		n.problem("want at most %d, got %d", maxReferences, len(n.Content)/2)
		return
	}
	if !n.isMapping() {
		n.want("a mapping of names, such as {weak: {weights: {empty: 0}}, strong: champions/best}")
		return
	}
	n.each(true, func(name string, n node) {
		r, _ := c.reference(n, name)
		c.References = append(c.References, r)
	})
}

// reference reads one of the references, and returns the values of its weights: nil after a
// problem.
func (c *Config) reference(n node, name string) (r Reference, vector eval.Vector) {
	before := len(n.doc.problems)
	r = Reference{Name: name, Dead: c.Heuristic.Dead}
	if !nameForm.MatchString(name) {
		n.problem("want a name of %s", nameRule)
	}
	if n.Kind == yaml.ScalarNode {
		n.weightsFile(&r)
	} else {
		n.section(&r)
	}
	if len(n.doc.problems) > before {
		return r, nil
	}
	vector, err := c.Vector(r.Weights, r.Dead)
	if err != nil {
		n.problem("%v", err)
	}
	return r, vector
}

// readStarts reads further vectors of the first generation, each as a reference. The first
// generation has room for them, and they lie within the ranges.
func (c *Config) readStarts(n node) {
	k, _ := key.Find(c, "starts")
	items := n.items(k)
	if len(items) >= c.Optimizer.Candidates() {
		n.problem("want fewer than population, which is %d, got %d", c.Optimizer.Candidates(), len(items))
	}
	for _, n := range items {
		r, vector := c.reference(n, "start")
		if r.From != "" {
			n.problem("want weights or a file: there is no champion yet")
		}
		if vector == nil {
			continue
		}
		var values []float64
		of := map[string]float64{}
		for i, w := range c.Weights {
			x, fixed := vector[i], w.Value
			w.Value = x
			if w.Validate(func(_, reason string) { n.problem("%s: %s", w.Name, reason) }); w.Tunable {
				values, of[w.Name] = append(values, x), x
			} else if x != fixed {
				n.problem("%s: want %v, to which the config fixes it, got %v", w.Name, fixed, x)
			}
		}
		for i, name := range c.Heuristic.Order {
			if before := c.Heuristic.Order[max(i-1, 0)]; of[name] < of[before] {
				n.problem("want the order of the config, got %s at %v after %s at %v", name, of[name], before,
					of[before])
			}
		}
		c.Starts, c.written.starts = append(c.Starts, values), append(c.written.starts, start{of})
	}
}

// weightsFile reads the weights file whose path the value is.
func (n node) weightsFile(r *Reference) {
	path := n.text(key.Key{})
	if path == "" {
		return
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(n.doc.path), path)
	}
	data, err := n.doc.open(path)
	if err != nil && strings.HasPrefix(n.Value, "champions/") {
		data, err = n.doc.open(n.Value) // of the program, wherever the config is
	}
	if err != nil {
		hint := ""
		if errors.Is(err, fs.ErrNotExist) {
			hint = ": give the path of a file beside the config, or champions/NAME of " + either(Champions())
		}
		n.problem("cannot read the weights: %s%s", clipTo(err.Error(), 300), hint)
		return
	}
	file, err := ParseWeights(data, path)
	if err != nil {
		n.problem("%s", clipTo(strings.ReplaceAll(err.Error(), "\n", "; "), 2000)) // on one line
		return
	}
	if file.Dead != nil {
		r.Dead = *file.Dead
	}
	r.Weights = file.Weights
}

// WeightsFile is the content of a weights file.
type WeightsFile struct {
	Weights map[string]float64 // by name; finite
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
		f, ok := n.fields()
		if !ok {
			return
		}
		weights := f
		switch given, nested := f.entries["weights"]; {
		case nested:
			if at, ok := f.entries["dead"]; ok {
				file.Dead = new(eval.Dead)
				at.dead(file.Dead)
			}
			weights, ok = given.fields()
			if !ok {
				return
			}
		case f.has("heuristic") || f.has("player"):
			h := new(eval.Heuristic)
			f.player(h)
			file.Weights, file.Dead = map[string]float64{}, &h.Dead
			for _, w := range d.weights {
				file.Weights[w.Name] = w.Value
			}
			return
		}
		file.Weights = map[string]float64{}
		for name, n := range weights.entries {
			file.Weights[name], _ = n.numberOr("a number in decimal digits")
		}
		if len(file.Weights) == 0 {
			weights.problem("want weights as name: number, got none")
		}
	})
	if err != nil {
		return nil, err
	}
	return file, nil
}

// Vector returns the values of all weights of the config's heuristic. Weights that are given by
// name may lie outside their ranges, all others are at their start. It fails for a name that the
// heuristic does not have, for a value that its setting refuses, and for a value of positions
// without a legal move that no table holds.
func (c *Config) Vector(weights map[string]float64, dead eval.Dead) (eval.Vector, error) {
	names, known := c.Heuristic.Names(), map[string]bool{}
	for _, name := range names {
		known[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		if !known[name] {
			return nil, fmt.Errorf("no weight is called %s%s; the weights are %s", clip(name),
				DidYouMean(name, names), strings.Join(names, ", "))
		}
	}
	vector := c.Values(Reference{Weights: weights}, nil)
	for _, slot := range c.Heuristic.Slots() {
		if why := slot.Refuse(vector[slot.At]); why != "" {
			return nil, fmt.Errorf("%s: %s", names[slot.At], why)
		}
	}
	if why := dead.Refuse(); why != "" {
		return nil, fmt.Errorf("dead: %s", why)
	}
	return vector, nil
}
