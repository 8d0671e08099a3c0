package results

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/mattn/go-sqlite3"

	"tune2048/experiments"
)

// raw opens a file as plain SQLite.
func raw(t *testing.T, path string) *sql.DB {
	t.Helper()
	db := sure(sql.Open("sqlite3", path))(t)
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1) // a pragma is of a connection
	return db
}

// edit changes a file by hand.
func edit(t *testing.T, path, statement string) {
	t.Helper()
	db := raw(t, path)
	execute(t, db, statement)
	must(t, db.Close())
}

func execute(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	must(t, second(db.Exec(statement)))
}

// refused opens the file both ways, and fails unless both are refused in the same words and nothing
// changed.
func refused(t *testing.T, path string, kind error, words ...string) {
	t.Helper()
	before, _ := os.ReadFile(path)
	_, writing := Open(path)
	_, reading := OpenReader(path)
	for _, err := range []error{writing, reading} {
		if err == nil {
			t.Fatalf("%s was opened", path)
		}
		if kind != nil && !errors.Is(err, kind) {
			t.Errorf("want %v, got %v", kind, err)
		}
		for _, w := range append(words, "cannot ", path) {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("want %q in: %v", w, err)
			}
		}
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Errorf("%s was changed", path)
	}
}

func TestOpenRefusesWhatIsNotOurs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.txt")
	must(t, os.WriteFile(path, []byte(strings.Repeat("not a database\n", 1000)), 0o644))
	refused(t, path, errForeign, "-db")

	path = filepath.Join(t.TempDir(), "foreign.db")
	edit(t, path, "CREATE TABLE mine (a); INSERT INTO mine VALUES (1)")
	refused(t, path, errForeign, "other contents", "-db")
}

// TestOpenRefusesDamage: at once where SQLite sees it, otherwise when it is met or asked for, never
// in silence.
func TestOpenRefusesDamage(t *testing.T) {
	path := whole(t)
	text := sure(os.ReadFile(path))(t)
	must(t, os.WriteFile(path, text[:50], 0o644))
	refused(t, path, nil)

	must(t, os.WriteFile(path, text[:len(text)/2], 0o644))
	refused(t, path, ErrDamaged, "move it aside", ".recover")

	s, path := open(t)
	for i := range 6 {
		recordRun(t, s, fmt.Sprint("run", i), uint64(i))
	}
	must(t, s.Close())
	text = sure(os.ReadFile(path))(t)
	for i := range 20_000 {
		text[len(text)*3/4+i] = 0xa5
	}
	must(t, os.WriteFile(path, text, 0o644))
	reader := reading(t, path)
	fails(t, "", reader.CheckFile(ctx), "move it aside", ErrDamaged)
}

func TestOpenRefusesOtherThingsThanFiles(t *testing.T) {
	folder := t.TempDir()
	refused(t, folder, nil, "it is a folder", filepath.Join(folder, "tune.db"))

	file := filepath.Join(folder, "file")
	must(t, os.WriteFile(file, nil, 0o644))
	refused(t, filepath.Join(file, "tune.db"), nil, "file/tune.db: not a directory", "-db")
	fails(t, "", second(Open(filepath.Join(file, "deeper", "tune.db"))), "not a directory")
	pipe := filepath.Join(folder, "pipe")
	must(t, syscall.Mkfifo(pipe, 0o644))
	fails(t, "", second(Open(pipe)), "not a regular file")
	fails(t, "", second(Open("")), DefaultPath)
}

func TestOpenReaderNeedsWhatARunMade(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results", "tune.db")
	fails(t, "", second(OpenReader(path)), "tune -config", fs.ErrNotExist)
	if _, err := os.Stat(filepath.Dir(path)); err == nil {
		t.Error("reading created a folder")
	}
	mistyped := filepath.Join(t.TempDir(), "no folder", "results")
	for _, path := range []string{mistyped, filepath.Join(mistyped, "tune.db")} {
		for _, err := range []error{second(Open(path)), second(OpenReader(path))} {
			fails(t, path, err, "mkdir -p '"+filepath.Dir(mistyped)+"'", fs.ErrNotExist)
		}
	}
	if _, err := os.Stat(filepath.Dir(mistyped)); err == nil {
		t.Error("a mistyped folder was created")
	}
	empty := filepath.Join(t.TempDir(), "empty.db")
	must(t, os.WriteFile(empty, nil, 0o644))
	fails(t, "", second(OpenReader(empty)), "it is empty")
	reopen(t, empty) // an empty file is no one's
}

