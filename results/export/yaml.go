package export

import (
	"fmt"
	"strconv"
	"strings"
)

// YAML returns a config that starts from these weights: the run's, under another name. A range
// moves if a weight was at its edge. Comments list the changes. Its start player plays the same
// games.
func (r *Record) YAML(name string) ([]byte, error) {
	next, changes, err := r.config.Next(name, r.values, r.family.Dead)
	if err != nil {
		return nil, fmt.Errorf("a config that starts from candidate %d of run %s: %w", r.Candidate, r.Run, err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Starts from candidate %d of run %s (%s).\n", r.Candidate, escape(r.Run), escape(r.Role))
	for _, h := range r.HeldOut {
		fmt.Fprintf(&b, "# On %d held-out games at %s its mean score was %.0f", h.Games, escape(h.Search), h.MeanScore)
		if h.CI != nil {
			fmt.Fprintf(&b, " [%.0f, %.0f]", h.CI[0], h.CI[1])
		}
		b.WriteString(".\n")
	}
	fmt.Fprintf(&b, "# What is another than in that run's config (hash %.12s):\n#   name: %s, was %s\n", r.ConfigHash, name, escape(r.config.Name))
	for _, change := range changes {
		fmt.Fprintf(&b, "#   %s\n", escape(change))
	}
	b.Write(next.YAML())
	return []byte(b.String()), nil
}

// NextName names a config that goes on from this one: NAME-next, NAME-next2, NAME-next3 ...
func (r *Record) NextName() string {
	name, number, again := strings.Cut(r.config.Name, "-next")
	if again {
		n, err := strconv.Atoi(number)
		if number == "" {
			n, err = 1, nil
		}
		if err == nil {
			return fmt.Sprintf("%s-next%d", name, n+1)
		}
		name = r.config.Name
	}
	return name[:min(len(name), 64-len("-next"))] + "-next"
}
