package configs

import (
	"path/filepath"
	"slices"
	"strings"

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

// references are the players to compare with, by name: each {dead, weights}, {dead, file} or just
// the file's path, which is relative to the config's folder. A weight that is absent is the start,
// or with {from: champion} the champion's.
func references(c *Config) kind[[]Reference] {
	return kind[[]Reference]{
		read: func(n node) (all []Reference, ok bool) {
			sound := !n.doc.wrong("heuristic") // otherwise the family may not be what was meant
			f, ok := n.entries()
			if len(f.keys) > maxReferences {
				n.problem("want at most %d, got %d", maxReferences, len(f.keys))
				return nil, false
			}
			// Their order has no meaning, so it must not make another config.
			for _, name := range slices.Sorted(slices.Values(f.keys)) {
				at, before := f.entries[name], len(n.doc.problems)
				r := Reference{Name: name, Dead: c.Family.Dead}
				weights := at.reference(&r)
				right := len(n.doc.problems) == before
				if sound {
					for _, err := range c.unknown(weights) {
						at.problem("%v", err)
						right = false
					}
				}
				if sound && right {
					if err := c.complete(&r, weights); err != nil {
						at.problem("%v", err)
					}
				}
				all = append(all, r)
			}
			return all, ok
		},
		text: func(all []Reference, full bool) string {
			return indented(full, func(s *section) {
				for _, r := range all {
					s.put(quoted(r.Name, full), flow(full, func(s *section) { r.write(s, &c.Family) }))
				}
			})
		},
		schema: func() object {
			one := object{
				"from": object{"const": "champion"}, "dead": dead().schema(), "file": text().schema(),
				"weights": object{"type": "object", "additionalProperties": number().schema()},
			}
			return object{
				"type": "object", "maxProperties": maxReferences, "propertyNames": object{"pattern": nameForm.String()},
				"additionalProperties": anyOf(text().schema(), object{"type": "object", "additionalProperties": false, "properties": one}),
			}
		},
	}
}

// write writes the reference as one of the family.
func (r *Reference) write(s *section, family *eval.Heuristic) {
	entry(s, "dead", &r.Dead, family.Dead, dead())
	if r.FromChampion {
		s.put("from", "champion")
	}
	s.section("weights", func(s *section) {
		for i, w := range family.Weights() {
			switch {
			case !r.FromChampion:
				entry(s, quoted(w.Name, true), &r.Weights[i], w.Value, number())
			case r.Given[i]:
				s.put(quoted(w.Name, true), decimal(r.Weights[i]))
			}
		}
	})
}

// reference reads one of the references, and returns its weights by name.
func (n node) reference(r *Reference) (weights map[string]float64) {
	if !nameForm.MatchString(r.Name) {
		n.problem("want a name of %s", nameRule)
	}
	if n.isScalar() {
		return n.weightsFile(r)
	}
	n.section(func(s *section) {
		s.known = []string{"from", "dead", "weights", "file"}
		if from, ok := s.entries["from"]; ok {
			_, r.FromChampion = word("champion").read(from)
		}
		given, hasWeights := s.entries["weights"]
		file, hasFile := s.entries["file"]
		switch {
		case hasWeights && hasFile:
			file.problem("want only one of weights or file, got both")
		case hasWeights:
			f, _ := given.entries()
			weights = f.numbers()
		case hasFile:
			weights = file.weightsFile(r)
		}
		if n, ok := s.entries["dead"]; ok { // after the file, whose own it overrides
			r.Dead, _ = dead().read(n)
		}
	})
	return weights
}

// complete gives the reference a value for each weight of the family.
func (c *Config) complete(r *Reference, weights map[string]float64) (err error) {
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
	path, ok := text().read(n)
	if !ok {
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
