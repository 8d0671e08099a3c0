package configs

import (
	"regexp"
	"slices"
)

// retiredKey is a key that older programs had. Stored configs and records spell every key out, so a
// config may have it where it asks for nothing. Any other value is a problem that names the
// replacement.
type retiredKey struct {
	name    string   // full name, without the index of a list
	asks    string   // the key of the section called name that asks for something; empty: name itself does
	others  []string // the other keys of that section
	neutral string   // the value that asks for nothing, which is also the default
	instead string
}

var retired = []retiredKey{
	{
		name: "sensitivity", asks: "games", others: []string{"step", "search"}, neutral: "0",
		instead: "references: {moved: {from: champion, weights: {NAME: 0.5}}} plays the champion with one weight moved",
	},
	{
		name: "stages.stop", asks: "no_progress", neutral: "0",
		instead: "generations or max_games bound a stage, and -for ends the tuning in time",
	},
}

// index matches the index of a list item in a full name: stages[1].games.
var index = regexp.MustCompile(`\[\d+\]`)

// dropRetired takes the retired keys out of the entries. It notes a problem for each that asks for
// something.
func (f *fields) dropRetired() {
	for _, r := range retired {
		i := slices.IndexFunc(f.keys, func(key string) bool { return index.ReplaceAllString(f.entries[key].key, "") == r.name })
		if i < 0 {
			continue
		}
		r.check(f.entries[f.keys[i]])
		delete(f.entries, f.keys[i])
		f.keys = slices.Delete(f.keys, i, i+1)
	}
}

// check notes a problem if the value asks for something.
func (r retiredKey) check(n node) {
	if r.asks != "" {
		section, ok := n.entries()
		if !ok {
			return
		}
		section.refuseOthers(append([]string{r.asks}, r.others...))
		if n, ok = section.get(r.asks); !ok {
			return
		}
	}
	if n.unquoted() && n.yaml.Value == r.neutral {
		return
	}
	n.problem("want %s, got %s: this program has no %s any more; %s", r.neutral, n.describe(), r.name, r.instead)
}