func TestOpenTakesAnyName(t *testing.T) {
	for _, name := range []string{"with space.db", "what?.db", "100%20.db", "a#b.db", "ünï.db", ":memory:", "file:x"} {
		path := filepath.Join(t.TempDir(), name)
		s := reopen(t, path)
		begin(t, s, spec("snake", "a"))
		must(t, s.Close())
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
		if runs, err := reading(t, path).Runs(ctx); err != nil || len(runs) != 1 {
			t.Errorf("%s: %v, %v", name, runs, err)
		}
	}
}

// left fails unless these files and no others are in the folder of a database.
func left(t *testing.T, path string, want ...string) {
	t.Helper()
	entries := sure(os.ReadDir(filepath.Dir(path)))(t)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
}

func TestCloseLeavesOneFile(t *testing.T) {
	s, path := open(t)
	begin(t, s, spec("snake", "a"))
	must(t, s.Close())
	must(t, s.Close())
	left(t, path, "tune.db")
	r := reading(t, path)
	must(t, second(r.Runs(ctx)))
	must(t, r.Close())
	must(t, reopen(t, path).Close()) // a reader may not tidy up after itself; the next writer does
	left(t, path, "tune.db")
}

// visit opens the database over and over, and begins a run now and then, whose name it says.
func visit(path string) error {
	for i := range 40 {
		s, err := Open(path)
		if err != nil {
			return err
		}
		if i%10 == os.Getpid()%10 {
			run, err := s.Begin(ctx, spec(fmt.Sprint("visit-", os.Getpid()), fmt.Sprint(i)))
			if err != nil {
				return err
			}
			fmt.Println(run.Name)
		}
		if err := s.Close(); err != nil {
			return err
		}
	}
	fmt.Println("done")
	return nil
}

// TestProcessesShareANewFile: processes that create, use and close one database at once lose no
// run.
func TestProcessesShareANewFile(t *testing.T) {
	rounds := 5
	if testing.Short() {
		rounds = 1
	}
	for range rounds {
		path := filepath.Join(t.TempDir(), "results", "tune.db")
		var all []*process
		for range 4 {
			all = append(all, start(t, "visit", path))
		}
		var begun []string
		for _, p := range all {
			for name := p.line(t); name != "done"; name = p.line(t) {
				if strings.HasPrefix(name, "error") {
					t.Fatal(name)
				}
				begun = append(begun, name)
			}
		}
		for _, name := range begun {
			must(t, second(reading(t, path).Find(ctx, name)))
		}
		if len(begun) != 16 {
			t.Errorf("%d runs were begun, want 16", len(begun))
		}
	}
}

// unprivileged gives root's rights up, since root may write everywhere, and opens what it may not
// write.
func unprivileged(folder string) error {
	if os.Getuid() == 0 {
		if err := errors.Join(syscall.Setgroups(nil), syscall.Setgid(65534), syscall.Setuid(65534)); err != nil {
			fmt.Println("skip", err)
			return nil
		}
	}
	for _, path := range []string{"folder/tune.db", "file.db", "folder/none.db", "results/tune.db"} {
		if _, err := Open(filepath.Join(folder, path)); err == nil {
			return fmt.Errorf("%s was opened for writing", path)
		} else {
			fmt.Println(err)
		}
	}
	if _, err := OpenReader(filepath.Join(folder, "folder/pending.db")); err == nil {
		return errors.New("a database was read without its write-ahead log")
	} else {
		fmt.Println(err)
	}
	for _, path := range []string{"folder/tune.db", "file.db"} {
		r, err := OpenReader(filepath.Join(folder, path))
		if err != nil {
			return err
		}
		runs, err := r.Runs(ctx)
		if err != nil {
			return err
		}
		fmt.Println(runs[0].Name)
	}
	return nil
}

