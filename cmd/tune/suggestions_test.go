package main

import (
	"bufio"
	"errors"
	"html"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tune2048/configs/config"
)

// What the program suggests must work. TestSuggestions drives it through scenarios, takes every
// command line out of all that it prints, and executes each in the same folder.

// suggestedConfig is a run of a second.
var suggestedConfig = strings.Replace(shallow, "population: 8", "population: 4", 1) + `
stages: [{name: tune, generations: 2, games: 2}]
playoff: {finalists: 2, games: 4}
validation: {games: 20}
ablation: {games: 0}
`

const suggestedBoard = "0 2 0 0/8 8 4 0/1024 2 4 2/2048 4 16 4"

// suggestingScenarios are command lines, run one after the other in a folder in which a run small
// and a comparison have finished. The last word of "until TEXT: COMMAND" is interrupted once it has
// printed the text.
var suggestingScenarios = []struct {
	name     string
	commands []string
}{
	{"help", []string{"tune", "tune help", "tune help features", "tune help formula", "tune help bot"}},
	{"run", []string{"tune -config small.yaml"}},
	{"run elsewhere", []string{"rm -r results", "tune -config small.yaml -db 'my db/x.db'", "tune runs -db 'my db/x.db'",
		"tune report nosuch -db 'my db/x.db'",
		"tune report smal -db 'my db/x.db'", "tune query -sql 'delete from runs' -db 'my db/x.db'",
		"tune init mine -from small -db 'my db/x.db'", "tune compare compare small -db 'my db/x.db'",
		"tune compare nosuch other.yaml -db 'my db/none.db'", "tune verify -db 'my db/none.db'",
		"tune runs -db 'my db/none.db'"}},
	{"run with limits", []string{"tune -config small.yaml -new -generations 1",
		"tune -config small.yaml -for 100ms -new"}},
	{"more", []string{"tune -config small.yaml -more 1"}},
	{"stopped search", []string{"tune -config flat.yaml", "tune -config flat.yaml -seeds 2"}},
	{"changed config", []string{"tune -config changed.yaml"}},
	{"interrupted run", []string{"until tuning: tune -config long.yaml -workers 1 -db 'my db/x.db'"}},
	{"run without a champion", []string{`sqlite3 results/tune.db "update endings set champion_id = null, fingerprint = null, status = 'interrupted' where id = (select ending_id from runs where name = 'small')"`,
		"tune export small", "tune query best"}},
	{"served run", []string{"tune -config small.yaml -db x.db", "until serving: tune -config long.yaml -serve -addr " +
		"127.0.0.1:0 -db x.db"}},
	{"workers", []string{"until workers may join: tune -config long.yaml -listen 127.0.0.1:0 -token-file token.txt"}},
	{"taken address", []string{"tune serve -addr $TAKEN"}},
	{"compare", []string{"tune compare small small.yaml -games 20", "tune compare small", "tune compare nosuch small",
		"tune compare nosuch small -db none.db",
		"tune compare 99 small -db none.db", "tune compare weights.json small", "tune export compare",
		"tune compare compare small"}},
	{"weights alone", []string{"tune move -board '" + suggestedBoard + "' -weights weights.json",
		"tune play -weights=weights.json"}},
	{"no database", []string{"rm -r results", "tune runs -db none.db", "tune report -db none.db",
		"tune verify -db none.db", "tune export -db none.db", "tune query best -db none.db"}},
	{"empty database", []string{"tune query -sql 'select 1' -db empty.db", "tune runs -db norun.db",
		"tune report -db norun.db"}},
	{"no run of that name", []string{"tune report nosuch", "tune report smal", "tune verify nosuch.json",
		"tune runs -delete nosuch", "tune runs -delete ''"}},
	{"no config", []string{"tune -config missing.yaml", "tune -config snaek.yaml", "tune check", "tune move -board '" +
		suggestedBoard + "'", "tune init", "tune init nosuch"}},
	{"init", []string{"tune init quickstart", "cat quickstart.yaml"}},
	{"shipped configs", []string{"cat shipped/*.yaml"}},
	{"query", []string{"tune query", "tune query bets", "tune query nosuch", "tune query -sql 'delete from runs'",
		"tune query -sql best", "tune query leaderboard"}},
	{"mistakes", []string{"tune moev", "tune zzz", "tune small.yaml", "tune small", "tune move", "tune check -confg x",
		"tune report a b c", "tune verify a b", "tune check small.yaml x",
		"tune move -weights nosuch.json -board '" + suggestedBoard + "'", "tune eval small.yaml",
		"tune export -format nosuch",
		"tune -config small.yaml -dry-run", "tune -config small.yaml -resume", "tune -config small.yaml -o x", "tune stop",
		"tune runs small"}},
	{"report", []string{"tune report small -o small.html", "cat small.html", "tune report compare -o compare.html",
		"cat compare.html"}},
	{"export", []string{"tune export small", "tune init -from small", "tune export small -format c",
		"tune verify weights.json"}},
}

