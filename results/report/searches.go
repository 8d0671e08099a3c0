package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tune2048/experiments"
	"tune2048/experiments/summary"
)

// Searches is how independent searches ended: runs whose configs differ in their seeds alone. The
// interval of a champion covers the luck of games. The luck of the search is how far apart the
// champions are.
type Searches struct {
	Verdict string   `json:"verdict"` // agree, differ, unknown
	Lead    string   `json:"lead"`    // three searches ended at 41,210, 40,790 and 29,100: they differ
	Text    []string `json:"text"`    // sentences: which champion is best, and what follows
	Best    string   `json:"best"`    // the run whose champion has the highest fitness on fresh games
	Table   Table    `json:"-"`       // a row for each run: its own validation, and the fresh games
}

// Verdicts on searches.
const (
	searchesAgree  = "agree"
	searchesDiffer = "differ"
)

// agreeWithin is how far apart the champions of searches that agree may be, as a share: no two are
// found different, and the intervals of all ratios lie within it. A comparison that looks for a
// difference of 5% usually ends with an interval of 5% to 8% if the players are equal.
const agreeWithin = 0.08

// MostSearches is how many runs NewSearches judges, at most.
const MostSearches = 10

// NewSearches judges finished runs by the comparisons of their champions, one for each search of
// the validation. There is none if all champions are the same player.
func NewSearches(runs, fresh []Report) Searches {
	s := Searches{Verdict: searchesAgree, Best: runs[0].Name}
	widest := 0.0
	for _, r := range fresh {
		at := ""
		if len(fresh) > 1 {
			at = " at " + r.lastSearch()
		}
		s.Text = append(s.Text, sentence("on fresh games"+at+" "+r.Headline.Text))
		for _, g := range r.HeldOut.Gains {
			switch {
			case g.Verdict == experiments.Better || g.Verdict == experiments.Worse:
				s.Verdict = searchesDiffer
			case g.Verdict == experiments.SameGames:
				widest = max(widest, 3/float64(g.games)) // the rule of three, as in words
			case g.Ratio == nil || !g.Ratio.Interval.Bounded():
				widest = math.Inf(1)
			default:
				widest = max(widest, g.Ratio.Interval.High-1, 1-g.Ratio.Interval.Low)
			}
		}
	}
	verdict, within := "they agree", "no two champions differ by more than "+upTo(widest)+", with 95%"
	switch {
	case s.Verdict == searchesDiffer:
		verdict = "they differ"
		s.Text = append(s.Text,
			"The luck of the search is larger than the luck of games: other seeds may find better weights.")
	case widest > agreeWithin:
		s.Verdict, verdict = verdictUnknown, "whether they agree is not known"
		s.Text = append(s.Text, fmt.Sprintf("No two champions are known to differ, but some may differ by more than %v%%.",
			100*agreeWithin))
	default:
		if len(fresh) == 0 {
			within = "their champions are the same"
		}
		next := "More tuning would hardly help."
		if slices.ContainsFunc(runs, func(r Report) bool { return !r.Convergence.stopped }) {
			next = "Not all of them are known to have stopped improving, so more tuning may help."
		}
		s.Text = append(s.Text, "The searches agree: "+within+".", next)
	}
	s.Lead = s.ended(runs, fresh) + ": " + verdict
	return s
}

// ended fills in the table and the best run. It returns where the searches ended, in words.
func (s *Searches) ended(runs, fresh []Report) string {
	first, search := runs[0], runs[0].lastSearch()
	played := map[string]float64{} // fitness, by the name of the run
	for _, r := range fresh {
		for _, p := range r.HeldOut.Players {
			if p.Search == search {
				played[p.Name] = p.Fitness.Value
			}
		}
	}
	var figures []float64
	for _, r := range runs {
		games, mean, interval, met := "", "", "", ""
		for _, p := range r.HeldOut.Players {
			if p.Role == summary.Champion && p.Search == search {
				games, mean, interval = Grouped(int64(p.Games)), r.Unit.Figure(p.Fitness.Value),
					r.Unit.Interval(p.Fitness.Interval)
			}
		}
		// it played for both
		same := slices.IndexFunc(runs, func(other Report) bool { return other.player == r.player })
		if x, ok := played[runs[same].Name]; ok {
			met = r.Unit.Figure(x)
			figures = append(figures, x)
			if x > played[s.Best] {
				s.Best = r.Name
			}
		}
		s.Table.add([]cell{worded("held-out, "+search, r.Name), numeric("seed", strconv.FormatUint(r.Run.Seed, 10)),
			numeric("games", games),
			numeric(first.Unit.Title, mean), numeric("95% interval", interval), numeric("on fresh games", met)})
	}
	return endedAt(first.Unit, len(runs), figures)
}

// endedAt says where searches ended: "three searches ended at 41,210, 40,790 and 29,100".
// Without figures they all have the same weights.
func endedAt(u Unit, searches int, figures []float64) string {
	text := strconv.Itoa(searches)
	if words := strings.Fields("no one two three four five six seven eight nine ten"); searches < len(words) {
		text = words[searches]
	}
	text += " searches ended at "
	if len(figures) == 0 {
		return text + "the same weights"
	}
	var texts []string
	for _, x := range figures {
		texts = append(texts, u.Figure(x))
	}
	last := len(texts) - 1
	return text + strings.TrimPrefix(strings.Join(texts[:last], ", ")+" and "+texts[last], " and ")
}

// lastSearch is the search of the report's answer, the last one. It is empty without games.
func (r Report) lastSearch() string {
	if n := len(r.HeldOut.Players); n > 0 {
		return r.HeldOut.Players[n-1].Search
	}
	return ""
}
