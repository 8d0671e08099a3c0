package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"tune2048/engine/simulator"
)

// version prints the facts that a bug report needs: which program this is, and how it plays.
func version(_ context.Context, in *invocation) error {
	if _, err := in.parse(in.flags(), 0); err != nil {
		return err
	}
	_, err := fmt.Fprintf(in.stdout, "tune %s, %s, %s/%s, signature of the play %s\n", release(), runtime.Version(),
		runtime.GOOS, runtime.GOARCH, simulator.Signature)
	return err
}

// release is the version of this program. The go command stamps it with the commit and its date:
// v0.0.0-20261127195307-8672f4f2af12, and +dirty if there are changes.
func release() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
