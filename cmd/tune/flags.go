package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"tune2048/configs/config"
	"tune2048/engine/bot"
	"tune2048/engine/simulator"
	"tune2048/results"
	"tune2048/results/export"
)

// databaseFlag defines -db.
func (in *invocation) databaseFlag(f *flag.FlagSet) {
	f.StringVar(&in.database, "db", results.DefaultPath, "the database `FILE`")
}

// databaseOption is -db and its file, for a command line, or empty if that is the default.
func (in *invocation) databaseOption() string { return results.DatabaseFlag(in.database) }

// workersFlag defines -workers, whose default is the number of processors that this process may
// use: fewer than the machine has where a container has a quota.
func workersFlag(f *flag.FlagSet, n *int, least int, usage string) {
	*n = runtime.GOMAXPROCS(0)
	f.Var(&wholeNumber{n, least, 1024}, "workers", usage)
}

// wholeNumber is the value of a flag with bounds. A default below them means that the flag was not
// given.
type wholeNumber struct {
	*int
	least, most int
}

func (n *wholeNumber) String() string {
	if n.int == nil || *n.int < n.least {
		return ""
	}
	return strconv.Itoa(*n.int)
}

func (n *wholeNumber) Set(text string) error {
	v, err := strconv.Atoi(text)
	switch {
	case err != nil:
		return errors.New("want a whole number")
	case v < n.least && n.most == math.MaxInt:
		return fmt.Errorf("want at least %d", n.least)
	case v < n.least || v > n.most:
		return fmt.Errorf("want %d to %d", max(1, n.least), n.most)
	}
	*n.int = v
	return nil
}

// timeFlag is the value of a flag for a time above 0. Beside the units of Go there are days.
type timeFlag time.Duration

func (t *timeFlag) String() string { return shortTime(time.Duration(*t)) }

func (t *timeFlag) Set(text string) error {
	var days uint64
	var wrong error
	if number, rest, found := strings.Cut(text, "d"); found {
		days, wrong = strconv.ParseUint(number, 10, 16)
		text = cmp.Or(rest, "0s")
	}
	v, err := time.ParseDuration(text)
	v += time.Duration(days) * 24 * time.Hour
	if wrong != nil || err != nil || v <= 0 {
		return errors.New("want a time such as 8h, 90m or 1h30m; two days are 2d")
	}
	*t = timeFlag(v)
	return nil
}

// typed returns the named flags as the user typed them. Without names it returns all
// given flags, but not the flags that choose or begin a run.
func typed(f *flag.FlagSet, names ...string) (text string) {
	f.Visit(func(g *flag.Flag) {
		value := " " + quote(g.Value.String())
		if getter, ok := g.Value.(flag.Getter); ok {
			if on, isSwitch := getter.Get().(bool); isSwitch {
				value = map[bool]string{true: "", false: "=false"}[on]
			}
		}
		if slices.Contains(names, g.Name) || names == nil && g.Name != "config" && g.Name != "new" {
			text += " -" + g.Name + value
		}
	})
	return text
}

// reader opens the database to read it. It is closed with the call.
func (in *invocation) reader() (*results.Reader, error) {
	reader, err := results.OpenReader(in.database)
	if err == nil {
		in.close = append(in.close, func() { reader.Close() })
	}
	return reader, err
}

// write opens the database to write it, for as long as do takes.
func (in *invocation) write(do func(*results.Store) error) error {
	store, err := results.Open(in.database)
	if err != nil {
		return err
	}
	return errors.Join(do(store), store.Close())
}

// load reads the config of a subcommand.
func (in *invocation) load(path string) (*config.Config, error) {
	if path == "" {
		return nil, usagef("%s: want -config FILE; a shipped config to begin with: tune init quickstart",
			in.command.name)
	}
	c, err := config.Load(path)
	if err != nil {
		data, unread := config.ReadFile(path)
		switch other := besides(path, ".yaml", ".yml"); {
		case bytes.HasPrefix(data, []byte(sqliteMagic)):
			return nil, usagef("%s: want a config, got a database, which belongs to -db: -db %s", path, quote(path))
		case export.IsRecord(data):
			return nil, usagef("%s: want a config, got a record: write a config that starts from its weights with: tune init "+
				"-from %s", path, quote(path))
		case errors.Is(unread, fs.ErrNotExist) && other != "":
			return nil, usagef("%s: no such file; did you mean %s?", path, other)
		}
		return nil, usageError{err}
	}
	if program := c.Heuristic.Bot; program != nil {
		program.Watch = &bot.Watch{Warn: func(text string) { fmt.Fprintln(in.stderr, text) }}
		in.bots, in.configs = append(in.bots, program), append(in.configs, path)
	}
	return c, nil
}

// sqliteMagic is how a database begins.
const sqliteMagic = "SQLite format 3"

// besides returns the path of the file that a path most likely means which does not exist: the one
// in the same folder with the nearest name and one of these endings, or "".
func besides(path string, endings ...string) string {
	folder, base := filepath.Split(path)
	entries, _ := os.ReadDir(cmp.Or(folder, "."))
	stem := func(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }
	var files, stems []string // side by side
	for _, e := range entries {
		if slices.Contains(endings, strings.ToLower(filepath.Ext(e.Name()))) {
			files, stems = append(files, e.Name()), append(stems, stem(e.Name()))
		}
	}
	if at := slices.Index(stems, config.Nearest(stem(base), stems)); at >= 0 {
		return folder + files[at]
	}
	return ""
}

// warnBy has the named bots warn by this function, which keeps the lines of a progress in order. No
// bot plays yet.
func (in *invocation) warnBy(warn func(text string)) {
	for _, program := range in.bots {
		program.Watch.Warn = warn
	}
}

// botFlag defines -config for the bots of stored runs, and returns its files.
func (in *invocation) botFlag(f *flag.FlagSet) *[]string {
	paths := new([]string)
	f.Func("config", "the config `FILE` of a bot, which a stored run or another machine may then start; the flag may "+
		"be given several times", func(path string) error {
		*paths = append(*paths, path)
		_, err := in.load(path)
		return err
	})
	return paths
}

// pool returns a pool that plays this number of games at once. It is closed with the call.
func (in *invocation) pool(workers int) *simulator.Pool {
	p := simulator.NewPool(workers)
	p.Bots = in.bots
	for _, program := range in.bots {
		program.Watch.AtOnce = workers
	}
	in.close = append(in.close, p.Close)
	return p
}

// given reports whether a flag was given.
func given(f *flag.FlagSet, name string) bool {
	found := false
	f.Visit(func(g *flag.Flag) { found = found || g.Name == name })
	return found
}
