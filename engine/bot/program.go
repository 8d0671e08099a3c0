// Package bot plays games with a bot, a program of the user's in any language. Read [Program] (what
// runs), then [Process.Play] (one game), then [Failure] (why a game failed).
//
// # Protocol
//
// Each line on the bot's stdin and stdout is a JSON object. CRLF is allowed. Both sides ignore keys
// that they do not know. A bot logs to stderr, flushes stdout after each answer, and exits at the
// end of its input. No line ends a game: the next start line does.
//
// Moves: the caller deals the tiles. The start line has no answer, each board has one. A game
// between the caller (>) and the bot (<) begins like this:
//
//	> {"seed": 7, "weights": {"smooth": 0.1, "lookahead": 2}}
//	> {"board": [[0, 0, 0, 0], [2, 0, 0, 0], [0, 0, 2, 0], [2, 0, 0, 0]], "score": 0}
//	< {"move": "up"}
//	> {"board": [[4, 0, 2, 0], [0, 0, 0, 0], [0, 2, 0, 0], [0, 0, 0, 0]], "score": 4}
//
// Games: the bot plays the game by itself. It may leave out max_tile and moves.
//
//	> {"seed": 7, "weights": {"smooth": 0.1, "lookahead": 2}}
//	< {"score": 30124, "max_tile": 2048, "moves": 980}
//
// Score: each game is a process of its own, without input. Its arguments carry the game, such as
// --seed={seed} --smooth={smooth}. The last line that it prints is the score, or that object.
//
// On Unix the bot leads a process group, which is killed when the bot exits, fails or is closed,
// and when the caller dies (see guard_unix.go). A child that leaves the group escapes. On Windows
// only the bot is killed. If the caller dies there, it sees the end of its input.
package bot

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"tune2048/engine/key"
)

// The values of Program.Answers.
const (
	Moves = "moves" // the bot chooses each move
	Games = "games" // the bot plays whole games
	Score = "score" // a process plays one game and prints its score
)

// Program says how to run a bot. If Answers is Score, {NAME} in an argument becomes the value of
// that weight, {seed} the seed, {seed31} the seed modulo 2^31, and {weights} all weights as JSON. A
// brace is written twice. Otherwise arguments stay as they are.
type Program struct {
	Command []string      // program and arguments, for no shell
	Answers string        // Moves, Games or Score
	Timeout time.Duration // of one answer, the first with the start of the program; 0: none
	Score   Bounds        // that each game's score keeps to, see [Bounds.Check]
	// Hashes are the Files with which a run began: it starts no other ones. nil: it starts any.
	Hashes map[string]string `json:",omitempty"`
	// Folder is where it starts, and where a program with a slash is looked up. No database and no
	// message has it.
	Folder string `json:"-"`
	// Watch is shared by all processes of the program; nil: each has one of its own.
	Watch *Watch `json:"-"`
}

// Keys returns the keys of the program in the section player.
func (p *Program) Keys() []key.Key {
	var timeout any // of games and scores there is none, and YAML has no key
	if p.Answers == Moves {
		timeout = time.Minute
	}
	return []key.Key{
		{Name: "command", Doc: "program and arguments, for no shell; it starts in the config's folder", To: &p.Command,
			Example: "[python3, bot.py]", Range: key.Between(1, 100), Items: "a program and its arguments"},
		{Name: "answers", Doc: "`moves`, whole `games`, or the `score` of one game a process", To: &p.Answers,
			Example: "moves", Choices: []string{Moves, Games, Score}},
		{Name: "timeout", Doc: "of one answer, the first one with the start of the program: 10s or 2m; by default 60s for " +
			"moves, and none, 0s, for games and score",
			To: &p.Timeout, Label: true, Default: timeout},
		{Name: "score", To: &p.Score,
			Doc: "the least and the highest score that a game can have: with them equal scores have exact limits"},
	}
}

// Bounds are the least and the highest score that a game can have. They change no game. Of the zero
// value, and of any other without Min < Max, nothing is known.
type Bounds struct{ Min, Max float64 }

// Keys returns the keys of the section score.
func (b *Bounds) Keys() []key.Key {
	within := key.Between(-maxScore, maxScore)
	return []key.Key{
		{Name: "min", Doc: "the least score", To: &b.Min, Example: "0", Range: within},
		{Name: "max", Doc: "the highest score", To: &b.Max, Example: "1", Range: within},
	}
}

// Known reports whether there are bounds.
func (b Bounds) Known() bool { return b.Min < b.Max }

// Check returns an error for a score outside the bounds.
func (b Bounds) Check(score float64) error {
	if b.Known() && !(score >= b.Min && score <= b.Max) {
		return fmt.Errorf("score %v lies outside player.score, %v to %v: widen these bounds, or let the bot answer a score "+
			"within them",
			score, b.Min, b.Max)
	}
	return nil
}

