package bot

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tune2048/engine"
)

var weights = []Weight{{"smooth", 0.1}, {"lookahead", 2}, {"a\"b", 1e-7}}

// testBot returns a bot of bots_test.go, and the file of its process ids. When the test has ended
// no process of its groups may be left.
func testBot(t *testing.T, kind, answers string, arguments ...string) (Program, string) {
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "pids")
	if answers == Games {
		arguments = append(arguments, "games")
	}
	p := Program{Command: append([]string{binary, "bot", kind, file}, arguments...), Answers: answers}
	t.Cleanup(func() { checkGone(t, pids(file)) })
	return p, file
}

func pids(file string) []string {
	text, _ := os.ReadFile(file)
	return strings.Fields(string(text))
}

// playGames plays the games of seeds 1, 2, ...
func playGames(t *testing.T, p Program, n int) (games []Game) {
	t.Helper()
	process := New(p)
	defer process.Close()
	for seed := range n {
		g, err := process.Play(t.Context(), engine.DefaultRules(), uint64(seed+1), weights, nil)
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, g)
	}
	return games
}

// TestSameGame: a bot plays the games of the same player in this process, in one process. The bot
// deaf stays when its input ends, and a child of parent stays: both are killed.
func TestSameGame(t *testing.T) {
	for _, kind := range []string{"greedy", "windows", "deaf", "parent"} {
		p, file := testBot(t, kind, Moves)
		for i, g := range playGames(t, p, 5) {
			want := engine.Play(engine.DefaultRules(), uint64(i+1), engine.Greedy{}, nil)
			if g.Result != want {
				t.Errorf("%s, seed %d: got %+v, want %+v", kind, i+1, g, want)
			}
		}
		if n := len(pids(file)); n != 1 && kind != "parent" {
			t.Errorf("%s: started %d processes, want 1", kind, n)
		}
	}
}

// TestFailures: each failure is one error, after a second attempt in a new process. It names the
// fault and the game. No process is left, see testBot.
func TestFailures(t *testing.T) {
	for _, c := range []struct {
		kind, answers string
		timeout       time.Duration
		want          string // in the error
	}{
		{"exit", Moves, 0, "it exited (exit status 3)\nThe end of its stderr:\nline 10\nline 11\n"},
		{"exit", Games, 0, "it exited (exit status 3)"},
		{"children", Moves, 0, "it exited (exit status 4)"},
		{"garbage", Moves, 0, `it printed "left": want {"move": "left"}, or up, down or right: log to stderr, and flush stdout`},
		{"empty", Moves, 0, `it printed "": want {"move"`},
		{"nothing", Moves, 0, `it printed "{\"note\": \"left\"}": want {"move"`},
		{"log", Moves, 0, `it printed "thinking": want {"move": "left"}, or up, down or right: log to stderr, and flush stdout`},
		{"twice", Moves, 0, `it printed "{\"move\": \"left\"}\n" when nothing was asked`},
		{"illegal", Moves, 0, "it chose the illegal move"},
		{"endless", Moves, 0, `it printed a line longer than 1 MB`},
		{"flood", Score, 0, `it printed a line longer than 1 MB`},
		{"silent", Moves, 50 * time.Millisecond, "it answered nothing for 50ms: it must flush stdout after each answer, or " +
			"needs a longer timeout"},
		{"silent", Games, 50 * time.Millisecond, "it answered nothing for 50ms"},
		{"stubborn", Score, 50 * time.Millisecond, "it answered nothing for 50ms"},
		{"unended", Moves, 0, `it exited (exit status 0); its line "{\"move\": \"left\"}" has no end`},
		{"mute", Score, 0, `it printed ""`},
		{"closing", Moves, 50 * time.Millisecond, "it answered nothing for 50ms"},
		{"nan", Games, 0, `it printed "{\"score\": NaN}": want {"score": 30124}, a number: log to stderr`},
		{"huge", Games, 0, `{"score": 30124}, a number within ±1e50`},
		{"refuse", Games, 0, "it refuses these weights: low > high"},
		{"refuse", Moves, 0, "it refuses these weights: low > high"},
		{"odd", Games, 0, `max_tile: want a power of two that a game of this score can reach`},
		{"poor", Games, 0, `max_tile: want a power of two that a game of this score can reach`},
		{"moved", Games, 0, `moves: want a whole number`},
		{"restless", Games, 0, `moves: want a whole number such as {"score": 30124, "moves": 980}, at most 2^40`},
		{"echoed", Games, 0, `seed: want 7, the seed of this game`},
		{"text", Games, 0, `{"score": 30124}`},
		{"failed", Score, 0, "it exited (exit status 3)"},
		{"vast", Score, 0, `it printed "1.7e308": want {"score": 30124}, a number within ±1e50`},
		{"score", Score, 0, `it printed "NaN": want {"score": 30124}`},
	} {
		t.Run(c.kind+" "+c.answers, func(t *testing.T) {
			t.Parallel()
			p, file := testBot(t, c.kind, c.answers, "NaN")
			p.Timeout = c.timeout
			process := New(p)
			defer process.Close()
			g, err := process.Play(t.Context(), engine.DefaultRules(), 7, weights, nil)
			if err == nil {
				t.Fatalf("got %+v", g)
			}
			var failure *Failure
			text := `weights {"smooth": 0.1, "lookahead": 2, "a\"b": 0.0000001}: `
			if c.kind != "refuse" { // which it does in any game
				text = "game with seed 7 and " + text
			}
			if !errors.As(err, &failure) || !strings.Contains(err.Error(), text) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v\nwant %s%s", err, text, c.want)
			}
			if n := len(pids(file)); n < 2 && c.timeout == 0 && c.kind != "refuse" || n > 1 && c.kind == "refuse" { // a slow start is silent, too
				t.Errorf("started %d processes, want 2", n)
			}
		})
	}
}

