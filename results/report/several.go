package report

import (
	"fmt"
	"slices"
	"strings"

	"tune2048/experiments"
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

// pair is two runs at a search.
type pair struct{ run, over int }

// newSeveral compares runs. The page has one of them only if there are at least two.
func newSeveral(reports []Report) (s several) {
	var all []experiments.Comparison
	var pairs []pair
	searches := sharedSearches(reports)
	for _, search := range searches {
		for run, r := range reports {
			for over, other := range reports[:run] {
				a, ok := r.champion[search]
				b, also := other.champion[search]
				if ok && also && r.Unit.Objective == other.Unit.Objective {
					all, pairs = append(all, experiments.Against(r.Unit.Objective, a, b)), append(pairs, pair{run, over})
				}
			}
		}
	}
	experiments.JudgeTogether(all, 1-experiments.Confidence)
	find := func(search string, run, over int) *experiments.Comparison {
		for i := range all {
			if all[i].Search == search && pairs[i] == (pair{run, over}) {
				return &all[i]
			}
		}
		return nil
	}
	s.verdict(reports, searches, find)
	s.Tables = []Table{severalTable(reports, find), severalWeights(reports), severalSettings(reports)}
	s.Tables = slices.DeleteFunc(s.Tables, func(t Table) bool { return len(t.Rows) == 0 })
	return s
}

// sharedSearches returns the searches at which at least two champions are validated, in the order
// of the runs.
func sharedSearches(reports []Report) (searches []string) {
	seen := map[string]int{}
	for _, r := range reports {
		for _, p := range r.HeldOut.Players {
			if _, ok := r.champion[p.Search]; ok && p.Role == roleChampion {
				if seen[p.Search]++; seen[p.Search] == 2 {
					searches = append(searches, p.Search)
				}
			}
		}
	}
	return searches
}

// verdict says which run is better at the search of the first run's answer, or at the last search
// that is shared.
func (s *several) verdict(reports []Report, searches []string, find func(string, int, int) *experiments.Comparison) {
	if len(searches) == 0 {
		s.Lead = "These runs have no held-out games at the same search"
		if !slices.ContainsFunc(reports, func(r Report) bool { return r.Kind != experiments.KindCompare }) {
			s.Lead = fmt.Sprintf("%d comparisons side by side", len(reports))
		}
		return
	}
	search := searches[len(searches)-1]
	if players := reports[0].HeldOut.Players; len(players) > 0 && slices.Contains(searches, players[len(players)-1].Search) {
		search = players[len(players)-1].Search
	}
	best := -1
	for i, r := range reports {
		if e, ok := r.champion[search]; ok && (best < 0 || e.Fitness.Mean > reports[best].champion[search].Fitness.Mean) {
			best = i
		}
	}
	var unbeaten []int
	next := -1
	for i, r := range reports {
		if _, ok := r.champion[search]; !ok || i == best {
			continue
		}
		c, wanted := find(search, max(i, best), min(i, best)), experiments.Better
		if i > best {
			wanted = experiments.Worse
		}
		if c == nil || c.Verdict != wanted {
			unbeaten = append(unbeaten, i)
		}
		if next < 0 || r.champion[search].Fitness.Mean > reports[next].champion[search].Fitness.Mean {
			next = i
		}
	}
	first := reports[best]
	b := builder{unit: first.Unit}
	if c := find(search, max(next, best), min(next, best)); c != nil && next >= 0 {
		g := newGainRow(*c, reports[max(next, best)].Name, reports[min(next, best)].Name, "")
		if g.Player != first.Name {
			g = g.reversed()
		}
		games := fmt.Sprintf("%s, %s", count(int64(first.champion[search].Fitness.N), "held-out game"), search)
		if len(unbeaten) == 0 {
			h := headline(verdictBetter, first.Name+" is better than "+reports[next].Name, b.by(g), b.sure(g), games)
			s.Lead, s.Sure = h.Lead, h.Sure
			return
		}
		s.Sure = sentence(b.between(g) + " (" + first.Name + " over " + reports[next].Name + "), " + games)
	}
	s.Lead = "These games cannot tell which is better"
	names := []string{results.ShellWord(first.Name)}
	for _, i := range unbeaten {
		names = append(names, results.ShellWord(reports[i].Name))
	}
	s.Command = "tune compare" + first.database + " " + strings.Join(names, " ")
}

// severalTable has a row for each run and search.
func severalTable(reports []Report, find func(string, int, int) *experiments.Comparison) Table {
	t := Table{
		Section: "several", Title: "Held-out games",
		Columns: append(columns(false, "run", "search"), columns(true, "games", reports[0].Unit.Title, "95% interval", "over its start", "over "+reports[0].Name)...),
		Notes:   []string{"Changes over " + reports[0].Name + " are judged together with all pairs of runs, by Holm's method."},
	}
	for i, r := range reports {
		b := builder{unit: r.Unit}
		for _, p := range r.HeldOut.Players {
			if p.Role != roleChampion && p.Role != rolePlayer {
				continue
			}
			name, over, before := r.Name, "", ""
			if p.Role == rolePlayer {
				name += ": " + p.Name
			}
			for _, g := range r.HeldOut.Gains {
				if g.Search == p.Search && g.Over == startName {
					before = b.changed(g)
				}
			}
			if c := find(p.Search, i, 0); i > 0 && c != nil {
				g := newGainRow(*c, r.Name, reports[0].Name, "")
				if over = b.changed(g); c.Verdict == experiments.NoDifference {
					over += ": not known to differ"
				}
			}
			t.Rows = append(t.Rows, []string{name, p.Search, Grouped(int64(p.Games)), r.Unit.Figure(p.Fitness.Value), r.Unit.Interval(p.Fitness.Interval), before, over})
		}
	}
	return t
}

// severalWeights has the champions' weights that differ.
func severalWeights(reports []Report) Table {
	return differences("weight", "Weights that differ", reports, func(r Report) (names []string, values map[string]string) {
		values = map[string]string{}
		for _, w := range r.Weights.Rows {
			if w.Champion != nil {
				names, values[w.Name] = append(names, w.Name), weight(*w.Champion)
			}
		}
		return names, values
	})
}

// severalSettings has the keys of the configs that differ.
func severalSettings(reports []Report) Table {
	return differences("setting", "Settings that differ", reports, func(r Report) (names []string, values map[string]string) {
		if c, err := r.Run.Config(); err == nil && r.Kind == experiments.KindTune {
			values = c.Settings()
		}
		for name := range values {
			names = append(names, name)
		}
		slices.Sort(names)
		return names, values
	})
}

// differences has a row for each name whose values differ between the runs that have values.
func differences(what, title string, reports []Report, of func(Report) ([]string, map[string]string)) Table {
	t := Table{Section: "several", Title: title, Columns: columns(false, what)}
	var names []string
	var all []map[string]string
	for _, r := range reports {
		own, values := of(r)
		if len(values) == 0 {
			continue
		}
		all, t.Columns = append(all, values), append(t.Columns, Column{Name: r.Name, Number: what == "weight"})
		for _, name := range own {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	for _, name := range names {
		row, differ := []string{name}, false
		for _, values := range all {
			row = append(row, values[name])
			differ = differ || values[name] != all[0][name]
		}
		if differ {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}
