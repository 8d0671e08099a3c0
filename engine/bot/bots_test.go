package bot

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"

	"tune2048/engine"
)

// TestMain plays a bot when the test binary is started as one: BINARY bot KIND FILE ARGUMENT... The
// bot writes its process id into FILE.
func TestMain(m *testing.M) {
	if len(os.Args) > 3 && os.Args[1] == "bot" {
		note(os.Args[3], os.Getpid())
		runBot(os.Args[2], os.Args[3], os.Args[4:])
		os.Exit(0)
	}
	adoptOrphans()
	os.Exit(m.Run())
}

// answers are what bots print in place of a right answer.
var answers = map[string]string{
	"garbage":  "left\n",
	"empty":    "\n",
	"nothing":  "{\"note\": \"left\"}\n",
	"log":      "thinking\n{\"move\": \"left\"}\n",
	"twice":    "{\"move\": \"left\"}\n{\"move\": \"left\"}\n",
	"late":     "{\"score\": 12}\n",
	"nan":      "{\"score\": NaN}\n",
	"less":     "{\"score\": -990}\n",
	"half":     "{\"score\": 256.7}\n",
	"whole":    "{\"score\": 10.0}\n",
	"huge":     "{\"score\": 1e400}\n",
	"wide":     "{\"score\": 3e6, \"max_tile\": 131072}\n",
	"odd":      "{\"score\": 100, \"max_tile\": 3}\n",
	"poor":     "{\"score\": 4, \"max_tile\": 131072}\n",
	"moved":    "{\"score\": 4, \"moves\": -1}\n",
	"restless": "{\"score\": 4, \"moves\": 1099511627777}\n",
	"echoed":   "{\"score\": 4, \"seed\": 1}\n",
	"refuse":   "{\"refuse\": \"low > high\"}\n{\"move\": \"left\"}\n",
	"text":     "{\"score\": \"12\"}\n",
	"points":   "{\"score\": 12, \"text\": 7, \"moves\": null}\r\n",
	"full":     "{\"score\": 9007199254740992, \"moves\": 3, \"max_tile\": 65536}\n",
}

func runBot(kind, file string, arguments []string) {
	in := bufio.NewReader(os.Stdin)
	switch kind {
	case "stubborn": // ignores SIGTERM and the end of its input
		signal.Ignore(syscall.SIGTERM)
		fmt.Fprintln(os.Stderr, "ready")
		forever()
	case "parent": // leaves a child behind when it exits
		child := exec.Command(os.Args[0], "bot", "stubborn", file)
		child.Stdout = os.Stdout
		child.Start()
	case "family":
		child := exec.Command(os.Args[0], "bot", "stubborn", file)
		child.Stderr = os.Stderr
		child.Start()
		os.WriteFile(os.TempDir()+"/left", nil, 0o600)
		forever()
	case "mute":
		return
	case "starved":
		starve(file)
		return
	case "failed":
		fmt.Println("12")
		os.Exit(3)
	case "vast":
		fmt.Println("1.7e308")
		os.Exit(0)
	case "score":
		io.Copy(os.Stdout, in) // nothing
		fmt.Print("a log\n", strings.Join(arguments, " "), "\n\n")
		os.Exit(0)
	case "host": // plays with a stubborn bot, that has a stubborn child
		p := New(Program{Command: []string{os.Args[0], "bot", "family", arguments[0]}, Answers: Moves})
		p.Stderr = os.Stderr
		p.Play(context.Background(), engine.DefaultRules(), 1, nil, nil)
	case "flood":
		for {
			fmt.Print(strings.Repeat("x", 1<<16))
		}
	case "late": // prints a line when it is interrupted
		interrupted := make(chan os.Signal, 1)
		signal.Notify(interrupted, os.Interrupt)
		go func() {
			<-interrupted
			fmt.Println("too much")
			fmt.Fprintln(os.Stderr, "ready")
		}()
	case "scratch":
		fmt.Fprintln(os.Stderr, os.TempDir())
	case "banner":
		fmt.Println("thinking")
	}
	out := bufio.NewWriter(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if kind == "deaf" && err != nil {
			forever()
		} else if err != nil {
			return
		}
		if bytes.HasPrefix(line, []byte(`{"seed"`)) && !slices.Contains(arguments, "games") {
			continue
		}
		answer, special := answers[kind]
		switch kind {
		case "exit":
			for i := range 30 {
				fmt.Fprintln(os.Stderr, "line", i)
			}
			os.Exit(3)
		case "children", "escaped":
			child := exec.Command(os.Args[0], "bot", "stubborn", file)
			child.Stdout = os.Stdout
			if kind == "escaped" {
				child.Stderr = os.Stderr
				leaveGroup(child)
			}
			child.Start()
			note(file, child.Process.Pid)
			os.Exit(4)
		case "silent":
			forever()
		case "closing":
			os.Stdout.Close()
			forever()
		case "endless":
			for {
				fmt.Print(strings.Repeat("x", 1<<16))
			}
		case "illegal":
			answer = fmt.Sprintf("{\"move\": %q}\n", choose(line, false))
		case "once": // fails in its first process only
			if pids, _ := os.ReadFile(file); bytes.Count(pids, []byte("\n")) == 1 && bytes.Contains(line, []byte(`"score": 4`)) {
				os.Exit(5)
			}
			answer = fmt.Sprintf("{\"move\": %q}\n", choose(line, true))
		case "windows":
			answer = fmt.Sprintf("{\"value\": [1, {}], \"move\":%q , \"nodes\": 7}\r\n", choose(line, true))
		case "unended":
			fmt.Print("{\"move\": \"left\"}")
			os.Exit(0)
		case "echo":
			answer = "{\"score\": 1, \"got\": " + strings.TrimSpace(string(line)) + "}\n"
			fmt.Fprint(os.Stderr, string(line))
		default:
			if !special && slices.Contains(arguments, "games") {
				answer = "{\"score\": 12}\n"
			} else if !special {
				answer = fmt.Sprintf("{\"move\": %q}\n", choose(line, true))
			}
		}
		order, slowly := strings.CutSuffix(kind, ", slowly")
		first := ""
		switch order {
		case "before":
			first = "thinking\n"
		case "behind":
			first, answer = answer, "thinking\n"
		}
		out.WriteString(first)
		if slowly {
			out.Flush()
		}
		out.WriteString(answer)
		out.Flush()
	}
}

// note adds a process id to a file.
func note(file string, pid int) {
	f, _ := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	fmt.Fprintln(f, pid)
	f.Close()
}

func forever() {
	r, w, _ := os.Pipe()
	r.Read(make([]byte, 1))
	w.Close()
}

// choose returns the greedy move of a board line, or an illegal one.
func choose(line []byte, legal bool) string {
	var asked struct {
		Board [4][4]int
		Score *int
	}
	if err := json.Unmarshal(line, &asked); err != nil || asked.Score == nil {
		return "none"
	}
	b, _ := engine.FromFaces(asked.Board)
	if legal {
		m, _ := engine.Greedy{}.Choose(b)
		return m.String()
	}
	for _, m := range engine.Moves() {
		if _, _, ok, _ := b.Slide(m); !ok {
			return m.String()
		}
	}
	return "left"
}