// TestCrowd: a bot that is late where more games run than processors is said to be crowded, once.
func TestCrowd(t *testing.T) {
	for more, want := range []int{0, 1} {
		p, _ := testBot(t, "silent", Moves)
		var said []string
		p.Timeout = 50 * time.Millisecond
		p.Watch = &Watch{AtOnce: runtime.GOMAXPROCS(0) + more, Warn: func(text string) {
			if strings.Contains(text, "run at once") {
				said = append(said, text)
			}
		}}
		process := New(p)
		for range 2 {
			if _, err := process.Play(t.Context(), engine.DefaultRules(), 7, weights, nil); err == nil {
				t.Error("it answers")
			}
		}
		process.Close()
		if len(said) != want || want > 0 &&
			!strings.Contains(said[0], fmt.Sprintf("start fewer with -workers %d,", runtime.GOMAXPROCS(0))) {
			t.Errorf("%d more than processors: it says %q", more, said)
		}
	}
}

// TestMute: a program is mute if several players' games ended in silence and it has never answered,
// in whichever of its processes. If it has, each of them fails by itself.
func TestMute(t *testing.T) {
	for _, heard := range []bool{false, true} {
		p, _ := testBot(t, "silent", Games)
		p.Timeout, p.Watch = 20*time.Millisecond, new(Watch)
		if heard {
			answering, _ := testBot(t, "points", Games)
			answering.Watch = p.Watch
			playGames(t, answering, 1)
		}
		for player := range maxSilent + 1 {
			process := New(p)
			_, err := process.Play(t.Context(), engine.DefaultRules(), 7, weights, nil)
			process.Close()
			var mute *Mute
			if want := !heard && player+1 >= maxSilent; errors.As(err, &mute) != want || err == nil {
				t.Errorf("heard %t, player %d: got %v", heard, player+1, err)
			} else if want && !strings.Contains(err.Error(), "5 players ended in silence for 20ms: it must answer each game") &&
				player+1 == maxSilent {
				t.Errorf("got %v", err)
			}
		}
	}
}

