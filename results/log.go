package results

import (
	"fmt"
	"os"
	"time"
)

// What is written goes into the write-ahead log first, and from there into the file. Nothing moves
// that is newer than the oldest transaction of a reader. So a transaction that a notebook or a
// shell leaves open makes the log grow for as long as the run goes on.

const (
	largeLog = 64 << 20    // bytes: four times as long as a log grows that nobody holds
	logPause = time.Minute // between two looks at the log
)

// logWatch is what a Store knows of its write-ahead log.
type logWatch struct {
	looked time.Time
	told   int64 // its size when its growth was last noticed, bytes; 0: since then all has moved
}

// watchLog moves the log into the file, as far as readers permit. It notices a log that is large,
// and then each doubling.
func (s *Store) watchLog(at time.Time) {
	if at.Sub(s.log.looked) < logPause {
		return
	}
	s.log.looked = at
	var busy, pages, moved int64
	err := s.writer.QueryRow("PRAGMA main.wal_checkpoint(PASSIVE)").Scan(&busy, &pages, &moved)
	size := logSize(s.absolute)
	switch {
	case err != nil: // the next commit meets it, too
	case pages == moved:
		s.log.told = 0
	case size >= max(largeLog, 2*s.log.told) && s.notice != nil:
		s.log.told = size
		s.notice(s.reader.LargeLog())
	}
}

// LargeLog says that somebody has made the write-ahead log large, or is empty.
func (r *Reader) LargeLog() string {
	size := logSize(r.absolute)
	if size < largeLog {
		return ""
	}
	return fmt.Sprintf("somebody has been reading %s for long: %[1]s-wal has grown to %d MB; close the notebook or "+
		"shell that holds it open",
		r.path, size/1_000_000)
}

func logSize(path string) int64 {
	info, err := os.Stat(path + "-wal")
	if err != nil {
		return 0
	}
	return info.Size()
}
