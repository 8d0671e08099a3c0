package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tune2048/engine"
)

// greedyBot is a bot that plays like engine.Greedy. It fails as its argument says, or if there is a
// file of that name in its folder.
func greedyBot() {
	fails := func(how string) bool {
		_, err := os.Stat(how)
		return err == nil || len(os.Args) > 1 && os.Args[1] == how
	}
	turn := 0
	if fails("pid") {
		turn = nthStart()
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var message struct {
			Seed    *uint64
			Board   [4][4]int
			Weights map[string]float64
		}
		if err := json.Unmarshal(lines.Bytes(), &message); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if message.Seed != nil || fails("mute") {
			continue
		}
		var rows []string
		for _, row := range message.Board {
			rows = append(rows, strings.Trim(fmt.Sprint(row), "[]"))
		}
		board, _ := engine.ParseBoard(strings.Join(rows, "/"))
		move, _ := engine.Greedy{}.Choose(board)
		switch {
		case fails("exit"):
			fmt.Fprintln(os.Stderr, "out of ideas")
			os.Exit(3)
		case fails("log"):
			fmt.Println("thinking")
		case fails("pid"):
			moves := engine.Moves()
			for i := range moves {
				if m := moves[(turn+i)%len(moves)]; i == 0 || !legalMove(board, move) {
					move = m
				}
			}
		case fails("illegal"):
			for _, m := range engine.Moves() {
				if !legalMove(board, m) {
					move = m
				}
			}
		}
		fmt.Printf("{\"move\": %q}\n", move)
	}
}

