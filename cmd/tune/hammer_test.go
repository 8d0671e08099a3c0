package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/results"
)

// hammered are two experiments, with most of their games at depth 3 as in the shipped configs, in a second or two on an idle
// machine: name, seed, largest weight, games of the playoff, games held out.
const hammered = `
name: %s
seed: %d
heuristic:
  features:
    - {feature: line, weight: 1000}
    - {feature: empty, weight: {min: 0, max: %d, start: 270}}
    - {feature: merges, weight: {min: 1, max: 5000, start: 700, scale: log}}
search: {depth: 1}
optimizer: {population: 8}
stages:
  - {name: explore, generations: 8, games: 8, rounds: 2}
  - {name: refine, search: {depth: 2}, generations: 4, games: 4}
playoff: {finalists: 4, games: %d, rounds: 4, search: {depth: 3}}
validation: {games: %d, search: [{depth: 1}, {depth: 3}]}
sensitivity: {games: 100}
`

// hammerTime is how long the two experiments are repeated, each time with another seed. TUNE_HAMMER=10m asks for more
// than what a usual test run has time for: one pass.
func hammerTime(t *testing.T) time.Duration {
	text := os.Getenv("TUNE_HAMMER")
	if text == "" {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("TUNE_HAMMER: want a time such as 10m, got %q", text)
	}
	return d
}

// TestTwoProcessesAndReaders: two experiments run into one database at once while four readers look at it, two of this
// project's and two sqlite3 shells. Nobody ever finds the database locked, both experiments finish, and what they found
// is what each of them finds alone. It logs what the readers cost: asked for longer, it runs the experiments alone, with
// readers who look once a second, and with readers who look without a break, in turn.
//
// A shell waits for as long as this project's readers do. One that does not wait at all may find the file locked for
// the instant in which another program that may write closes it: SQLite looks whether it is the last one. Two such shells
// in a loop over a file that nobody works on do so in 1 of 100 looks. Those who look once a second look like that.
func TestTwoProcessesAndReaders(t *testing.T) {
	long := hammerTime(t)
	h := hammer{t: t, folder: t.TempDir(), playoff: 40, heldOut: 60}
	if long > 0 {
		h.playoff, h.heldOut = 400, 800
	}
	if _, err := exec.LookPath("sqlite3"); err == nil {
		h.shell = true
	}
	var withReaders, cpu stats.Moments // logarithms of ratios to the same games alone
	began := time.Now()
	for pass := 0; pass == 0 || time.Since(began) < long; pass++ {
		h.seed = uint64(2048 + pass)
		var spent [3]spending
		order := []audience{nobody, everySecond, always}
		if long == 0 {
			order = []audience{nobody, always}
		}
		for i := range order {
			a := order[(i+pass)%len(order)] // machines are noisy: none is always the first
			spent[a] = h.pass(a)
		}
		h.compare()
		if long > 0 {
			withReaders.Add(math.Log(spent[everySecond].wall.Seconds() / spent[nobody].wall.Seconds()))
			cpu.Add(math.Log(spent[everySecond].cpu.Seconds() / spent[nobody].cpu.Seconds()))
			t.Logf("pass %d: %d games; alone %s; read once a second %s; read without a break %s", pass, h.games, spent[nobody], spent[everySecond], spent[always])
		}
	}
	h.check()
	t.Logf("%d runs of %d games in all, %d looks by this project's readers and %d by shells; nobody who waits found it locked, who does not did %d times",
		h.runs, h.allGames, h.looks[0], h.looks[1], h.collisions.Load())
	if withReaders.N > 1 {
		percent := func(m stats.Moments) string {
			return fmt.Sprintf("%+.2f%% ± %.2f%%", 100*(math.Exp(m.Mean)-1), 100*1.96*m.SE())
		}
		t.Logf("with four readers who look once a second, paired over %d passes: time %s, CPU time of the runs %s; the readers themselves took %.2f%% of %d processors",
			withReaders.N, percent(withReaders), percent(cpu), 100*h.readers.Seconds()/h.watched.Seconds()/float64(runtime.NumCPU()), runtime.NumCPU())
	}
}

// audience is who looks at the database meanwhile.
type audience int

const (
	nobody audience = iota // and each run has a database of its own
	everySecond
	always
)

// spending is what a pass took.
type spending struct{ wall, cpu time.Duration }