// suggestedInstead has what is executed in place of a suggested command, or its exit code if that
// is not 0, and why.
var suggestedInstead = []struct {
	suggested, executed string
	code                int
	reason              string
}{
	{`tune query "SELECT name FROM workers"`, `tune query -sql "SELECT name FROM workers"`, 0,
		"verify's own mend takes this line out"},
	{"tune runs -delete NAME -db 'my db/x.db'", "tune runs -delete small -yes -db 'my db/x.db'", 0, "as the next"},
	{"tune runs -delete NAME", "tune runs -delete small -yes", 0,
		"it asks before it deletes, and nobody is there to answer"},
	{"tune query -sql", "tune query -sql 'select 1'", 0, "a statement of one's own follows"},
}

// suggestion finds where a command begins.
var suggestion = regexp.MustCompile(`(^|[^\w/.'-])((?:go run \./cmd/)?tune (?:-config|[a-z]+\b))`)

// flagHint finds a flag that is to be added to the command that was given.
var flagHint = regexp.MustCompile(`(?:\bwith|[;:,]) (-new\b|-more \d+|-for \d+\w)`)

// whole are the lines that are a command from one end to the other, after what is captured.
var whole = regexp.MustCompile(`^\s+(tune .*)$|(?:next|resume with|each machine|fresh games): (tune [^"]*)"?$`)

// wordsOfCommands are arguments that are no files, flags or placeholders.
func wordsOfCommands() []string {
	words := append(queryNames(), exportFormatNames()...)
	words = append(append(words, config.Names()...), "small", "small.2", "small.3", "smal", "flat", "flat-seed-2049",
		"compare", "features", "formula", "python", "cpp", "mybot")
	for _, c := range commands() {
		words = append(words, c.name)
	}
	return words
}

var argument = regexp.MustCompile(`^(-[a-z].*|[A-Z][A-Z:]*|[A-Z]+\.json|<|\d+[smh]?|[\w./-]+\.(yaml|json|jsonl|db|txt)|\w+://.*|'[^']*'|"[^"]*")$`)

// suggestedIn returns the commands that a text suggests.
func suggestedIn(text string) (found []string) {
	known := wordsOfCommands()
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if m := whole.FindStringSubmatch(line); m != nil && !strings.Contains(strings.TrimSpace(line), "  ") {
			found = append(found, strings.SplitN(m[1]+m[2], " | ", 2)[0])
			continue
		}
		for _, at := range suggestion.FindAllStringSubmatchIndex(line, -1) {
			rest := line[at[4]:]
			var words []string
			for rest != "" {
				word := regexp.MustCompile(`^("[^"]*"|'[^']*'|[^\s"']+)+`).FindString(rest)
				bare := strings.TrimRight(word, ".,;:?)")
				last := bare != word || strings.HasPrefix(rest[len(word):], "  ")
				if len(words) > 0 && !argument.MatchString(bare) && !slices.Contains(known, bare) {
					break
				}
				words = append(words, bare)
				rest = strings.TrimPrefix(rest[len(word):], " ")
				if last {
					break
				}
			}
			if len(words) > 1 && (words[1][0] == '-' || words[1] == "help" ||
				slices.ContainsFunc(commands(), func(c command) bool { return c.name == words[1] })) {
				found = append(found, strings.Join(words, " "))
			}
		}
	}
	return found
}

