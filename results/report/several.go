package report

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tune2048/configs"
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
	s.Tables = []Table{severalTable(reports, gains), severalWeights(reports), severalSettings(reports)}
	s.Tables = slices.DeleteFunc(s.Tables, func(t Table) bool { return len(t.Rows) == 0 })
	return s
}

// pairs compares the champions of all pairs of runs at each search at which both are validated by
// the same objective.
func pairs(reports []Report) (gains []gainRow) {
	var runs []summary.Summary
	for _, r := range reports {
		runs = append(runs, r.summary)
	}
	all, of := summary.Meet(runs)
	for i, c := range all {
		one, over := reports[of[i][0]], reports[of[i][1]]
		g := newGain(one.Unit, summary.Gain{Comparison: c, Player: summary.Player{Name: one.Name}, Over: summary.Player{Name: over.Name}})
		g.keys = [2]string{one.Name, over.Name}
		gains = append(gains, g)
	}
	return gains
}

// verdict says which run is better at the search of the first run's answer, or at the last search
// that is shared. Where held-out games cannot tell, a stored comparison that decided does.
func (s *several) verdict(reports []Report, gains []gainRow) {
	if len(gains) == 0 {
		s.Lead = "These runs have no held-out games at the same search"
		if !slices.ContainsFunc(reports, func(r Report) bool { return !r.Kind.HasPlayers() }) {
			s.Lead = fmt.Sprintf("%d comparisons side by side", len(reports))
		}
		return
	}
	last := gains[len(gains)-1]
	search, objective := last.Search, last.unit.Objective
	if first := reports[0].lastSearch(); slices.ContainsFunc(gains, func(g gainRow) bool { return g.Search == first && g.unit.Objective == objective }) {
		search = first
	}
	byRun, players, all := map[string]Report{}, []contestant{}, []gainRow{}
	for _, r := range reports {
		for _, p := range r.summary.Champions() {
			if p.Search == search && r.Unit.Objective == objective {
				byRun[r.Name] = r
				players = append(players, contestant{r.Name, r.Name, search, p.Fitness.Value})
			}
		}
	}
	for _, g := range gains {
		if g.Verdict == experiments.NoDifference {
			g.Verdict = experiments.Undecided
			one, over := byRun[g.Player], byRun[g.Over]
			decided := slices.DeleteFunc(slices.Clone(one.contests), func(c gainRow) bool { return c.Verdict == experiments.Undecided })
			if stored, found := versus(decided, one.player, over.player, g.Search); found {
				if stored.Player, stored.Over, stored.keys = g.Player, g.Over, g.keys; stored.Verdict == experiments.NoDifference {
					stored.unit.Title += " on held-out games" // by which the runs are ranked
				}
				g = stored
			}
		}
		all = append(all, g)
	}
	h, undecided, _ := bestOf(players, all)
	if s.Lead, s.Sure = h.Lead, h.Sure; len(undecided) > 1 {
		s.Command = "tune compare" + reports[0].database
		for _, name := range undecided {
			s.Command += " " + results.ShellWord(name)
		}
	}
}

// Meet reads the stored comparisons between the champions of several runs, for a page of them: the
// newest first, of each the last question. One run meets nobody.
func Meet(ctx context.Context, reader *results.Reader, reports []Report) error {
	if len(reports) < 2 {
		return nil
	}
	runs, err := reader.Contests(ctx)
	if err != nil {
		return err
	}
	for _, run := range runs {
		c, err := configs.ParseContest([]byte(run.ConfigYAML), "run "+run.Name)
		if err != nil {
			continue // another program's
		}
		var all []experiments.Comparison
		for i := range reports {
			r := &reports[i]
			if r.player == "" || run.Signature != r.Run.Signature || c.Rules != r.rules ||
				!slices.ContainsFunc(c.Players, func(p configs.Player) bool { return p.Text() == r.player }) {
				continue
			}
			if all == nil {
				if all, err = reader.Comparisons(ctx, run.ID); err != nil {
					return err
				}
			}
			r.contest(run, c, all)
		}
	}
	return nil
}

// contest adds the last question of a stored comparison.
func (r *Report) contest(run results.Run, c *configs.Contest, all []experiments.Comparison) {
	last := 0
	for _, one := range all {
		last = max(last, one.Look)
	}
	for _, one := range all {
		known := min(one.Candidate, one.Baseline) >= 0 && max(one.Candidate, one.Baseline) < len(c.Players)
		if known && one.Look == last && one.Objective == r.Unit.Objective.String() {
			g := newGain(r.Unit, summary.Gain{Comparison: one})
			g.keys = [2]string{c.Players[one.Candidate].Text(), c.Players[one.Baseline].Text()}
			g.played += ", run " + run.Name
			r.contests = append(r.contests, g)
		}
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
				t.Notes = []string{"Changes over " + first.Name + " are judged together with all pairs of runs, by Holm's method."}
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

// severalWeights has the champions' weights that differ.
func severalWeights(reports []Report) Table {
	return differences("weight", "Weights that differ", reports, func(r Report) map[string]string {
		values := map[string]string{}
		for _, w := range r.Weights.Rows {
			if w.Champion != nil {
				values[w.Name] = weight(*w.Champion)
			}
		}
		return values
	})
}

// severalSettings has the keys of the configs that differ.
func severalSettings(reports []Report) Table {
	return differences("setting", "Settings that differ", reports, func(r Report) map[string]string {
		if r.Kind.HasChampion() {
			return configs.Settings([]byte(r.Run.ConfigYAML))
		}
		return nil
	})
}

// differences has a row for each name whose values differ between the runs that have values.
func differences(what, title string, reports []Report, of func(Report) map[string]string) Table {
	t := Table{Section: "several", Title: title, Columns: []Column{{Name: what}}}
	var all []map[string]string
	names := map[string]bool{} // whether their values differ
	for _, r := range reports {
		if values := of(r); len(values) > 0 {
			all, t.Columns = append(all, values), append(t.Columns, Column{Name: r.Name, Number: what == "weight"})
		}
	}
	for _, values := range all {
		for name := range values {
			names[name] = names[name] || slices.ContainsFunc(all, func(other map[string]string) bool { return other[name] != values[name] })
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if names[name] {
			row := []string{name}
			for _, values := range all {
				row = append(row, values[name])
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}