func (s spending) String() string {
	return fmt.Sprintf("%.2f s, %.2f s of CPU", s.wall.Seconds(), s.cpu.Seconds())
}

type hammer struct {
	t                *testing.T
	folder           string
	seed             uint64
	playoff, heldOut int
	shell            bool // whether there is one

	alone, shared    [2]string // fingerprints of the pass
	games, allGames  int64
	runs             int
	looks            [2]int64      // by readers of this project, by shells
	readers, watched time.Duration // CPU time of readers who look once a second, and how long they did
	collisions       atomic.Int64  // of shells that do not wait
}

var hammerNames = [2]string{"anvil", "horseshoe"}

// database is where a run of the pass goes. Passes with the same readers share one; two would take games from each other.
func (h *hammer) database(a audience, i int) string {
	if a == nobody {
		return filepath.Join(h.folder, fmt.Sprintf("alone-%d-%d", h.seed, i), "tune.db")
	}
	return filepath.Join(h.folder, fmt.Sprint("shared-", a), "tune.db")
}

// pass runs both experiments at once.
func (h *hammer) pass(a audience) spending {
	h.t.Helper()
	began := time.Now()
	var all [2]*process
	for i, name := range hammerNames {
		config := filepath.Join(h.folder, name+".yaml")
		if err := os.WriteFile(config, fmt.Appendf(nil, hammered, name, 1000*h.seed+uint64(i), 3000+1000*i, h.playoff, h.heldOut), 0o644); err != nil {
			h.t.Fatal(err)
		}
		all[i] = start(h.t, h.folder, "-config", config, "-db", h.database(a, i))
	}
	var (
		group sync.WaitGroup
		done  = make(chan struct{})
		looks [4]int64
		cpu   [4]time.Duration
		fails [4]error
	)
	before := cpuTime()
	if a != nobody {
		for i := range looks {
			group.Go(func() { looks[i], cpu[i], fails[i] = h.reader(i, a, done) })
		}
	}
	for i, p := range all {
		code, stderr := p.end(h.t)
		if code != exitOK || strings.Contains(stderr, "locked") || strings.Contains(stderr, "busy") {
			h.t.Errorf("%s: exit code %d, stderr:\n%s", hammerNames[i], code, stderr)
		}
	}
	spent := spending{wall: time.Since(began)}
	close(done)
	group.Wait()
	for i, err := range fails {
		if err != nil {
			h.t.Errorf("reader %d: %v", i, err)
		}
		by := 0
		if i%2 == 1 && h.shell {
			by = 1
		}
		h.looks[by] += looks[i]
	}
	if a == everySecond {
		h.watched += spent.wall
		h.readers += cpuTime() - before + cpu[0] + cpu[1] + cpu[2] + cpu[3]
	}
	h.games = 0
	for i, p := range all {
		spent.cpu += p.ProcessState.UserTime() + p.ProcessState.SystemTime()
		sum, games := h.newest(a, i)
		if a == nobody {
			h.alone[i] = sum
		} else if h.shared[i] != "" && h.shared[i] != sum {
			h.t.Errorf("%s with seed %d has the fingerprint %s, then %s", hammerNames[i], h.seed, h.shared[i], sum)
		} else {
			h.shared[i] = sum
		}
		h.games += games
		h.allGames += games
		h.runs++
	}
	if h.t.Failed() {
		h.t.FailNow()
	}
	return spent
}

// newest returns the fingerprint and the games of the newest run of a name.
func (h *hammer) newest(a audience, i int) (sum string, games int64) {
	h.t.Helper()
	reader, err := results.OpenReader(h.database(a, i))
	if err != nil {
		h.t.Fatal(err)
	}
	defer reader.Close()
	runs, err := reader.Runs(context.Background())
	if err != nil {
		h.t.Fatal(err)
	}
	for _, r := range runs {
		if r.BaseName == hammerNames[i] {
			if r.Status != experiments.Finished || r.Fingerprint == "" {
				h.t.Errorf("run %s is %s", r.Name, r.Status)
			}
			return r.Fingerprint, r.Games
		}
	}
	h.t.Fatalf("there is no run %s", hammerNames[i])
	return "", 0
}