// placeholders are the words of help pages and messages that stand for something of the user's.
var placeholders = strings.NewReplacer("-config FILE", "-config small.yaml", "FILE.json", "small.json", "CANDIDATES",
	"candidates.jsonl",
	"import OTHER.db", "import $(tune -config small.yaml -db second.db >first.txt 2>&1; echo second.db)", "init NAME",
	"init gradient", "run FILE", "run small.yaml", "check FILE", "check small.yaml", "GAME",
	"$(sqlite3 results/tune.db 'select min(id) from games')", "HOST:PORT", "127.0.0.1:0", "-server URL",
	"-server nats://127.0.0.1:1", "PLAYER PLAYER", "small small.yaml -games 20",
	" [NAME]", "", " RUN", " small", " ablation mine", " ablation small", " mine@42", " small@2", "-for 8h", "-for 100ms",
	"-for 1h", "-for 100ms", "help NAME", "help move")

// untilInterrupted are the commands that end when they are interrupted, by what they have printed
// by then.
var untilInterrupted = regexp.MustCompile(`^tune (worker|serve)|-listen|-serve|-config (long|quickstart|mine)\.yaml`)

// mentioned are the subcommands that cannot be executed alone, or not in a second. Where one
// stands alone, and behind no colon, the text is about it, and its help is executed.
var mentioned = map[string]bool{"run": true, "resume": true, "check": true, "init": true, "move": true, "play": true,
	"compare": true, "eval": true,
	"worker": true, "export": true}

// suggestingFolder is a folder in which a scenario is played.
type suggestingFolder struct {
	*testing.T
	path string
}

// shell executes a command line. An endless one is interrupted when it has printed the text.
func (f suggestingFolder) shell(command, until string) (output string, code int) {
	f.Helper()
	process := exec.Command("sh", "-c", "exec "+command)
	if strings.Contains(command, ";") || strings.Contains(command, "$(") || strings.Contains(command, "|") {
		process = exec.Command("sh", "-c", command)
	}
	process.Dir = f.path
	reader, writer, err := os.Pipe()
	if err != nil {
		f.Fatal(err)
	}
	defer reader.Close()
	process.Stdout, process.Stderr = writer, writer
	if err := process.Start(); err != nil {
		f.Fatal(err)
	}
	writer.Close()
	deadline := time.AfterFunc(2*time.Minute, func() { process.Process.Kill() })
	defer deadline.Stop()
	var printed strings.Builder
	lines := bufio.NewReader(reader)
	for {
		line, err := lines.ReadString('\n')
		printed.WriteString(line)
		if err != nil {
			break
		}
		if until != "" && regexp.MustCompile(until).MatchString(line) {
			process.Process.Signal(os.Interrupt)
			until = ""
		}
	}
	if err := process.Wait(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		f.Fatal(err)
	}
	return printed.String(), process.ProcessState.ExitCode()
}

// rendered is the text that a page shows.
func rendered(page string) string {
	return html.UnescapeString(regexp.MustCompile(`(?s)<script.*?</script>|<style.*?</style>|<[^>]*>`).ReplaceAllString(page, ""))
}

// execute executes what is suggested in an output of a command.
func (f suggestingFolder) execute(command, output, suggested string) {
	f.Helper()
	run, want := placeholders.Replace(strings.Replace(suggested, "go run ./cmd/tune", "tune", 1)), 0
	for _, other := range suggestedInstead {
		if other.suggested == suggested {
			run, want = other.executed, other.code
		}
	}
	words := strings.Fields(run)
	if len(words) == 2 && mentioned[words[1]] &&
		!regexp.MustCompile(`(?m)(: |with\s+)`+regexp.QuoteMeta(suggested)+`($|[).,;?])`).MatchString(output) { // it is about the subcommand
		run = "tune help " + words[1]
	}
	until := ""
	if !strings.HasPrefix(run, "tune help") && untilInterrupted.MatchString(run) {
		until = "serving|may join|nobody listens|waiting|resuming|tuning"
		if strings.HasPrefix(run, "tune serve") {
			run = strings.TrimSuffix(run, " -addr") + " -addr 127.0.0.1:0" // a suggestion ends before an address
		}
	}
	printed, code := f.shell(run, until)
	if until != "" && code == exitInterrupted {
		code = want
	}
	if code != want {
		f.Errorf("%s\nprints\n%s\nwhich suggests\n  %s\nThat ends with exit code %d:\n%s", command, around(output, suggested),
			suggested, code, around(printed, ""))
	}
}

