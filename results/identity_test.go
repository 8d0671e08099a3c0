package results

import (
	"context"
	"errors"
	"path/filepath"
	"sync/atomic"
	"testing"
)

// What is read of a file to know it must be of one moment: another process may be creating it meanwhile.
func TestIdentifyWhileTheFileIsCreated(t *testing.T) {
	ctx := context.Background()
	for range 20 {
		path := filepath.Join(t.TempDir(), "tune.db")
		reader, err := connect(path, readWriteCreate)
		must(t, err)
		var created atomic.Bool
		done := make(chan error, 1)
		go func() {
			s, err := Open(path)
			if err == nil {
				err = s.Close()
			}
			created.Store(true)
			done <- err
		}()
		for !created.Load() {
			if _, err := identify(ctx, reader, "open", path); errors.Is(err, ErrForeign) {
				t.Fatalf("a database that is just being created: %v", err)
			}
		}
		must(t, <-done)
		must(t, reader.Close())
	}
}