// Files returns the SHA-256, hexadecimal, of each argument that names a regular file in the folder.
// A file that it may not read is none of them. Another error is the machine's.
func (p Program) Files() (map[string]string, error) {
	hashes := map[string]string{}
	for _, name := range p.Command {
		path := name
		if !filepath.IsAbs(name) {
			path = filepath.Join(p.Folder, name)
		}
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || p.Folder == "" {
			continue // a pipe may have no end
		}
		content, err := os.ReadFile(path)
		if err == nil {
			hashes[name] = fmt.Sprintf("%x", sha256.Sum256(content))
		} else if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			return nil, advise(err)
		}
	}
	return hashes, nil
}

// advise adds a hint to an error of the machine, once.
func advise(err error) error {
	for _, hint := range []struct {
		of   error
		text string
	}{
		{syscall.EMFILE, "allow more files with ulimit -n 1024, or play fewer games at once with -workers"},
		{syscall.ENFILE, "close other programs, or play fewer games at once with -workers"},
		{syscall.EAGAIN, "it has too many processes: close some, or play fewer games at once with -workers"},
		{syscall.ENOMEM, "play fewer games at once with -workers"},
		{syscall.ENOEXEC, "build it for this machine, or name its interpreter, such as [python3, bot.py]"},
	} {
		if errors.Is(err, hint.of) && !strings.HasSuffix(err.Error(), hint.text) {
			return fmt.Errorf("%w: %s", err, hint.text)
		}
	}
	return err
}

// unchanged returns an error that names a file unlike the one in Hashes. Files that known has, by
// size and time, are not read again.
func (p Program) unchanged(known map[string]os.FileInfo) error {
	if p.Hashes == nil {
		return nil
	}
	same := true
	for name := range p.Hashes {
		path := name
		if !filepath.IsAbs(name) {
			path = filepath.Join(p.Folder, name)
		}
		info, err := os.Stat(path)
		before := known[name]
		same = same && err == nil && before != nil && before.Size() == info.Size() &&
			before.ModTime().Equal(info.ModTime())
		known[name] = info
	}
	if same {
		return nil
	}
	files, err := p.Files()
	if err != nil {
		clear(known)
		return err
	}
	for _, name := range p.Command {
		if files[name] != p.Hashes[name] {
			clear(known)
			return fmt.Errorf("%s here is another file than the run began with: put that one back; with this one the same "+
				"command begins another run", name)
		}
	}
	return nil
}

// Weight is a number that the bot gets: as the shortest decimal, whole numbers without a point.
type Weight struct {
	Name  string
	Value float64
}

func (w Weight) text() string { return key.Number(w.Value + 0) } // no -0

// Check reports whether the program can be started with weights of these names. The reader of
// configs has checked each key by itself.
func (p Program) Check(names []string) error {
	var weights []Weight
	for _, name := range names {
		if slices.Contains([]string{"seed", "seed31", "weights"}, name) {
			return fmt.Errorf("%q is no name of a weight: {%s} stands for something else", name, name)
		}
		weights = append(weights, Weight{Name: name})
	}
	_, err := p.command(context.Background(), 0, weights)
	return err
}

// command returns the command for the game of a seed.
func (p Program) command(ctx context.Context, seed uint64, weights []Weight) (*exec.Cmd, error) {
	name := p.Command[0]
	if filepath.Base(name) != name && !filepath.IsAbs(name) { // has a slash
		name, _ = filepath.Abs(filepath.Join(p.Folder, name)) // LookPath fails where this does
	}
	path, err := exec.LookPath(name)
	if err == nil {
		err = interpreted(path)
	}
	if words := strings.Fields(p.Command[0]); err != nil && len(words) > 1 {
		return nil, fmt.Errorf("program %w: each argument is an item of its own: %s", err,
			p.items(append(words, p.Command[1:]...)))
	}
	if missing := (*noInterpreter)(nil); errors.As(err, &missing) {
		return nil, fmt.Errorf("program %q: %w", p.Command[0], err)
	}
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("program %w: make it executable with chmod +x %s, or name its interpreter, such as "+
			"[python3, bot.py]",
			err, strings.TrimPrefix(p.Command[0], "./"))
	}
	if err != nil {
		return nil, fmt.Errorf("program %w: build it first, or name its interpreter, such as [python3, bot.py]; "+
			"a program in the config's folder is written ./%s", err, filepath.Base(name))
	}
	arguments := slices.Clone(p.Command[1:])
	if p.Answers == Score {
		values := map[string]string{
			"seed":    strconv.FormatUint(seed, 10),
			"seed31":  strconv.FormatUint(seed%(1<<31), 10),
			"weights": string(appendWeights(nil, weights)),
		}
		for _, w := range weights {
			values[w.Name] = w.text()
		}
		for i, text := range arguments {
			arguments[i], err = expand(text, values)
			if err != nil {
				return nil, err
			}
		}
	}
	cmd := exec.CommandContext(ctx, path, arguments...)
	cmd.Dir = p.Folder
	return cmd, nil
}

