package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"tune2048/engine/simulator"
)

// version prints the facts that a bug report needs: which program this is, and how it plays.
func version(_ context.Context, in *invocation) error {
	if _, err := in.parse(in.flags(), 0); err != nil {
		return err
	}
	text := release()
	if info, ok := debug.ReadBuildInfo(); ok {
		text += commit(info.Settings)
	}
	_, err := fmt.Fprintf(in.stdout, "tune %s, %s, %s/%s, signature of the play %s\n", text, runtime.Version(),
		runtime.GOOS, runtime.GOARCH, simulator.Signature)
	return err
}

// commit is the commit that the program was built from, and its date, as far as the build knows
// them: ", commit 8672f4f2af12 of 2026-11-27, with changes".
func commit(settings []debug.BuildSetting) string {
	known := map[string]string{}
	for _, s := range settings {
		known[s.Key] = s.Value
	}
	hash, date := known["vcs.revision"], known["vcs.time"]
	if hash == "" {
		return ""
	}
	text := ", commit " + hash[:min(12, len(hash))]
	if day, _, found := strings.Cut(date, "T"); found {
		text += " of " + day
	}
	if known["vcs.modified"] == "true" {
		text += ", with changes"
	}
	return text
}

// release is the version of this program.
func release() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
