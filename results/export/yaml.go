package export

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"tune2048/configs/config"
	"tune2048/engine/eval"
	"tune2048/results"
)

// YAML returns a config that starts from these weights: the run's, under another name. A range
// moves if a weight was at its edge. Comments list the changes. Its start player plays the same
// games.
func (r *Record) YAML(name string) ([]byte, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# Starts from candidate %d of run %s (%s).\n", r.Candidate, results.Escape(r.Run, ""),
		results.Escape(r.Role, ""))
	for _, h := range r.HeldOut {
		fmt.Fprintf(&b, "# On %d held-out games at %s its mean score was %.0f", h.Games, results.Escape(h.Search, ""),
			h.MeanScore)
		if h.CI != nil {
			fmt.Fprintf(&b, " [%.0f, %.0f]", h.CI[0], h.CI[1])
		}
		b.WriteString(".\n")
	}
	next, err := NextConfig(r.config, name, r.values, r.heuristic.Dead)
	return append([]byte(b.String()), next...), err
}

// NextConfig returns a config with the given name and start weights. Its comments list the
// differences from c.
func NextConfig(c *config.Config, name string, values eval.Vector, dead eval.Dead) ([]byte, error) {
	next, changes, err := c.Next(name, values, dead)
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf("# Differences from the config %s (hash %.12s):\n#   name: %s, was %s\n",
		results.Escape(c.Name, ""),
		c.Hash, name, results.Escape(c.Name, ""))
	for _, change := range changes {
		text += "#   " + results.Escape(change, "") + "\n"
	}
	return append([]byte(text), next.YAML()...), nil
}

// NextName names a config that goes on from one of this name: NAME-next, NAME-next2, NAME-next3 ...
// A long name is cut.
func NextName(of string) string {
	name, ending := of, "-next"
	if again := numbered.FindStringSubmatch(of); again != nil {
		n, _ := strconv.Atoi(cmp.Or(again[2], "1"))
		name, ending = again[1], fmt.Sprintf("-next%d", n+1)
	}
	return name[:min(len(name), 64-len(ending))] + ending
}

// numbered matches a name that NextName has made.
var numbered = regexp.MustCompile(`^(.*)-next([0-9]{0,9})$`)