// items writes a command as a config has it. A program in its folder begins with ./
func (p Program) items(words []string) string {
	if _, err := exec.LookPath(words[0]); err != nil && filepath.Base(words[0]) == words[0] && p.Folder != "" {
		if _, err := os.Stat(filepath.Join(p.Folder, words[0])); err == nil {
			words[0] = "./" + words[0]
		}
	}
	for i, word := range words {
		if strings.ContainsAny(word, "{}[],:#&*!|>'\"%@`") {
			words[i] = strconv.Quote(word)
		}
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// Unread returns which of these weights no argument has, where arguments carry the game.
func (p Program) Unread(names []string) (unread []string) {
	for _, name := range names {
		if p.Answers == Score && !p.has("weights") && !p.has(name) {
			unread = append(unread, name)
		}
	}
	return unread
}

// has reports whether an argument has a name in braces.
func (p Program) has(name string) bool {
	return slices.ContainsFunc(p.Command[1:], func(argument string) bool {
		return slices.Contains(braces.FindAllString(argument, -1), "{"+name+"}")
	})
}

// Doubts returns a sentence for each part of the command that hardly means what it says. The names
// are the weights'.
func (p Program) Doubts(names []string) (sentences []string) {
	say := func(format string, args ...any) { sentences = append(sentences, fmt.Sprintf(format, args...)) }
	if unread := p.Unread(names); unread != nil {
		say("no argument has {%s}: %s; write each in an argument, such as \"--%s={%[3]s}\"", strings.Join(unread, "}, {"),
			map[bool]string{true: "it changes nothing", false: "they change nothing"}[len(unread) == 1], unread[0])
	}
	if p.Answers == Score && !p.has("seed") && !p.has("seed31") {
		say("no argument has {seed}: all games of a candidate are alike, unless the bot draws a seed that nobody can repeat")
	}
	for _, argument := range p.Command[1:] {
		if shellOnly.MatchString(argument) {
			say("no shell runs the command: %s is an argument like any other; for a shell write [sh, -c, \"...\"]", argument)
		}
	}
	for _, name := range append([]string{"seed", "seed31", "weights"}, names...) {
		if p.Answers != Score && p.has(name) {
			say("{%s} in an argument stays as it is: the bot reads it on stdin, or has answers: score", name)
		}
	}
	return sentences
}

// shellOnly matches arguments that only a shell understands.
var shellOnly = regexp.MustCompile(`^(?:\|\|?|&&?|;|[012]?(?:>>?|<).*|~/.*|\$\w+|\$\{\w+\})$`)

// interpreted returns an error if the program is a script whose interpreter is not there. The
// system would say that the script is not.
func interpreted(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return nil // it may be executable alone
	}
	defer file.Close()
	head := make([]byte, 256)
	n, _ := file.Read(head)
	line, isScript := strings.CutPrefix(string(head[:n]), "#!")
	line, _, _ = strings.Cut(line, "\n")
	words := strings.Fields(strings.TrimSuffix(line, "\r"))
	if !isScript || len(words) == 0 {
		return nil
	}
	if _, err := os.Stat(words[0]); !errors.Is(err, fs.ErrNotExist) && !strings.HasSuffix(line, "\r") {
		return nil
	}
	return &noInterpreter{words[0], strings.HasSuffix(line, "\r")}
}

// noInterpreter is the fault of a script whose first line names no program.
type noInterpreter struct {
	name    string
	windows bool // its lines end as on Windows
}

func (e *noInterpreter) Error() string {
	if e.windows {
		return fmt.Sprintf("its first line ends as on Windows, so the system looks for %q: write the script with Unix line "+
			"ends, "+
			"or name its interpreter, such as [python3, bot.py]", e.name+"\r")
	}
	return fmt.Sprintf("its first line names the interpreter %s, which is not there: mend that line, or name the "+
		"interpreter, "+
		"such as [python3, bot.py]", e.name)
}

var braces = regexp.MustCompile(`{{|}}|{[^{}]*}|[{}]`)

// expand replaces each {name} by its value, {{ by { and }} by }.
func expand(argument string, values map[string]string) (_ string, err error) {
	return braces.ReplaceAllStringFunc(argument, func(found string) string {
		value, known := values[strings.Trim(found, "{}")]
		switch {
		case found == "{{" || found == "}}":
			return found[:1]
		case !known:
			err = fmt.Errorf("argument %q: %s is no {seed}, {seed31}, {weights} or {NAME} of a weight; a brace is written twice",
				argument, found)
		}
		return value
	}), err
}
