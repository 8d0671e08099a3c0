package main

import (
	"bufio"
	"encoding/json"
	"fmt"
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
		if message.Seed != nil {
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
				if m := moves[(os.Getpid()+i)%len(moves)]; i == 0 || !legalMove(board, move) {
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

func legalMove(board engine.Board, move engine.Move) bool {
	_, _, legal, _ := board.Slide(move)
	return legal
}

// gamesBot is a bot that plays a game of its own, the larger weight w the better. Its arguments are
// printed beside the score. With the arguments pid and SEED it prints the score of one game, another
// one in each process.
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
		if _, err := os.Stat("tired"); err == nil && message.Seed%20 == 3 {
			os.Exit(3)
		}
		switch {
		case len(os.Args) == 2 && os.Args[1] == "settings.txt":
			fmt.Printf("{\"score\": %d}\n", message.Seed%1000+uint64(message.Weights["w"]))
			continue
		case len(os.Args) == 2 && os.Args[1] == "pid":
			fmt.Printf("{\"score\": %d}\n", os.Getpid())
			continue
		case len(os.Args) == 2 && os.Args[1] == "ages":
			fmt.Printf("{\"score\": %d}\n", games)
			continue
		}
		fmt.Printf("{\"score\": %d%s}\n", message.Seed%1000+uint64(message.Weights["w"]), strings.Join(os.Args[1:], " "))
	}
}

// TestBotOfPage: the bot that bots/README.md begins with can be tuned, and so can the bots of init.
func TestBotOfPage(t *testing.T) {
	const short = "\nstages: [{generations: 1, games: 1}]\noptimizer: {population: 4}\nplayoff: {games: 2}\nvalidation: {games: 2}\n"
	folder := t.TempDir()
	for language, command := range map[string]string{"python": "python3", "javascript": "node", "cpp": "g++"} {
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
		if text := played.stdout.String(); !strings.HasSuffix(text, "score 1924, largest tile 128, 199 moves, no move left\n") {
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