// TestStrayLine: the fault names the line that is no answer, whether it comes before or behind an
// answer, with it or later.
func TestStrayLine(t *testing.T) {
	for answers, want := range map[string]string{
		Moves: `it printed "thinking": want {"move": "left"}`, Games: `it printed "thinking": want {"score": 30124}`,
	} {
		for _, kind := range []string{"before", "before, slowly", "behind", "behind, slowly", "banner"} {
			t.Run(answers+" "+kind, func(t *testing.T) {
				t.Parallel()
				p, _ := testBot(t, kind, answers)
				for range 10 {
					process, did := New(p), error(nil)
					for seed := uint64(0); did == nil; seed++ {
						g, err := process.Play(t.Context(), engine.DefaultRules(), seed, nil, nil)
						did = cmp.Or(err, g.Before)
					}
					if process.Close(); !strings.Contains(did.Error(), want) {
						t.Fatalf("got %v\nwant %s", did, want)
					}
				}
			})
		}
	}
}

// TestPlayedAgain: after one failure the same game is played once more, with the same result, and
// the games before and after it count.
func TestPlayedAgain(t *testing.T) {
	p, file := testBot(t, "once", Moves)
	process := New(p)
	defer process.Close()
	var steps []engine.Step
	g, err := process.Play(t.Context(), engine.DefaultRules(), 1, weights, func(s engine.Step) bool {
		steps = append(steps, s)
		if s == (engine.Step{}) {
			steps = nil
		}
		return true
	})
	if want := engine.Play(engine.DefaultRules(), 1, engine.Greedy{}, nil); err != nil || g.Result != want ||
		len(steps) != want.Moves {
		t.Errorf("got %+v, %d steps, %v, want %+v", g, len(steps), err, want)
	}
	if n := len(pids(file)); n != 2 {
		t.Errorf("started %d processes, want 2", n)
	}
}

// TestLateAnswer: a line that nobody asked for fails the next game, and the games before it count.
func TestLateAnswer(t *testing.T) {
	p, file := testBot(t, "late", Games)
	process := New(p)
	defer process.Close()
	ready := make(chan bool, 1)
	process.Stderr = writer(func() { ready <- true })
	if g, err := process.Play(t.Context(), engine.DefaultRules(), 1, nil, nil); err != nil || g.Score != 12 {
		t.Fatalf("got %+v, %v", g, err)
	}
	if err := process.child.Process.Signal(os.Interrupt); err != nil {
		t.Skip(err) // on Windows
	}
	<-ready
	g, err := process.Play(t.Context(), engine.DefaultRules(), 2, nil, nil)
	if n := len(pids(file)); err != nil || g.Score != 12 || n != 2 {
		t.Errorf("got %+v, %v, of %d processes, want 2", g, err, n)
	}
}

// TestObserveStops: a game that observe stops leaves a bot that plays on.
func TestObserveStops(t *testing.T) {
	p, file := testBot(t, "greedy", Moves)
	process := New(p)
	defer process.Close()
	for range 2 {
		n := 0
		stop := func(engine.Step) bool { n++; return n <= 5 }
		if g, err := process.Play(t.Context(), engine.DefaultRules(), 3, nil, stop); err != nil || g.Moves != 5 {
			t.Errorf("got %+v, %v", g, err)
		}
	}
	if n := len(pids(file)); n != 1 {
		t.Errorf("started %d processes, want 1", n)
	}
}

// TestWholeGames: max_tile and moves may be absent.
func TestWholeGames(t *testing.T) {
	for kind, want := range map[string]Game{
		"points": {Result: engine.Result{Score: 12}},
		"full":   {Result: engine.Result{Score: 1 << 53, Moves: 3, MaxTile: 65536}},
		"whole":  {Result: engine.Result{Score: 10}},
		"half":   {Result: engine.Result{Score: 256.7}},
		"less":   {Result: engine.Result{Score: -990}},
		"wide":   {Result: engine.Result{Score: 3000000, MaxTile: 131072}}, // on a board of 5x5
	} {
		p, _ := testBot(t, kind, Games)
		g := playGames(t, p, 2)[1]
		g.CPU = 0
		if g != want {
			t.Errorf("%s: got %+v, want %+v", kind, g, want)
		}
	}
}