// compare fails unless both runs of the pass found what they find alone.
func (h *hammer) compare() {
	h.t.Helper()
	for i, name := range hammerNames {
		if h.alone[i] != h.shared[i] {
			h.t.Errorf("%s with seed %d has the fingerprint %s beside another run, %s alone", name, h.seed, h.shared[i], h.alone[i])
		}
		h.shared[i] = ""
		os.RemoveAll(filepath.Dir(h.database(nobody, i)))
	}
}

// check fails unless the database is whole and its newest run plays again as it is stored.
func (h *hammer) check() {
	h.t.Helper()
	database := h.database(always, 0)
	p := start(h.t, h.folder, "query", "-csv", "-db", database, "-sql", "PRAGMA integrity_check")
	if code, stderr := p.end(h.t); code != exitOK || p.stdout.String() != "integrity_check\nok\n" {
		h.t.Errorf("exit code %d: %s%s", code, &p.stdout, stderr)
	}
	if code, stderr := start(h.t, h.folder, "verify", "-db", database, "-games", "100").end(h.t); code != exitOK {
		h.t.Errorf("verify: exit code %d: %s", code, stderr)
	}
}

// looksAt are the queries of people and pages who look at a run that is going on.
func looksAt(name string) []string {
	return []string{
		"SELECT * FROM leaderboard LIMIT 5",
		"SELECT * FROM champions WHERE run = '" + name + "'",
		"SELECT * FROM convergence WHERE run = '" + name + "'",
		"SELECT * FROM tile_rates WHERE run = '" + name + "' AND phase = 'validation'",
	}
}

// reader looks until it is told that the runs are done, and returns how often, and the CPU time of the processes that it
// started. Even ones are this project's readers, one of which keeps the database open; odd ones are shells.
func (h *hammer) reader(i int, a audience, done <-chan struct{}) (looks int64, cpu time.Duration, err error) {
	var reader *results.Reader
	defer func() {
		if reader != nil {
			err = errors.Join(err, reader.Close())
		}
	}()
	pause := time.NewTicker(time.Second)
	defer pause.Stop()
	for {
		select {
		case <-done:
			return looks, cpu, err
		default:
		}
		if reader == nil {
			if reader, err = openWhenThere(h.database(a, 0)); err != nil {
				return looks, cpu, err
			}
		}
		if reader != nil { // the file is there
			queries := looksAt(hammerNames[i/2])
			if a == everySecond { // one after the other
				queries = queries[looks%int64(len(queries)):][:1]
			}
			if i%2 == 1 && h.shell {
				used, err := h.ask(queries, a)
				if cpu += used; err != nil {
					return looks, cpu, err
				}
			} else {
				for _, q := range queries {
					if err := reader.Query(context.Background(), q, func([]string) error { return nil }, func([]any) error { return nil }); err != nil {
						return looks, cpu, err
					}
				}
			}
			if looks += int64(len(queries)); i > 0 { // the first one keeps it open, the last one may be the last to close it
				if err := reader.Close(); err != nil {
					return looks, cpu, err
				}
				reader = nil
			}
		}
		if a == everySecond {
			select {
			case <-pause.C:
			case <-done:
			}
		}
	}
}

// openWhenThere opens the database for reading, or returns nil while the runs are creating it.
func openWhenThere(path string) (*results.Reader, error) {
	reader, err := results.OpenReader(path)
	if errors.Is(err, fs.ErrNotExist) || err != nil && (strings.Contains(err.Error(), "it is empty") || strings.Contains(err.Error(), "its version is")) {
		return nil, nil
	}
	return reader, err
}

// ask starts a shell for each query: once a second as the README shows it, without a break as a script should.
func (h *hammer) ask(queries []string, a audience) (cpu time.Duration, err error) {
	for _, q := range queries {
		impatient := a == everySecond
		for {
			arguments := []string{h.database(a, 0), q}
			if !impatient {
				arguments = append([]string{"-cmd", ".timeout 10000"}, arguments...)
			}
			shell := exec.Command("sqlite3", arguments...)
			var stderr strings.Builder
			shell.Stdout, shell.Stderr = io.Discard, &stderr
			err := shell.Run()
			cpu += shell.ProcessState.UserTime() + shell.ProcessState.SystemTime()
			if err == nil {
				break
			}
			if !impatient || !strings.Contains(stderr.String(), "locked") {
				return cpu, fmt.Errorf("sqlite3: %s: %w: %s", q, err, &stderr)
			}
			impatient = false
			h.collisions.Add(1)
		}
	}
	return cpu, nil
}
