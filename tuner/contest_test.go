package tuner_test

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tune2048/engine/portable"
	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// contest has the runs of the optimizers.
type contest struct {
	folder string
	runs   map[contestCell][]contestRun // by seed, from 1
	start  map[string]float64           // the start's fitness on fresh games, by problem
	best   map[string]float64           // the best fitness that anything found
	tune   string                       // the program, once it is built
}

// contestCell is a cell of the table.
type contestCell struct {
	problem, algorithm string
	games              int
}

// contestRun is what a run of an optimizer found.
type contestRun struct {
	Weights map[string]float64
	Fitness float64 // on fresh games
	Games   int     // of tuning and playoff, as tune eval counted them
	Tuner   string  // the signature of ours; a rival has none
}

func momentsOf(runs []contestRun) (m stats.Moments) {
	for _, r := range runs {
		m.Add(r.Fitness)
	}
	return m
}

// algorithms are those that played, auto first.
func (c *contest) algorithms() (all []string) {
	for _, name := range optimizers() {
		if name == "auto" || slices.ContainsFunc(slices.Collect(maps.Keys(c.runs)),
			func(k contestCell) bool { return k.algorithm == name }) {
			all = append(all, name)
		}
	}
	return all
}

// rows are the problems and games that were played, games first.
func (c *contest) rows() (rows []contestCell) {
	for k := range c.runs {
		if row := (contestCell{k.problem, "auto", k.games}); !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, func(a, b contestCell) int {
		return cmp.Or(cmp.Compare(a.games, b.games), strings.Compare(a.problem, b.problem))
	})
	return rows
}

// table writes the means of the champions with 95% intervals, a row for each problem and number of
// games. A star follows who is better than auto in a row, and a dagger who is worse: by Welch's
// test after Holm for the whole table.
func (c *contest) table() string {
	columns, rows := c.algorithms(), c.rows()
	at := func(row contestCell, algorithm string) stats.Moments {
		return momentsOf(c.runs[contestCell{row.problem, algorithm, row.games}])
	}
	var p []float64
	for _, row := range rows {
		for _, algorithm := range columns[1:] {
			p = append(p, stats.MeanP(at(row, algorithm), at(row, "auto"), stats.Pairs{}))
		}
	}
	adjusted := stats.Holm(p)
	var text strings.Builder
	fmt.Fprintf(&text, "| games | problem | %s |\n|---|---%s|\n", strings.Join(columns, " | "),
		strings.Repeat("|---", len(columns)))
	for _, row := range rows {
		fmt.Fprintf(&text, "| %d | %s |", row.games, row.problem)
		auto := at(row, "auto").Mean
		for i, algorithm := range columns {
			m, mark := at(row, algorithm), ""
			if i > 0 {
				if adjusted[0] <= 0.05 {
					mark = map[bool]string{true: "*", false: "†"}[m.Mean > auto]
				}
				adjusted = adjusted[1:]
			}
			if m.N == 0 {
				text.WriteString(" |")
				continue
			}
			scale, i := 1.0, stats.MeanInterval(m, 0.95)
			if m.Mean > 1000 {
				scale = 1000
			}
			fmt.Fprintf(&text, " %.3g%s", m.Mean/scale, mark)
			if m.N > 1 {
				fmt.Fprintf(&text, " [%.3g, %.3g]", i.Low/scale, i.High/scale)
			}
			text.WriteString(" |")
		}
		text.WriteString("\n")
	}
	return text.String()
}

// summary compares auto with each other algorithm at each number of games by the share of the
// possible gain, (champion - start) / (best known - start), in percent. The mean is over problems.
// The interval is of a bootstrap over the seeds, stratified by problem. On a problem auto is not
// behind where the interval of the difference lies above -5, and otherwise behind where it lies
// below 0. The other problems are undecided.
func (c *contest) summary() string {
	shares := func(problem, algorithm string, games int) (list []float64) {
		for _, r := range c.runs[contestCell{problem, algorithm, games}] {
			list = append(list, 100*(r.Fitness-c.start[problem])/(c.best[problem]-c.start[problem]))
		}
		return list
	}
	var text strings.Builder
	text.WriteString("| games | algorithm | problems | seeds | games played | share of the possible gain | `auto` less " +
		"it | without one problem | not behind on | behind on |\n|---|---|---|---|---|---|---|---|---|---|\n")
	var sizes []int
	for _, row := range c.rows() {
		sizes = append(sizes, row.games)
	}
	for _, games := range slices.Compact(sizes) {
		for _, algorithm := range c.algorithms() {
			var ours, its [][]float64
			var names []string
			seeds, least, most := math.MaxInt, math.Inf(1), 0.0
			for _, row := range c.rows() {
				a, b := shares(row.problem, "auto", games), shares(row.problem, algorithm, games)
				if row.games != games || len(a) == 0 || len(b) == 0 {
					continue
				}
				ours, its, names, seeds = append(ours, a), append(its, b), append(names, row.problem), min(seeds, len(a), len(b))
				for _, r := range c.runs[contestCell{row.problem, algorithm, games}] {
					share := 100 * float64(r.Games) / float64(games)
					least, most = min(least, share), max(most, share)
				}
			}
			if len(its) == 0 {
				continue
			}
			fmt.Fprintf(&text, "| %d | %s | %d | %d | %.0f to %.0f%% | %s |", games, algorithm, len(its), seeds, least, most,
				stratified(its, nil))
			if algorithm == "auto" {
				text.WriteString(" | | | |\n")
				continue
			}
			var without []float64
			var notBehind, behind []string
			for i := range its {
				short, _, _ := strings.Cut(names[i], "-")
				switch d := stratified(ours[i:i+1], its[i:i+1]); {
				case d.Low > -5:
					notBehind = append(notBehind, short)
				case d.High < 0:
					behind = append(behind, short)
				}
				if len(its) > 1 {
					others := func(list [][]float64) [][]float64 { return slices.Delete(slices.Clone(list), i, i+1) }
					without = append(without, stratified(others(ours), others(its)).Value)
				}
			}
			fmt.Fprintf(&text, " %s | ", stratified(ours, its))
			if without != nil {
				fmt.Fprintf(&text, "%.1f to %.1f", slices.Min(without), slices.Max(without))
			}
			fmt.Fprintf(&text, " | %s | %s |\n", strings.Join(notBehind, ", "), strings.Join(behind, ", "))
		}
	}
	return text.String()
}