// TestScore: arguments carry the game, and the last line is the score. The input is empty.
func TestScore(t *testing.T) {
	for argument, want := range map[string]int{
		"{lookahead}": 2, "{seed}": 1<<52 + 5, "{seed31}": 5, `{{"score": {lookahead}1}}`: 21, "0": 0,
	} {
		p, file := testBot(t, "score", Score, argument)
		process := New(p)
		for range 2 {
			g, err := process.Play(t.Context(), engine.DefaultRules(), 1<<52+5, weights, nil)
			if err != nil || g.Score != float64(want) || g.CPU <= 0 || g.Moves != 0 || g.MaxTile != 0 {
				t.Errorf("%s: got %+v, %v, want %d", argument, g, err, want)
			}
		}
		if process.Close(); len(pids(file)) != 2 {
			t.Errorf("%s: started %v, want 2 processes", argument, pids(file))
		}
	}
	p := Program{Command: []string{"go", "{{{weights}}}", "{a\"b}"}, Answers: Score}
	want := []string{`{{"smooth": 0.1, "lookahead": 2, "a\"b": 0.0000001}}`, "0.0000001"}
	if got, err := p.command(t.Context(), 1, weights); err != nil || !slices.Equal(got.Args[1:], want) {
		t.Errorf("got %q, %v, want %q", got.Args, err, want)
	}
	p.Answers = Games
	if got, err := p.command(t.Context(), 1, weights); err != nil || !slices.Equal(got.Args[1:], p.Command[1:]) {
		t.Errorf("games: got %q, %v", got.Args, err)
	}
}

// TestStartLine: the bot gets the seed and the weights, in their order. Its stderr goes to Stderr.
func TestStartLine(t *testing.T) {
	p, _ := testBot(t, "echo", Games)
	var stderr strings.Builder
	process := New(p)
	process.Stderr = &stderr
	for _, w := range [][]Weight{nil, append(weights, Weight{"zero", -1e-300 * 1e-300})} {
		if _, err := process.Play(t.Context(), engine.DefaultRules(), 1<<53-1, w, nil); err != nil {
			t.Error(err)
		}
	}
	process.Close()
	if want := `{"seed": 9007199254740991, "weights": {}}
{"seed": 9007199254740991, "weights": {"smooth": 0.1, "lookahead": 2, "a\"b": 0.0000001, "zero": 0}}
`; stderr.String() != want {
		t.Errorf("got %s, want %s", &stderr, want)
	}
}

// TestDone: the bot is killed when the context is done, in the middle of an answer.
func TestDone(t *testing.T) {
	for _, answers := range []string{Moves, Games, Score} {
		p, file := testBot(t, "stubborn", answers)
		process := New(p)
		ctx, cancel := context.WithCancel(t.Context())
		process.Stderr = writer(cancel) // when the bot is ready
		if g, err := process.Play(ctx, engine.DefaultRules(), 1, nil, nil); err != context.Canceled || len(pids(file)) != 1 {
			t.Errorf("%s: got %+v, %v", answers, g, err)
		}
		if _, err := process.Play(ctx, engine.DefaultRules(), 1, nil, nil); err != context.Canceled || len(pids(file)) != 1 {
			t.Errorf("%s: got %v and %v", answers, err, pids(file))
		}
		process.Close()
	}
}

type writer func()

func (w writer) Write(p []byte) (int, error) { w(); return len(p), nil }

// TestScratch: the bot has a folder of its own for temporary files, which goes with it.
func TestScratch(t *testing.T) {
	p, _ := testBot(t, "scratch", Moves)
	var stderr strings.Builder
	process := New(p)
	process.Stderr = &stderr
	if _, err := process.Play(t.Context(), engine.DefaultRules(), 1, nil, nil); err != nil {
		t.Error(err)
	}
	scratch := process.scratch
	if _, err := os.Stat(scratch); err != nil {
		t.Error(err)
	}
	process.Close()
	if _, err := os.Stat(scratch); err == nil || strings.TrimSpace(stderr.String()) != scratch {
		t.Errorf("the bot had %s, want %s, which is left: %v", &stderr, scratch, err == nil)
	}
}

