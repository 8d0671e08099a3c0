package report

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tune2048/configs"
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
	var all []experiments.Comparison
	var of [][2]Report
	for i, r := range reports {
		for _, over := range reports[:i] {
			for _, p := range r.HeldOut.Players {
				a, ok := r.champion[p.Search]
				b, also := over.champion[p.Search]
				if p.Role == roleChampion && ok && also && r.Unit.Objective == over.Unit.Objective {
					all, of = append(all, experiments.Against(r.Unit.Objective, a, b)), append(of, [2]Report{r, over})
				}
			}
		}
	}
	experiments.JudgeTogether(all, 1-experiments.Confidence)
	for i, c := range all {
		gains = append(gains, newGain(of[i][0].Unit, c, of[i][0].Name, of[i][1].Name))
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
	byRun, players, all := map[string]Report{}, []figures{}, []gainRow{}
	for _, r := range reports {
		if e, ok := r.champion[search]; ok && r.Unit.Objective == objective {
			byRun[r.Name] = r
			players = append(players, figures{Name: r.Name, Search: search, Fitness: estimate{Value: e.Fitness.Mean}})
		}
	}
	for _, g := range gains {
		if g.Verdict == experiments.NoDifference {
			g.Verdict = experiments.Undecided
			one, over := byRun[g.Player], byRun[g.Over]
			decided := slices.DeleteFunc(slices.Clone(one.contests), func(c gainRow) bool { return c.Verdict == experiments.Undecided })
			if stored, found := versus(decided, one.player, over.player, g.Search); found {
				if stored.Player, stored.Over = g.Player, g.Over; stored.Verdict == experiments.NoDifference {
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

// contests reads the stored comparisons of the champion with other players, which are canonical
// texts, the newest first, for a page of several runs. Of each it takes the last question.
func (b *builder) contests(ctx context.Context) error {
	champion, ok := b.candidates[b.run.Champion]
	if b.config == nil || !ok {
		return nil
	}
	values, err := b.config.Vector(byName(champion.Weights))
	if err != nil {
		return nil // somebody changed its weights: nobody can have compared it
	}
	b.report.player = configs.NewPlayer("", b.config.Family, values, champion.Dead).Text()
	runs, err := b.Contests(ctx)
	if err != nil {
		return err
	}
	for _, run := range runs {
		c, err := configs.ParseContest([]byte(run.ConfigYAML), "run "+run.Name)
		if err != nil || run.Signature != b.run.Signature || c.Rules != b.config.Rules ||
			!slices.ContainsFunc(c.Players, func(p configs.Player) bool { return p.Text() == b.report.player }) {
			continue // another program's, or others' games
		}
		all, err := b.Comparisons(ctx, run.ID)
		if err != nil {
			return err
		}
		for _, one := range all {
			known := min(one.Candidate, one.Baseline) >= 0 && max(one.Candidate, one.Baseline) < len(c.Players)
			if known && one.Look == lastLook(all) && one.Objective == b.unit.Objective.String() {
				g := newGain(b.unit, one, c.Players[one.Candidate].Text(), c.Players[one.Baseline].Text())
				g.played += ", run " + run.Name
				b.report.contests = append(b.report.contests, g)
			}
		}
	}
	return nil
}

// severalTable has a row for each run or player and search.
func severalTable(reports []Report, gains []gainRow) Table {
	first, games, scored, mixed := reports[0], "", false, false
	for _, r := range reports {
		scored, mixed = scored || r.scored(), mixed || r.Unit.Objective != first.Unit.Objective
		if fresh := r.Fresh(); games == "" {
			games = fresh
		} else if !strings.Contains(games, fresh) {
			games += " and " + fresh
		}
	}
	t := Table{Section: "several", Title: capital(games) + " games"}
	for i, r := range reports {
		for _, p := range r.HeldOut.Players {
			if p.Role != roleChampion && p.Role != rolePlayer {
				continue
			}
			name, over, before := r.Name, "", ""
			if p.Role == rolePlayer {
				name += ": " + p.Name
			}
			if g, found := versus(r.HeldOut.Gains, championName, startName, p.Search); found {
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
			t.add(slices.Concat([]cell{worded("run", name), worded("search", p.Search)}, p.cells(unit, scored),
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
		if c, err := r.Run.Config(); err == nil && r.Kind.HasChampion() {
			return c.Settings()
		}
		return nil
	})
}

// differences has a row for each name whose values differ between the runs that have values. A
// setting that a config does not have is at its default.
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
				value, set := values[name]
				if !set && what == "setting" {
					value = "default"
				}
				row = append(row, value)
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}
