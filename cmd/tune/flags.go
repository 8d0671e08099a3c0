package main

import (
	"flag"

	"tune2048/configs"
)

const defaultDatabase = "results/tune.db"

func databaseFlag(f *flag.FlagSet, path *string) {
	f.StringVar(path, "db", defaultDatabase, "database `FILE`")
}

// mostWorkers is more than any machine has processors.
const mostWorkers = 1024

// checkWorkers refuses a number of workers that no machine can use.
func (in *invocation) checkWorkers(n int) error {
	if n < 1 || n > mostWorkers {
		return usagef("%s: -workers: want 1 to %d, got %d", in.command.name, mostWorkers, n)
	}
	return nil
}

// parseRun parses flags and the name of one run; "" stands for the newest.
func (in *invocation) parseRun(f *flag.FlagSet) (name string, err error) {
	arguments, err := in.parse(f)
	switch {
	case err != nil:
		return "", err
	case len(arguments) > 1:
		return "", usagef("%s: want the name of one run, got %d; tune runs lists them", in.command.name, len(arguments))
	case len(arguments) == 1:
		return arguments[0], nil
	}
	return "", nil
}

// load reads the config that a subcommand was given.
func (in *invocation) load(path string) (*configs.Config, error) {
	if path == "" {
		return nil, usagef("%s: want -config FILE; a shipped config to begin with: tune init quickstart", in.command.name)
	}
	c, err := configs.Load(path)
	if err != nil {
		return nil, usageError{err}
	}
	return c, nil
}

// given tells whether a flag was given.
func given(f *flag.FlagSet, name string) bool {
	found := false
	f.Visit(func(g *flag.Flag) { found = found || g.Name == name })
	return found
}