// TestCheck: wrong programs have an error that says what to do.
func TestCheck(t *testing.T) {
	folder := t.TempDir()
	os.WriteFile(filepath.Join(folder, "script"), nil, 0o600)
	os.WriteFile(filepath.Join(folder, "program"), nil, 0o700)
	os.WriteFile(filepath.Join(folder, "lost"), []byte("#!/no/such/python -u\nprint(1)\n"), 0o700)
	os.WriteFile(filepath.Join(folder, "found"), []byte("#! /bin/sh\necho\n"), 0o700)
	os.WriteFile(filepath.Join(folder, "windows"), []byte("#!/bin/sh\r\necho\r\n"), 0o700)
	names := []string{"smooth", "empty"}
	for _, c := range []struct {
		p     Program
		names []string
		want  string // of the error, empty: none
	}{
		{Program{Command: []string{"go"}, Answers: Moves}, []string{"seed"}, `"seed" is no name of a weight`},
		{Program{Command: []string{"go", "{odd}"}, Answers: Moves}, names, ""},
		{Program{Command: []string{"./program"}, Answers: Games}, names, ""},
		{Program{Command: []string{"./script"}, Answers: Games}, names,
			"permission denied: make it executable with chmod +x script, or name its interpreter"},
		{Program{Command: []string{"program"}, Answers: Games}, names, "is written ./program"},
		{Program{Command: []string{"./missing"}, Answers: Games}, names, "build it first"},
		{Program{Command: []string{"./lost"}, Answers: Games}, names,
			`program "./lost": its first line names the interpreter /no/such/python, which is not there: mend that line`},
		{Program{Command: []string{"./found"}, Answers: Games}, names, ""},
		{Program{Command: []string{"./windows"}, Answers: Games}, names,
			`so the system looks for "/bin/sh\r": write the script with Unix line ends`},
		{Program{Command: []string{"go bot.py --n=5"}, Answers: Games}, names,
			"each argument is an item of its own: [go, bot.py, --n=5]"},
		{Program{Command: []string{"java -jar", "bot.jar"}, Answers: Games}, names,
			"each argument is an item of its own: [java, -jar, bot.jar]"},
		{Program{Command: []string{"program {seed} {smooth}"}, Answers: Score}, names,
			`each argument is an item of its own: [./program, "{seed}", "{smooth}"]`},
		{Program{Command: []string{"go", "{smooth}", "{empty}"}, Answers: Score}, names, ""},
		{Program{Command: []string{"go", "{weights}"}, Answers: Score}, names, ""},
		{Program{Command: []string{"go", "-s={smoth}"}, Answers: Score}, names,
			`argument "-s={smoth}": {smoth} is no {seed}, {seed31}, {weights} or {NAME} of a weight; a brace is written twice`},
		{Program{Command: []string{"go", "{smooth"}, Answers: Score}, names, "{ is no {seed}"},
		{Program{Command: []string{"go", "smooth}"}, Answers: Score}, names, "} is no {seed}"},
	} {
		c.p.Folder = folder
		if err := c.p.Check(c.names); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want %s", c.p, err, c.want)
		}
	}
}

// TestDoubts: a command is valid in which a weight, the seed or a sign of the shell does nothing.
func TestDoubts(t *testing.T) {
	const noSeed = "no argument has {seed}: all games of a candidate are alike, unless the bot draws a seed that nobody " +
		"can repeat"
	for _, c := range []struct {
		answers, command string
		unread           int
		want             []string
	}{
		{Score, "a {seed} {left} --up={up}", 0, nil},
		{Score, "a {seed31} {weights}", 0, nil},
		{Score, "a --seed={seed}", 2,
			[]string{`no argument has {left}, {up}: they change nothing; write each in an argument, such as "--left={left}"`}},
		{Score, "a --seed={seed} {left} {{up}}", 1,
			[]string{`no argument has {up}: it changes nothing; write each in an argument, such as "--up={up}"`}},
		{Score, "a {left} {up}", 0, []string{noSeed}},
		{Score, "{seed} {weights}", 0, []string{noSeed}}, // the program's name stays
		{Moves, "a", 0, nil},
		{Games, "a --up={up} {odd}", 0, []string{"{up} in an argument stays as it is: the bot reads it on stdin, or has " +
			"answers: score"}},
		{Moves, "a | tee", 0, []string{`no shell runs the command: | is an argument like any other; for a shell write [sh, -c, "..."]`}},
		{Moves, "a 2>/dev/null $HOME", 0,
			[]string{`no shell runs the command: 2>/dev/null is an argument like any other; for a shell write [sh, -c, "..."]`,
				`no shell runs the command: $HOME is an argument like any other; for a shell write [sh, -c, "..."]`}},
		{Moves, "a --x=a|b -- - a&b 2", 0, nil},
	} {
		p := Program{Command: strings.Fields(c.command), Answers: c.answers}
		names := []string{"left", "up"}
		if got := p.Doubts(names); !slices.Equal(got, c.want) || len(p.Unread(names)) != c.unread {
			t.Errorf("%s: got %q, %q\nwant %q", c.command, got, p.Unread(names), c.want)
		}
	}
}

