package configs

import (
	"path/filepath"
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
	sound := !n.doc.wrong("heuristic") // otherwise the family may not be what was meant
	n.each(true, func(name string, n node) {
		before := len(n.doc.problems)
		r := Reference{Name: name, Dead: c.Family.Dead}
		weights := n.reference(&r)
		if sound && len(n.doc.problems) == before {
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