// around is a text near a part of it.
func around(text, part string) string {
	at := max(strings.Index(text, part), 0)
	return text[max(at-200, 0):min(at+600, len(text))]
}

func TestSuggestions(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many small runs")
	}
	if _, err := exec.LookPath("sqlite3"); err != nil {
		t.Skip("needs the sqlite3 shell")
	}
	base := suggestingFolder{t, t.TempDir()}
	for name, text := range map[string]string{
		"small.yaml": suggestedConfig, "other.yaml": "heuristic: {features: [{feature: snake, decay: 0.5}]}\nsearch: " +
			"{depth: 1}\n", "changed.yaml": "name: small\nseed: 7\n" + suggestedConfig, "long.yaml": long,
		"flat.yaml": strings.NewReplacer("generations: 2", "generations: 4", "ablation: {games: 0}",
			"ablation: {games: 400, difference: 0.5}").Replace(suggestedConfig),
		"token.txt": "0123456789abcdef\n", "weights.json": `{"empty": 270}`,
		"candidates.jsonl": `{"id": "t1", "weights": {"empty": 270}}` + "\n", "empty.db": "", "mine.sql": "select 1\n",
	} {
		must(t, os.WriteFile(filepath.Join(base.path, name), []byte(text), 0o600))
	}
	must(t, os.Mkdir(filepath.Join(base.path, "my db"), 0o755))
	for _, command := range []string{
		"tune -config small.yaml -db norun.db", "tune runs -delete small -yes -db norun.db", "tune -config small.yaml",
		"tune compare small other.yaml -games 20", "tune export small > small.json",
	} {
		if printed, code := base.shell(command, ""); code != exitOK {
			t.Fatalf("%s: exit code %d:\n%s", command, code, printed)
		}
	}
	shipped, err := filepath.Abs("../../configs")
	must(t, err)
	scenarios := suggestingScenarios
	for _, c := range commands() {
		scenarios[0].commands = append(scenarios[0].commands, "tune help "+c.name)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { listener.Close() })
	must(t, os.Setenv("TAKEN", listener.Addr().String()))
	for _, scenario := range scenarios {
		t.Run(scenario.name, func(t *testing.T) {
			t.Parallel()
			f := suggestingFolder{t, t.TempDir()}
			must(t, os.CopyFS(f.path, os.DirFS(base.path)))
			must(t, os.Symlink(shipped, filepath.Join(f.path, "shipped")))
			f.play(scenario.commands)
		})
	}
}

// play carries out the commands of a scenario, and then all that they suggest.
func (f suggestingFolder) play(scenario []string) {
	type output struct{ command, text string }
	var outputs []output
	for _, command := range scenario {
		until := ""
		if text, ok := strings.CutPrefix(command, "until "); ok {
			until, command, _ = strings.Cut(text, ": ")
		}
		text, _ := f.shell(command, until)
		if strings.HasSuffix(command, ".html") {
			text = rendered(text)
		}
		outputs = append(outputs, output{command, text})
	}
	done := map[string]bool{}
	for _, o := range outputs {
		for _, suggested := range suggestedIn(o.text) {
			if !done[suggested] {
				done[suggested] = true
				f.execute(o.command, o.text, suggested)
			}
		}
		if strings.HasPrefix(o.command, "tune help") {
			continue
		}
		for _, flag := range flagHint.FindAllStringSubmatch(o.text, -1) {
			if suggested := o.command + " " + flag[1]; !done[suggested] {
				done[suggested] = true
				f.execute(o.command, o.text, suggested)
			}
		}
	}
	f.Logf("%d suggestions", len(done))
}
