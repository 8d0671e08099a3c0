package configs

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"tune2048/engine/heuristic"
)

const maxReferences = 32

// references describes the players to compare with, by name: each {dead, weights}, {dead, file} or just the file's path,
// which is relative to the config's folder. A weight that is absent is the start, or with {from: champion} the champion's.
func (s *section) references(c *Config, read func(path string) ([]byte, error)) {
	if !s.reading && len(c.References) == 0 {
		return
	}
	entry(s, "references", &c.References, nil, func(n node) (list []Reference, ok bool) {
		sound := n.doc.found == 0 // otherwise the family may not be what was meant
		f, ok := n.entries()
		if len(f.keys) > maxReferences {
			n.problem("want at most %d, got %d", maxReferences, len(f.keys))
			return nil, false
		}
		for _, name := range f.keys {
			at, before := f.entries[name], n.doc.found
			r, weights := at.reference(name, c, read)
			if !sound || n.doc.found > before {
				continue
			}
			if r.FromChampion {
				for _, w := range c.Family.Weights() {
					_, given := weights[w.Name]
					r.Given = append(r.Given, given)
				}
			}
			var err error
			if r.Weights, err = c.vector(weights, r.Dead); err == nil && r.FromChampion {
				family := c.Family.With(weights)
				family.Dead = r.Dead
				err = family.Check() // whatever the champion's other weights
			}
			if err != nil {
				at.problem("%v", err)
			}
			list = append(list, r)
		}
		// Their order has no meaning, so it must not make another config.
		slices.SortFunc(list, func(a, b Reference) int { return cmp.Compare(a.Name, b.Name) })
		return list, ok
	}, func(list []Reference, full bool) string {
		return indented(full, func(s *section) {
			for _, r := range list {
				s.put(quoted(r.Name, full), flow(full, func(s *section) { r.write(s, &c.Family) }))
			}
		})
	})
}

// write writes the reference as one of the family.
func (r *Reference) write(s *section, family *heuristic.Family) {
	entry(s, "dead", &r.Dead, family.Dead, nil, dead)
	if r.FromChampion {
		s.put("from", "champion")
	}
	s.section("weights", func(s *section) {
		for i, w := range family.Weights() {
			if r.FromChampion {
				if r.Given[i] {
					s.put(quoted(w.Name, true), number(r.Weights[i]))
				}
				continue
			}
			entry(s, quoted(w.Name, true), &r.Weights[i], w.Value, nil, func(x float64, _ bool) string { return number(x) })
		}
	})
}

// reference reads one of the references, and its weights by name.
func (n node) reference(name string, c *Config, read func(path string) ([]byte, error)) (r Reference, weights map[string]float64) {
	r = Reference{Name: name, Dead: c.Family.Dead}
	if !nameForm.MatchString(name) {
		n.problem("want a name of %s", nameRule)
	}
	if n.isScalar() {
		weights = n.weightsFile(&r, c, read)
		return r, weights
	}
	n.section(func(s *section) {
		s.known = []string{"from", "dead", "weights", "file"}
		if from, ok := s.get("from"); ok {
			_, r.FromChampion = from.choice("champion")
		}
		given, hasWeights := s.get("weights")
		file, hasFile := s.get("file")
		switch {
		case hasWeights && hasFile:
			file.problem("want only one of weights or file, got both")
		case hasWeights:
			f, _ := given.entries()
			weights = f.numbers()
		case hasFile:
			weights = file.weightsFile(&r, c, read)
		}
		if dead, ok := s.get("dead"); ok { // after the file, whose own it overrides
			r.Dead, _ = dead.dead()
		}
	})
	return r, weights
}

// weightsFile reads the weights file whose path the value is.
func (n node) weightsFile(r *Reference, c *Config, read func(path string) ([]byte, error)) map[string]float64 {
	path, ok := n.text()
	if !ok {
		return nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(c.Path), path)
	}
	data, err := read(path)
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