func TestWhatMayNotBeWritten(t *testing.T) {
	folder := sure(os.MkdirTemp("", "results"))(t) // t.TempDir is closed to others
	t.Cleanup(func() {
		os.Chmod(filepath.Join(folder, "folder"), 0o755)
		os.RemoveAll(folder)
	})
	must(t, os.Mkdir(filepath.Join(folder, "folder"), 0o755))
	for _, path := range []string{"folder/tune.db", "file.db"} {
		s := reopen(t, filepath.Join(folder, path))
		begin(t, s, spec("snake", "a"))
		must(t, s.Close())
		must(t, os.Chmod(filepath.Join(folder, path), 0o444))
	}
	// A process was killed, and the file that its log needs was not copied.
	must(t, os.WriteFile(filepath.Join(folder, "folder/pending.db"),
		sure(os.ReadFile(filepath.Join(folder, "file.db")))(t), 0o444))
	must(t, os.WriteFile(filepath.Join(folder, "folder/pending.db-wal"), []byte("frames"), 0o444))
	must(t, os.Chmod(filepath.Join(folder, "folder"), 0o555))
	must(t, os.Chmod(folder, 0o555))
	t.Cleanup(func() { os.Chmod(folder, 0o755) })
	p := start(t, "unprivileged", folder)
	for _, want := range []string{"folder/tune.db: the file or its folder is read-only (",
		"file.db: the file or its folder is read-only (",
		"folder/none.db: the file or its folder is read-only (", "results",
		"folder/pending.db: the file or its folder is read-only ("} {
		line := p.line(t)
		if strings.HasPrefix(line, "skip") {
			t.Skip("cannot give root's rights up:", line)
		}
		if !strings.Contains(line, filepath.Join(folder, want)) || !strings.Contains(line, " with -db)") {
			t.Errorf("%s: got %s", want, line)
		}
	}
	for range 2 {
		if line := p.line(t); line != "snake" {
			t.Errorf("got %s", line)
		}
	}
}

// TestFileGone: a database that is deleted, moved or replaced under a run is an error at the next
// commit.
func TestFileGone(t *testing.T) {
	for name, do := range map[string]func(path string) error{
		"deleted":  os.Remove,
		"moved":    func(path string) error { return os.Rename(path, path+".old") },
		"replaced": func(path string) error { return errors.Join(os.Remove(path), os.WriteFile(path, []byte("new"), 0o644)) },
	} {
		s, path := open(t)
		run := begin(t, s, spec("gone", "hash"))
		must(t, do(path))
		fails(t, name, s.AddCandidates(ctx, run.ID, []experiments.Candidate{{Origin: "start"}}), "deleted, moved or replaced")
	}
}

// TestHardLinks: a database with two names is only read. With a file of its own it is written
// again. The same holds for the files beside it.
func TestHardLinks(t *testing.T) {
	path := whole(t)
	for _, end := range []string{"", "-wal", "-shm"} {
		file, other := path+end, filepath.Join(t.TempDir(), "other")
		if end != "" {
			must(t, os.WriteFile(file, nil, 0o644))
		}
		must(t, os.Link(file, other))
		before := sure(os.ReadFile(other))(t)
		_, err := Open(path)
		fails(t, file, err, "a hard link gives "+file+" a second name")
		command := fmt.Sprintf("cp %[1]s %[1]s.copy && mv %[1]s.copy %[1]s", file)
		fails(t, file, err, command)
		if end == "" {
			fails(t, other, second(Open(other)), "a hard link gives "+other)
			must(t, second(reading(t, other).Find(ctx, "snake")))
		}
		must(t, exec.Command("sh", "-c", command).Run())
		s := reopen(t, path)
		begin(t, s, spec("another", end))
		must(t, s.Close())
		if after := sure(os.ReadFile(other))(t); string(after) != string(before) {
			t.Errorf("%s was changed by its other name", file)
		}
	}
}

// TestFileLimits: a limit on the size of files and a quota are named, not a network drive.
func TestFileLimits(t *testing.T) {
	for number, want := range map[syscall.Errno]string{
		syscall.EFBIG:  "ulimit -f unlimited",
		syscall.EDQUOT: "your share of the disk is used up",
		syscall.EIO:    "a network folder cannot hold the database",
	} {
		err := explain("record games in", "x.db", sqlite3.Error{Code: sqlite3.ErrIoErr, SystemErrno: number})
		if text := err.Error(); !strings.Contains(text, want) || number != syscall.EIO && strings.Contains(text, "network") {
			t.Errorf("%v: got %q, want %q", number, text, want)
		}
	}
}
