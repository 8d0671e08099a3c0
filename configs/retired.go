package configs

import (
	"regexp"
	"slices"
)

// retired are the keys that older programs had. Stored configs and records spell every key out, so
// a config may have them where they ask for nothing. Any other value is a problem that names the
// replacement.
var retired = []struct {
	name    string // full name, without the index of a list
	asks    string // the key of the section called name that asks for something; empty: name does
	neutral string // the value that asks for nothing, which was the default
	instead string
}{
	{"sensitivity", "games", "0",
		"references: {moved: {from: champion, weights: {NAME: 0.5}}} plays the champion with one weight moved"},
	{"restarts", "", "1", "a larger optimizer.population serves"},
	{"optimizer.populations", "", "1", "a larger population serves"},
	{"stages.stop", "no_progress", "0", "generations or max_games bound a stage, and -for ends the tuning in time"},
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
		n, asks := f.entries[f.keys[i]], true
		if r.asks != "" && n.isMapping() {
			section, _ := n.entries()
			n, asks = section.entries[r.asks]
		}
		if asks && !(n.unquoted() && n.yaml.Value == r.neutral) {
			n.problem("want %s, got %s: this program has no %s any more; %s", r.neutral, n.describe(), r.name, r.instead)
		}
		f.keys = slices.Delete(f.keys, i, i+1)
	}
}