// TestRemediesOfAnswers: a line that is nearly an answer has its own remedy.
func TestRemediesOfAnswers(t *testing.T) {
	for _, c := range []struct{ answers, line, want string }{
		{Moves, `LEFT`, `write it in lower case, {"move": "left"}`},
		{Moves, `{"move": "Up"}`, `write it in lower case, {"move": "up"}`},
		{Moves, `left`, onlyAnswers},
		{Moves, `0`, "a move is a word, for programs number moves in different orders"},
		{Moves, `{"move": 3}`, "a move is a word, for programs number moves in different orders"},
		{Moves, `{"score": 12}`, "a bot that plays whole games has answers: games"},
		{Games, `{"move": "left"}`, "a bot that chooses each move has answers: moves"},
		{Games, `{"score": "12"}`, "leave the quotes around the number out"},
		{Score, "Final score: 12345", `print the score alone, {"score": 12345}, and ` + onlyAnswers},
		{Score, "score=-1.5 moves=980", `print the score alone, {"score": -1.5}, and ` + onlyAnswers},
		{Score, "score: 12,345", onlyAnswers},
		{Score, "move 12, score 3", onlyAnswers},
		{Score, `{"score": 1e400}`, onlyAnswers},
	} {
		_, err := parseMove([]byte(c.line))
		if c.answers != Moves {
			_, err = parseGame(7, []byte(c.line))
		}
		if err == nil || !strings.HasSuffix(err.Error(), ": "+c.want) {
			t.Errorf("%s, %s: got %v, want %s", c.answers, c.line, err, c.want)
		}
	}
}

// FuzzAnswers: the parsers of answers agree with encoding/json.
func FuzzAnswers(f *testing.F) {
	for _, line := range answers {
		f.Add(line)
	}
	for _, line := range []string{`{"move": "up"}`, `{"move":"down"}`, `{"move": "right" }`, `{"move": "left"}}`,
		`{"Move": "up", "move": "left"}`, `{"move": null}`,
		`{"score": 1e3}`, `{"score": 1e400}`, `{"score": null}`, `{"score": 1, "moves": "2"}`, `{"score": 1, "max_tile": -0}`,
		`null`, `[]`} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		var move struct{ Move string }
		want := engine.NoMove
		for _, m := range engine.Moves() {
			if json.Unmarshal([]byte(line), &move) == nil && move.Move == m.String() {
				want = m
			}
		}
		if got, err := parseMove([]byte(line)); got != want || (err == nil) != (want != engine.NoMove) {
			t.Errorf("%q: got move %v, %v, want %v", line, got, err, want)
		}
		var numbers map[string]any
		decoder := json.NewDecoder(strings.NewReader(line))
		decoder.UseNumber()
		valid := json.Valid([]byte(line)) && decoder.Decode(&numbers) == nil
		g, err := parseGame(0, []byte(line))
		if err != nil {
			if score, ok := numbers["score"].(json.Number); valid && ok && len(numbers) == 1 {
				if n, err := score.Float64(); err == nil && math.Abs(n) <= maxScore {
					t.Errorf("%q: refused", line)
				}
			}
			return
		}
		for key, got := range map[string]float64{"score": g.Score, "max_tile": float64(g.MaxTile),
			"moves": float64(g.Moves)} {
			number, known := numbers[key].(json.Number)
			x, _ := number.Float64()
			if !valid || x != got || got < 0 && key != "score" || math.Abs(got) > maxScore || !known && got != 0 {
				t.Errorf("%q: got %+v", line, g)
			}
		}
	})
}
