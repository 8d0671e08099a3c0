package main

import (
	"context"
	_ "embed"
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"tune2048/engine/simulator"
)

// number is the version of this program. The changelog says what each version means for people, in
// .github/CHANGELOG.md.
const number = "v0.1.0-dev"

// archived is the commit of a source that git archive wrote: without git's data the go command
// cannot stamp the program with it.
//
//go:embed commit.txt
var archived string

// version prints the facts that a bug report needs: which program this is, and how it plays.
func version(_ context.Context, in *invocation) error {
	if _, err := in.parse(in.flags(), 0); err != nil {
		return err
	}
	_, err := fmt.Fprintf(in.stdout, "tune %s, %s, %s/%s, signature of the play %s\n", release(), runtime.Version(),
		runtime.GOOS, runtime.GOARCH, simulator.Signature)
	return err
}

// release is the version with the commit: v0.1.0-dev+8672f4f2af12, and .dirty if there are changes.
func release() string {
	stamp := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			stamp[s.Key] = s.Value
		}
	}
	return releaseOf(stamp, archived)
}

// commitForm is a commit, as git names it.
var commitForm = regexp.MustCompile(`^[0-9a-f]{40,64}$`)

func releaseOf(stamp map[string]string, archived string) string {
	commit, changed := stamp["vcs.revision"], stamp["vcs.modified"] == "true"
	if commit == "" {
		commit = strings.TrimSpace(archived)
	}
	switch {
	case !commitForm.MatchString(commit): // such as a copy of the source without git's folder
		return number + "+unknown"
	case changed:
		return number + "+" + commit[:12] + ".dirty"
	}
	return number + "+" + commit[:12]
}
