package results

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"tune2048/experiments"
)

// memory returns a folder of the test in memory, if there is one such: a commit there waits for no
// disk, and a fuzzer makes thousands.
func memory(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp("/dev/shm", "tune")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}

// FuzzFile: a database file with any bytes changed is refused, or answers with figures or errors.
// It is never a panic or an endless loop. The changes are triples of position (4 bytes, little
// endian), and value.
func FuzzFile(f *testing.F) {
	text := sure(os.ReadFile(whole(f)))(f)
	schema := bytes.Index(text, []byte("CREATE TABLE"))
	for _, at := range []int{16, 20, 24, 28, 32, 44, 56, 60, 68, 100, 103, 105, 108, schema - 3, schema + 20, 4096, 4099,
		4101, 8192, 8195, 20480, 40960, len(text) - 20} {
		change := binary.LittleEndian.AppendUint32(nil, uint32(at))
		f.Add(append(change, 0xff), uint32(0))
		f.Add(append(change, 0x02), uint32(0))
	}
	f.Add([]byte{}, uint32(5000))
	f.Add([]byte{}, uint32(99))
	f.Fuzz(func(t *testing.T, changes []byte, cut uint32) {
		damaged := bytes.Clone(text)
		for ; len(changes) >= 5; changes = changes[5:] {
			damaged[int(binary.LittleEndian.Uint32(changes))%len(damaged)] = changes[4]
		}
		damaged = damaged[:len(damaged)-int(cut)%len(damaged)]
		path := filepath.Join(memory(t), "tune.db")
		must(t, os.WriteFile(path, damaged, 0o644))
		useAll(path)
		s, err := Open(path)
		if err != nil {
			if after, _ := os.ReadFile(path); !bytes.Equal(after, damaged) {
				t.Error("what was refused was changed")
			}
			return
		}
		defer s.Close()
		run, err := s.Begin(ctx, spec("snake", "snake"))
		if err != nil {
			return
		}
		s.Candidates(ctx, run.ID, 0, 100)
		s.AddCandidates(ctx, run.ID, []experiments.Candidate{{Number: 100}})
		s.Finish(ctx, run.ID, experiments.Failed)
	})
}
