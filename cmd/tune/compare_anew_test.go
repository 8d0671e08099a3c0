package main

import (
	"context"
	"io"
	"strings"
	"testing"
)

// TestCompareAnewInterrupted: with -new the same command would begin once more.
func TestCompareAnewInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a.yaml", shallow)
	write(t, "b.yaml", strings.Replace(shallow, "start: 270", "start: 300", 1))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var out, err strings.Builder
	code := run(ctx, []string{"compare", "a.yaml", "b.yaml", "-new"}, &out, io.MultiWriter(&err, atText{"new run compare", cancel}))
	if code != exitInterrupted || !strings.HasSuffix(err.String(), "saved; the same command without -new goes on from here\n") {
		t.Errorf("exit code %d: %s", code, &err)
	}
}
