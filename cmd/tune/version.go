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

// release is the version of this program.
func release() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
