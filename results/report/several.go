package report

import (
	"cmp"
	"context"
	"fmt"
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
		if !slices.ContainsFunc(reports, func(r Report) bool { return !r.Kind.HasPlayers() }) {
			s.Lead = fmt.Sprintf("%d comparisons side by side", len(reports))
		}
		return
	}
	search := searches[len(searches)-1]
	if players := reports[0].HeldOut.Players; len(players) > 0 && slices.Contains(searches, players[len(players)-1].Search) {
		search = players[len(players)-1].Search
	}
	var order []int // of the runs, the highest mean first
	for i, r := range reports {
		if _, ok := r.champion[search]; ok {
			order = append(order, i)
		}
	}
	mean := func(i int) float64 { return reports[i].champion[search].Fitness.Mean }
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(mean(y), mean(x)) })
	meet := func(i, j int) meeting {
		return meet(reports[i], reports[j], search, find(search, max(i, j), min(i, j)), i < j)
	}
	best := order[0]
	if at := slices.IndexFunc(order, func(i int) bool { // nobody is better
		return !slices.ContainsFunc(order, func(j int) bool { return j != i && meet(j, i).Verdict == experiments.Better })
	}); at >= 0 {
		best = order[at]
	}
	order = slices.DeleteFunc(order, func(i int) bool { return i == best })
	first, next := reports[best], reports[order[0]]
	b, closest, better := builder{unit: first.Unit}, meet(best, order[0]), true
	names := []string{results.ShellWord(first.Name)}
	for _, i := range order {
		verdict := meet(best, i).Verdict
		better = better && verdict == experiments.Better
		if verdict == experiments.Undecided {
			names = append(names, results.ShellWord(reports[i].Name))
		}
	}
	if better {
		h := headline(verdictBetter, first.Name+" is better than "+next.Name, b.by(closest.gainRow), b.sure(closest.gainRow), closest.where)
		s.Lead, s.Sure = h.Lead, h.Sure
		return
	}
	if closest.where != "" {
		s.Sure = sentence(b.between(closest.gainRow) + " (" + first.Name + " over " + next.Name + "), " + closest.where)
	}
	s.Lead = "These games cannot tell which is better"
	if len(names) > 1 {
		s.Command = "tune compare" + first.database + " " + strings.Join(names, " ")
	} else if len(order) == 1 {
		s.Lead = capital(closest.text)
	}
}

// contest is a comparison of the champion with another player that tune compare has stored.
type contest struct {
	experiments.Comparison
	run     string    // name
	players [2]string // canonical texts of the candidate and the baseline
}

// meeting is how the champion of one run compares with the champion of another.
type meeting struct {
	gainRow
	where string // the games: 300 held-out games, depth 3
	text  string // the verdict of a stored comparison in words
}

// meet compares the champions of two runs by their held-out games. Where these cannot tell, a
// stored comparison that decided does. held is of the second champion over the first if turned. It
// is nil if their held-out games are not compared.
func meet(one, other Report, search string, held *experiments.Comparison, turned bool) meeting {
	if held == nil {
		return meeting{gainRow: gainRow{Verdict: experiments.Undecided}}
	}
	m := meeting{where: fmt.Sprintf("%s, %s", count(int64(one.champion[search].Fitness.N), "held-out game"), search)}
	over := func(c experiments.Comparison, turned bool) gainRow {
		if turned {
			return newGainRow(c, other.Name, one.Name, "").reversed()
		}
		return newGainRow(c, one.Name, other.Name, "")
	}
	m.gainRow = over(*held, turned)
	if m.Verdict != experiments.NoDifference {
		return m
	}
	m.Verdict = experiments.Undecided
	for _, c := range one.contests {
		turned := c.players == [2]string{other.player, one.player}
		if c.Search != search || c.Verdict == experiments.Undecided || !turned && c.players != [2]string{one.player, other.player} {
			continue
		}
		where := fmt.Sprintf("%s each, %s, run %s", count(int64(c.Games), "fresh game"), search, c.run)
		return meeting{over(c.Comparison, turned), where, pairText(one.Name, other.Name, c.Comparison)}
	}
	return m
}

// contests reads the stored comparisons of the champion with other players, the newest first, for a
// page of several runs. Of each it takes the last question.
func (b *builder) contests(ctx context.Context) error {
	champion, ok := b.candidates[b.run.Champion]
	if b.config == nil || !ok {
		return nil
	}
	weights := map[string]float64{}
	for _, w := range champion.Weights {
		weights[w.Name] = w.Value
	}
	values, err := b.config.Vector(weights)
	if err != nil {
		return nil // somebody changed its weights: nobody can have compared it
	}
	b.report.player = configs.NewPlayer("", b.config.Family, values, champion.Dead).Text()
	runs, err := b.Contests(ctx)
	if err != nil {
		return err
	}
	for _, run := range runs {
		c, err := configs.ParseComparison([]byte(run.ConfigYAML), "run "+run.Name)
		if err != nil || run.Signature != b.run.Signature || c.Rules != b.config.Rules ||
			!slices.ContainsFunc(c.Players, func(p configs.Player) bool { return p.Text() == b.report.player }) {
			continue // another program's, or others' games
		}
		all, err := b.Comparisons(ctx, run.ID)
		if err != nil {
			return err
		}
		look := 0
		for _, one := range all {
			look = max(look, one.Look)
		}
		for _, one := range all {
			known := min(one.Candidate, one.Baseline) >= 0 && max(one.Candidate, one.Baseline) < len(c.Players)
			if known && one.Look == look && one.Objective == b.unit.Objective.String() {
				players := [2]string{c.Players[one.Candidate].Text(), c.Players[one.Baseline].Text()}
				b.report.contests = append(b.report.contests, contest{one, run.Name, players})
			}
		}
	}
	return nil
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
		if c, err := r.Run.Config(); err == nil && r.Kind.HasChampion() {
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