// nthStart returns how many times this folder's bot was started, this time included. Process
// numbers would do instead, but two of them may agree in the remainder that greedyBot uses.
func nthStart() int {
	file, err := os.OpenFile("starts", os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer file.Close()
	if _, err := file.WriteString("."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	at, _ := file.Seek(0, io.SeekCurrent)
	return int(at)
}

func legalMove(board engine.Board, move engine.Move) bool {
	_, _, legal, _ := board.Slide(move)
	return legal
}

// gamesBot is a bot that plays a game of its own, the larger weight w the better. Its arguments
// are printed beside the score. With the arguments pid and SEED it prints the score of one game,
// another one in each process.
func gamesBot() {
	if len(os.Args) == 3 && os.Args[1] == "pid" {
		fmt.Println(os.Args[2] + fmt.Sprint(os.Getpid()))
		return
	}
	games := 0
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); games++ {
		var message struct {
			Seed    uint64
			Weights map[string]float64
		}
		if err := json.Unmarshal(lines.Bytes(), &message); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if len(os.Args) == 2 && message.Seed >= 1<<32 {
			switch os.Args[1] {
			case "short":
				fmt.Fprintln(os.Stderr, "no room for this seed")
				os.Exit(3)
			case "cut":
				message.Seed %= 1 << 32
			}
		}
		if _, err := os.Stat("tired"); err == nil && message.Seed%20 == 3 {
			os.Exit(3)
		}
		switch {
		case len(os.Args) == 2 && os.Args[1] == "settings.txt":
			fmt.Printf("{\"score\": %d}\n", message.Seed%1000+uint64(message.Weights["w"]))
			continue
		case len(os.Args) == 2 && os.Args[1] == "level.txt":
			level, _ := os.ReadFile("level.txt")
			fmt.Printf("{\"score\": %s%03d}\n", strings.TrimSpace(string(level)), message.Seed%1000)
			continue
		case len(os.Args) == 2 && os.Args[1] == "pid":
			fmt.Printf("{\"score\": %d}\n", os.Getpid())
			continue
		case len(os.Args) == 2 && os.Args[1] == "mute":
			continue
		case len(os.Args) == 2 && (os.Args[1] == "cut" || os.Args[1] == "short"):
			fmt.Printf("{\"score\": %d}\n", message.Seed)
			continue
		case len(os.Args) == 2 && os.Args[1] == "again":
			if _, err := os.Stat("started"); err == nil && games == 0 {
				continue
			}
			fmt.Printf("{\"score\": %d}\n", message.Seed)
			if message.Seed == triedSeeds[len(triedSeeds)-1] {
				os.WriteFile("started", nil, 0o600)
			}
			continue
		case len(os.Args) == 2 && os.Args[1] == "ages":
			fmt.Printf("{\"score\": %d}\n", games)
			continue
		}
		fmt.Printf("{\"score\": %d%s}\n", 20_000+message.Seed%1000+uint64(message.Weights["w"]),
			strings.Join(os.Args[1:], " "))
	}
}

// frailBot plays games of its own by its weights low and high. It cannot play some of them, as its
// argument says.
func frailBot() {
	how, score := os.Args[1], func(seed uint64, low,
		high float64) float64 {
		return 1000 + 100*(high-low) + float64(seed%100)
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var message struct {
			Seed    uint64
			Weights struct{ Low, High float64 }
		}
		if err := json.Unmarshal(lines.Bytes(), &message); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		low, high := message.Weights.Low, message.Weights.High
		_, fragile := os.Stat("fragile")
		switch frail := low > 0.8 && fragile == nil; {
		case how == "strict" && !(low >= 0.25 && low <= 0.75 && high >= 0.25 && high <= 0.75):
			fmt.Fprintln(os.Stderr, "out of range")
			os.Exit(5)
		case how == "refuse" && low > high:
			fmt.Println(`{"refuse": "low > high"}`)
			continue
		case frail && how == "crash" || frail && how == "unsteady" && nthStart() == 1, how == "start" || how == "half" &&
			low != 0.5:
			fmt.Fprintf(os.Stderr, "no idea what to do with %v\n", low)
			os.Exit(3)
		case frail && how == "hang":
			select {}
		case how == "edits" && message.Seed>>51 == 2: // the file that its command names
			os.WriteFile(os.Args[2], fmt.Appendf(nil, "%d", message.Seed), 0o600)
		case how == "late" && message.Seed>>51 == 2 && message.Seed%7 == 0 && low != 0.5: // a held-out game
			os.Exit(4)
		case how == "negative":
			fmt.Printf(`{"score": %v}`+"\n", -990.5+100*(high-low)+float64(message.Seed%100))
			continue
		}
		fmt.Printf(`{"score": %v, "seed": %d}`+"\n", score(message.Seed, low, high), message.Seed)
	}
	if how == "twice" { // a line too many, which comes too late to be read with the first one
		fmt.Println(`{"score": 5}`)
	}
}

// TestMuteBot: a bot that never answers is wrong input, whatever its timeout, for whatever wants it
// to play. A bot that has nothing to tune is tried, too.
func TestMuteBot(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	const tuned = ", weights: {w: {min: 0, max: 100}}}\nstages: [{generations: 1, games: 2}]\n"
	for name, text := range map[string]string{
		"long.yaml":  "player: {command: [greedybot, mute], answers: moves, timeout: 11s" + tuned,
		"short.yaml": "player: {command: [greedybot, mute], answers: moves, timeout: 300ms" + tuned,
		"games.yaml": "player: {command: [gamesbot, mute], answers: games, timeout: 300ms" + tuned,
		"fixed.yaml": "player: {command: [gamesbot, mute], answers: games, timeout: 300ms}\n",
	} {
		write(t, filepath.Join(folder, name), text)
	}
	for _, args := range [][]string{
		{"check", "-config", "long.yaml"}, {"run", "-config", "long.yaml"},
		{"check", "-config", "short.yaml"}, {"run", "-config", "short.yaml"},
		{"check", "-config", "games.yaml"}, {"run", "-config", "games.yaml"},
		{"check", "-config", "fixed.yaml"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			if args[0] == "run" {
				args = append(args, "-db", filepath.Join(t.TempDir(), "mute.db"))
			}
			p := start(t, folder, args...)
			code, stderr := p.end(t)
			want := "it answered nothing for 300ms: it must flush stdout"
			if args[2] == "long.yaml" {
				want = "it has not answered its first board within 11s: it must answer each board before it reads on"
				if !strings.Contains(stderr, "bot greedybot mute has not answered its first board yet: ") {
					t.Errorf("no warning in %s", stderr)
				}
			}
			if code != exitUsage || !strings.Contains(stderr, want) || strings.Contains(p.stdout.String(), "valid") {
				t.Errorf("code %d\n%s%s", code, &p.stdout, stderr)
			}
		})
	}
}

