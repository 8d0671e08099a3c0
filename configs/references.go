package configs

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
)

const maxReferences = 32

// references reads the sets of weights to compare with, by name: each {dead, weights}, {dead, file} or just the
// file's path, which is relative to the config's folder.
func (v value) references(c *Config, read func(path string) ([]byte, error)) {
	f, ok := v.entries()
	if !ok {
		return
	}
	if len(f.keys) > maxReferences {
		v.problem("want at most %d, got %d", maxReferences, len(f.keys))
		return
	}
	sound := v.doc.found == 0 // otherwise the family may not be what was meant
	for _, name := range f.keys {
		entry := f.entries[name]
		if !nameForm.MatchString(name) {
			entry.problem("want a name of %s", nameRule)
			continue
		}
		before := v.doc.found
		r := Reference{Name: name, Dead: c.Family.Dead}
		entry.reference(&r, c, read)
		if !sound || v.doc.found > before {
			continue
		}
		if _, err := c.values(r.Weights, r.Dead); err != nil {
			entry.problem("%v", err)
		}
		c.References = append(c.References, r)
	}
	// Their order has no meaning, so it must not make another config.
	slices.SortFunc(c.References, func(a, b Reference) int { return cmp.Compare(a.Name, b.Name) })
}

// reference reads one of the references.
func (v value) reference(r *Reference, c *Config, read func(path string) ([]byte, error)) {
	if v.isScalar() {
		v.weightsFile(r, c, read)
		return
	}
	f, ok := v.fields("dead", "weights", "file")
	if !ok {
		return
	}
	switch kind, _ := f.exactlyOne("weights", "file"); kind {
	case "weights":
		r.Weights = f.entries["weights"].weights()
	case "file":
		f.entries["file"].weightsFile(r, c, read)
	}
	if dead, ok := f.get("dead"); ok { // after the file, whose own it overrides
		r.Dead, _ = dead.dead()
	}
}

// weightsFile reads the weights file whose path the value is.
func (v value) weightsFile(r *Reference, c *Config, read func(path string) ([]byte, error)) {
	path, ok := v.text()
	if !ok {
		return
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(c.Path), path)
	}
	data, err := read(path)
	if err != nil {
		v.problem("cannot read the weights: %s", clipTo(err.Error(), 300))
		return
	}
	file, err := ParseWeights(data, path)
	if err != nil {
		v.problem("%s", clipTo(strings.ReplaceAll(err.Error(), "\n", "; "), 2000)) // on one line
		return
	}
	r.Weights = file.Weights
	if file.Dead != nil {
		r.Dead = *file.Dead
	}
}