// runsHeader heads the list of runs.
const runsHeader = "problem,algorithm,games,seed,fitness,games played,tuner"

// list writes the runs of all seeds, without the weights.
func (c *contest) list() string {
	lines := []string{runsHeader}
	for _, row := range c.rows() {
		for _, algorithm := range c.algorithms() {
			for i, r := range c.runs[contestCell{row.problem, algorithm, row.games}] {
				lines = append(lines, fmt.Sprintf("%s,%s,%d,%d,%.7g,%d,%s", row.problem, algorithm, row.games, i+1, r.Fitness,
					r.Games, r.Tuner))
			}
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// readRuns reads such a list, if there is one, but for runs by another tuner of ours.
func readRuns(t testing.TB, path string) map[contestCell][]contestRun {
	runs := map[contestCell][]contestRun{}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return runs
	} else if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		games, err := strconv.Atoi(line[2])
		fitness, err2 := strconv.ParseFloat(line[4], 64)
		played, err3 := strconv.Atoi(line[5])
		cell := contestCell{line[0], line[1], games}
		if line[6] != signature(cell.algorithm) {
			continue
		}
		if seed := fmt.Sprint(len(runs[cell]) + 1); errors.Join(err, err2, err3) != nil || line[3] != seed {
			t.Fatalf("%s: %v: want numbers, and seed %s", path, line, seed)
		}
		runs[cell] = append(runs[cell], contestRun{Fitness: fitness, Games: played, Tuner: line[6]})
	}
	return runs
}

// share is a mean share with its 95% interval, or with NaN where there is none.
type share struct{ Value, Low, High float64 }

func (s share) String() string {
	if math.IsNaN(s.Low) {
		return fmt.Sprintf("%.1f", s.Value)
	}
	return fmt.Sprintf("%.1f [%.1f, %.1f]", s.Value, s.Low, s.High)
}

// resamples are the samples of a bootstrap.
const resamples = 10_000

// stratified returns the mean over strata of their means, less the same of others if there are
// some, with the interval between the 2.5% and 97.5% points of a bootstrap that draws from each
// stratum (B. Efron, R. Tibshirani, An Introduction to the Bootstrap, 1993, chapters 8 and 13). It
// draws one value less than the stratum has. So the spread of the means is right for few values,
// too (J. Rao, C. Wu, Resampling Inference With Complex Survey Data, Journal of the American
// Statistical Association 83, 1988). A stratum of one value allows no interval.
func stratified(strata, less [][]float64) share {
	random := portable.NewSource(1)
	mean := func(draw func(list []float64) float64) (sum float64) {
		for i := range strata {
			sum += draw(strata[i]) / float64(len(strata))
			if less != nil {
				sum -= draw(less[i]) / float64(len(strata))
			}
		}
		return sum
	}
	average := func(list []float64) (m float64) {
		for _, x := range list {
			m += x / float64(len(list))
		}
		return m
	}
	alone := func(list []float64) bool { return len(list) < 2 }
	if slices.ContainsFunc(strata, alone) || slices.ContainsFunc(less, alone) {
		return share{mean(average), math.NaN(), math.NaN()}
	}
	all := make([]float64, resamples)
	for i := range all {
		all[i] = mean(func(list []float64) (m float64) {
			draws := len(list) - 1
			for range draws {
				m += list[int(random.Uint64()%uint64(len(list)))] / float64(draws)
			}
			return m
		})
	}
	slices.Sort(all)
	return share{mean(average), all[resamples*25/1000], all[resamples*975/1000-1]}
}

// bestKnown returns the best known fitness of the problems that are kept back.
func bestKnown(t testing.TB) map[string]float64 {
	data, err := os.ReadFile(kept + "/best.md")
	if err != nil {
		t.Fatal(err)
	}
	best := map[string]float64{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(k\\S+)` \\|(?: [^|]*\\|){3} ([0-9.,]+) ").FindAllStringSubmatch(string(data), -1) {
		best[row[1]], err = strconv.ParseFloat(strings.ReplaceAll(row[2], ",", ""), 64)
		if err != nil {
			t.Fatal(err)
		}
	}
	return best
}

// TestBestKnown: each problem that is kept back has a best known fitness. The runs that were played
// are of these problems.
func TestBestKnown(t *testing.T) {
	best := bestKnown(t)
	if len(best) != 12 || best["k01-gradient"] != 5664 || best["k12-pig"] != 0.552 {
		t.Errorf("got %v", best)
	}
	for cell := range readRuns(t, kept+"/runs.csv") {
		if best[cell.problem] == 0 || !slices.Contains(optimizers(), cell.algorithm) {
			t.Errorf("there are runs of %v", cell)
		}
	}
}

// TestStratified: the interval of the mean of strata of very different spread is as wide as theory
// says, on average also of strata of three values. Strata of equal values have a point, and a
// stratum of one value allows no interval.
func TestStratified(t *testing.T) {
	random := portable.NewSource(3)
	strata := make([][]float64, 4)
	variance := 0.0
	for i := range strata {
		var m stats.Moments
		for range 200 {
			x := float64(i) + math.Pow(3, float64(i))*random.Normal()
			strata[i] = append(strata[i], x)
			m.Add(x)
		}
		variance += m.SD() * m.SD() / 200 / 16
	}
	got := stratified(strata, nil)
	if width := (got.High - got.Low) / 2 / (1.96 * math.Sqrt(variance)); width < 0.95 || width > 1.05 {
		t.Errorf("%v: the interval is %.3f times as wide as theory says", got, width)
	}
	var squares stats.Moments
	for range 200 {
		few := make([][]float64, 12)
		for i := range few {
			few[i] = []float64{random.Normal(), random.Normal(), random.Normal()}
		}
		got := stratified(few, nil)
		squares.Add((got.High - got.Low) * (got.High - got.Low) / 4 / (1.96 * 1.96) * 36)
	}
	if width := math.Sqrt(squares.Mean); width < 0.95 || width > 1.05 {
		t.Errorf("intervals of strata of three values are %.3f times as wide as theory says", width)
	}
	if got := stratified([][]float64{{5, 5}, {9, 9}}, [][]float64{{1, 1, 1}, {3, 3}}); got != (share{5, 5, 5}) {
		t.Errorf("got %v, want a difference of 5", got)
	}
	if got := stratified([][]float64{{5, 6}, {9}}, nil).String(); got != "7.2" {
		t.Errorf("got %v, want 7.2 without an interval", got)
	}
}

// TestSummary: shares are of the gain that is possible.
func TestSummary(t *testing.T) {
	runs := func(fitness ...float64) (all []contestRun) {
		for _, f := range fitness {
			all = append(all, contestRun{Fitness: f, Games: 990})
		}
		return all
	}
	c := contest{start: map[string]float64{"a": 10, "b": 0}, best: map[string]float64{"a": 30, "b": 2},
		runs: map[contestCell][]contestRun{
			{"a", "auto", 1000}: runs(20, 20), {"a", "tpe", 1000}: runs(15, 15),
			{"b", "auto", 1000}: runs(1, 1), {"b", "tpe", 1000}: runs(2, 2),
		}}
	want := "| 1000 | auto | 2 | 2 | 99 to 99% | 50.0 [50.0, 50.0] | | | | |\n" +
		"| 1000 | tpe | 2 | 2 | 99 to 99% | 62.5 [62.5, 62.5] | -12.5 [-12.5, -12.5] | -50.0 to 25.0 | a | b |\n"
	if got := c.summary(); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestRunsAreReadBack: a contest goes on from the list of its runs, but for those by another tuner.
func TestRunsAreReadBack(t *testing.T) {
	c := contest{runs: map[contestCell][]contestRun{
		{"a", "auto", 1000}: {{Fitness: 20.25, Games: 990, Tuner: experiments.Tuner},
			{Fitness: 1e6, Games: 1000, Tuner: experiments.Tuner}},
		{"a", "tpe", 2500}:  {{Fitness: 0.5, Games: 2499}},
		{"b", "auto", 2500}: {{Fitness: 3, Games: 2500, Tuner: "another"}},
	}}
	path := filepath.Join(t.TempDir(), "runs.csv")
	if err := os.WriteFile(path, []byte(c.list()), 0o644); err != nil {
		t.Fatal(err)
	}
	delete(c.runs, contestCell{"b", "auto", 2500})
	if got := readRuns(t, path); !reflect.DeepEqual(got, c.runs) {
		t.Errorf("got %v, want %v", got, c.runs)
	}
}