// TestBotOfWorker: a worker plays a bot only if its user named it there, and has the same files.
// The run has the same games as without it.
func TestBotOfWorker(t *testing.T) {
	t.Parallel()
	folder := folderWith(t, `name: far
player: {command: [gamesbot, settings.txt], answers: games, weights: {w: {min: 0, max: 100, whole: true}}}
optimizer: {algorithm: genetic, population: 4}
stages: [{generations: 2, games: 20}]
`)
	elsewhere := t.TempDir()
	must(t, os.CopyFS(elsewhere, os.DirFS(folder)))
	write(t, filepath.Join(folder, "settings.txt"), "1")
	write(t, filepath.Join(elsewhere, "settings.txt"), "2")
	succeed(t, start(t, folder, "-config", "long.yaml", "-db", "alone.db"))
	address := freeAddress(t)
	run := launch(t, folder, "tune", "-config", "long.yaml", "-listen", address, "-workers", "0")
	bare := launch(t, folder, "tune", "worker", "-server", "nats://"+address, "-name", "bare")
	until(t, "a worker refuses", func() bool { return run.says("worker bare cannot play") && bare.says("-config FILE") },
		run.said, bare.said)
	other := launch(t, elsewhere, "tune", "worker", "-server", "nats://"+address, "-name", "other", "-config", "long.yaml")
	const another = "settings.txt here is another file than the run began with"
	until(t, "another one refuses",
		func() bool { return run.says("worker other cannot play") && run.says(another) && other.says(another) }, run.said,
		other.said)
	launch(t, folder, "tune", "worker", "-server", "nats://"+address, "-name", "named", "-config", "long.yaml")
	until(t, "the run ends", run.over, run.said)
	for _, text := range []string{run.said(), bare.said()} {
		if want := "its player is a bot, and nothing runs that you did not name: name its config with -config FILE"; !strings.Contains(text, want) {
			t.Errorf("want %s in\n%s", want, text)
		}
	}
	if contentOfNewest(t, filepath.Join(folder, "alone.db")) != contentOfNewest(t,
		filepath.Join(folder, defaultDatabase)) {
		t.Error("the worker's games are others")
	}
	ask(t, folder, "SELECT count(DISTINCT w.name), max(w.name) FROM games AS g JOIN workers AS w ON w.id = g.worker_id",
		func(row []any) {
			if fmt.Sprint(row) != "[1 named]" {
				t.Errorf("played by %v", row)
			}
		})
}

// TestBotOfPage: the bot that bots/README.md begins with can be tuned, and so can the bots of init.
func TestBotOfPage(t *testing.T) {
	t.Parallel()
	const short = "\nstages: [{generations: 1, games: 1}]\noptimizer: {population: 4}\nplayoff: {games: 2}\nvalidation: " +
		"{games: 2}\n"
	folder := t.TempDir()
	for language, command := range map[string]string{"python": "python3", "cpp": "g++"} {
		if _, err := exec.LookPath(command); err != nil {
			t.Logf("%s is not here: %v", command, err)
			continue
		}
		succeed(t, start(t, folder, "init", "-bot", language, language))
		if language == "cpp" {
			build := exec.Command("g++", "-O2", "-o", "cpp", "cpp.cpp")
			build.Dir = folder
			if text, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
		}
		played := start(t, folder, "play", "-config", language+".yaml", "-seed", "5")
		succeed(t, played)
		if text := played.stdout.String(); !strings.HasSuffix(text,
			"score 1924, largest tile 128, 199 moves, no move left\n") {
			t.Errorf("%s: %s", language, text)
		}
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	write(t, filepath.Join(folder, "order.py"), blocks(t, "bots/README.md", "python")[0])
	config := blocks(t, "bots/README.md", "yaml")[0]
	write(t, filepath.Join(folder, "order.yaml"), config[:strings.Index(config, "stages:")]+short)
	succeed(t, start(t, folder, "-config", "order.yaml"))
}
