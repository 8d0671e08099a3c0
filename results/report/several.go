package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tune2048/experiments"
	"tune2048/experiments/summary"
	"tune2048/results"
)

// several compares the champions of runs on their held-out games. The verdicts on all pairs of runs
// at all searches hold together (Holm).
type several struct {
	Lead    string // the answer
	Sure    string // its interval and games; may be empty
	Command string // that plays more games; may be empty
	Tables  []Table
}

// newSeveral compares runs. The page has one of them only if there are at least two.
func newSeveral(reports []Report) (s several) {
	gains := pairs(reports)
	s.verdict(reports, gains)
	s.Tables = []Table{severalTable(reports, gains)}
	return s
}

// pairs compares the champions of all pairs of runs, see [summary.Meet].
func pairs(reports []Report) (gains []gainRow) {
	var runs []summary.Summary
	for _, r := range reports {
		runs = append(runs, r.summary)
	}
	all, of := summary.Meet(runs)
	for i, c := range all {
		one, over := reports[of[i][0]], reports[of[i][1]]
		g := newGain(one.Unit, summary.Gain{Comparison: c, Player: summary.Player{Name: one.Name},
			Over: summary.Player{Name: over.Name}})
		g.keys = [2]string{one.Name, over.Name}
		gains = append(gains, g)
	}
	return gains
}

// verdict says which run is better at the search of the first run's answer, or at the last search
// that is shared.
func (s *several) verdict(reports []Report, gains []gainRow) {
	if len(gains) == 0 {
		s.Lead = "These runs have no held-out games at the same search, by the same objective and rules"
		if !slices.ContainsFunc(reports, func(r Report) bool { return !r.Kind.HasPlayers() }) {
			s.Lead = fmt.Sprintf("%d comparisons side by side", len(reports))
		}
		return
	}
	chosen := gains[len(gains)-1]
	for _, g := range gains {
		if g.Search == reports[0].lastSearch() && g.unit.Objective == chosen.unit.Objective {
			chosen = g
		}
	}
	one, search := chosen.keys[0], chosen.Search
	var players []contestant // that are compared with it
	for _, r := range reports {
		for _, p := range r.summary.Champions() {
			if _, met := versus(gains, r.Name, one, search); p.Search == search && (met || r.Name == one) {
				players = append(players, contestant{r.Name, r.Name, search, p.Fitness.Value})
			}
		}
	}
	gains = slices.Clone(gains)
	for i, g := range gains {
		if g.Verdict == experiments.NoDifference { // more games may find one
			gains[i].Verdict = experiments.Undecided
		}
	}
	h, undecided, _ := bestOf(players, gains)
	s.Lead, s.Sure = h.Lead, h.Sure
	names, files := "", ""
	playing, bots := map[string]bool{}, map[string]bool{} // more games tell nothing of equal players
	for _, name := range undecided {
		r := reports[slices.IndexFunc(reports, func(r Report) bool { return r.Name == name })]
		if player := cmp.Or(r.player, name); !playing[player] {
			names, playing[player] = names+" "+results.ShellWord(name), true
		}
		if bot := r.Run.Programs; bot != "" && !bots[bot] { // nothing runs that the user did not name
			files, bots[bot] = files+" -config "+anyFile, true
		}
	}
	if len(playing) > 1 {
		s.Command = "tune compare" + reports[0].database + names + files
	}
}

// severalTable has a row for each run or player and search.
func severalTable(reports []Report, gains []gainRow) Table {
	first, games, scored, mixed := reports[0], "", false, false
	for _, r := range reports {
		scored, mixed = scored || r.Unit.scored(), mixed || r.Unit.Objective != first.Unit.Objective
		if fresh := r.Fresh(); games == "" {
			games = fresh
		} else if !strings.Contains(games, fresh) {
			games += " and " + fresh
		}
	}
	t := Table{Section: "several", Title: capital(games) + " games"}
	for i, r := range reports {
		for _, p := range r.HeldOut.Players {
			if p.Role != summary.Champion && p.Role != summary.Compared {
				continue
			}
			name, over, before := r.Name, "", ""
			if p.Role == summary.Compared {
				name += ": " + p.Name
			}
			if g, found := r.overStart(p.Search); found {
				before = g.change().String()
			}
			if g, found := versus(gains, r.Name, first.Name, p.Search); found && i > 0 {
				t.Notes = []string{"Changes over " + first.Name +
					" are judged together with all pairs of runs, by Holm's method."}
				if over = g.change().String(); g.Verdict == experiments.NoDifference {
					over += ": not known to differ"
				}
			}
			unit := r.Unit
			if mixed {
				unit.Title = "fitness"
			}
			t.add(slices.Concat([]cell{worded("run", name), worded("search", p.Search)}, cells(p, unit, scored),
				[]cell{numeric("over its start", before), numeric("over "+first.Name, over)}))
		}
	}
	t.dropEmptyColumns()
	return t
}
