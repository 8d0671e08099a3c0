package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tune2048/configs"
)

// fixture returns a folder with a database of an earlier version, and with the two configs that made it: see
// results/upgrade_test.go.
func fixture(t *testing.T, version int) (folder string) {
	t.Helper()
	folder = t.TempDir()
	database := filepath.Join(folder, defaultDatabase)
	if err := os.Mkdir(filepath.Dir(database), 0o755); err != nil {
		t.Fatal(err)
	}
	packed, err := os.Open(fmt.Sprintf("../../results/testdata/version%d.db.gz", version))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	writeFrom(t, database, unpacked)
	for _, name := range []string{"finished.yaml", "unfinished.yaml"} {
		text, err := os.ReadFile("../../results/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if version < 4 { // it had no sensitivity
			text = text[:strings.Index(string(text), "sensitivity:")]
		}
		writeFrom(t, filepath.Join(folder, name), strings.NewReader(string(text)))
	}
	return folder
}

func writeFrom(t *testing.T, path string, content io.Reader) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(file, content); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	file, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	writeFrom(t, to, file)
}

// shell is what the sqlite3 shell answers.
func shell(t *testing.T, database, statement string) string {
	t.Helper()
	command := exec.Command("sqlite3", "-bail", database)
	command.Stdin = strings.NewReader(statement)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %.200s: %v: %s", database, statement, err, out)
	}
	return string(out)
}

func needShell(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("sqlite3"); err != nil {
		t.Skip("needs the sqlite3 shell")
	}
}

// facts are all rows of the tables that hold what was found, as version 2 has them, and none of those that follow from them.
const facts = `SELECT id, name, base_name, kind, config_yaml, config_hash, seed, status, signature, go_version, goarch, started_at,
		updated_at, finished_at, stopped_after, fingerprint, champion_id FROM runs;
	SELECT id, run_id, number, generation, stage, origin, name, dead FROM candidates;
	SELECT * FROM weights; SELECT * FROM evaluations; SELECT * FROM games; SELECT * FROM comparisons;`

// TestUpgradedRuns: the same commands as before go on with a database of an earlier version: a finished run is read back and
// an unfinished one resumed, to what it would have found without the interruption, where its config and engine mean the same
// as today; where they do not the program says so, and the run stays what it was.
func TestUpgradedRuns(t *testing.T) {
	needShell(t)
	for version, names := range map[int][]string{
		1: {"finished"}, 2: {"finished", "unfinished"}, 3: {"finished"}, 4: {"finished", "unfinished"}, 5: {"finished", "unfinished"},
	} {
		t.Run(fmt.Sprint("version ", version), func(t *testing.T) {
			folder := fixture(t, version)
			database := filepath.Join(folder, defaultDatabase)
			for i, name := range names {
				ofRun := fmt.Sprintf("SELECT * FROM evaluations WHERE run_id = %d; SELECT * FROM games WHERE run_id = %d", i+1, i+1)
				before := shell(t, database, ofRun)
				c, err := configs.Load(filepath.Join(folder, name+".yaml"))
				if err != nil {
					t.Fatal(err)
				}
				same := strings.TrimSpace(shell(t, database, "SELECT config_hash FROM runs WHERE name = '"+name+"'")) == c.Hash
				run, says := name, "is finished: reading it back"
				switch {
				case !same:
					run, says = name+".2", "new run "+name+".2: the name was taken by a run of another config, engine or version of this program"
				case name == "unfinished":
					says = "resuming run unfinished"
				}
				code, stderr := start(t, folder, "-config", name+".yaml").end(t)
				if code != exitOK || !strings.Contains(stderr, says) {
					t.Fatalf("%s: exit code %d, want %q in stderr:\n%s", name, code, says, stderr)
				}
				if upgrades := strings.Contains(stderr, "upgraded results/tune.db to version "); upgrades != (i == 0) {
					t.Errorf("%s: stderr:\n%s", name, stderr)
				}
				if run != name || name == "finished" {
					if after := shell(t, database, ofRun); after != before {
						t.Errorf("run %s is another than before", name)
					}
				}
				fresh := t.TempDir()
				copyFile(t, filepath.Join(folder, name+".yaml"), filepath.Join(fresh, name+".yaml"))
				if code, stderr := start(t, fresh, "-config", name+".yaml").end(t); code != exitOK {
					t.Fatalf("exit code %d, stderr:\n%s", code, stderr)
				}
				fingerprint := func(folder, run string) string {
					return shell(t, filepath.Join(folder, defaultDatabase), "SELECT fingerprint FROM runs WHERE name = '"+run+"'")
				}
				if got, want := fingerprint(folder, run), fingerprint(fresh, name); got != want || len(got) != 65 {
					t.Errorf("%s: the fingerprint is %s, in a new database %s", run, got, want)
				}
				verify := start(t, folder, "verify", "-all", name)
				if code, stderr := verify.end(t); code != exitOK {
					t.Errorf("verify %s: exit code %d, stderr:\n%s", name, code, stderr)
				}
				if out := verify.stdout.String(); !strings.Contains(out, "no difference") ||
					name == "finished" && !strings.Contains(out, "the fingerprint is the one that the run finished with") {
					t.Errorf("verify %s: %s", name, out)
				}
			}
		})
	}
}

// TestUpgradeCommand: what people see, and the way back.
func TestUpgradeCommand(t *testing.T) {
	needShell(t)
	folder := fixture(t, 2)
	database := filepath.Join(folder, defaultDatabase)
	before := shell(t, database, facts)
	tune := func(wantCode int, want string, args ...string) {
		t.Helper()
		p := start(t, folder, args...)
		if code, stderr := p.end(t); code != wantCode || !strings.Contains(stderr, want) {
			t.Fatalf("%v: exit code %d, want %d and %q, stderr:\n%s", args, code, wantCode, want, stderr)
		}
	}
	tune(exitFailed, "bring it up to date: tune runs -upgrade;", "runs")
	tune(exitFailed, "bring it up to date: tune runs -upgrade;", "runs", "-delete", "finished", "-yes")
	tune(exitUsage, "-backup goes with -upgrade", "runs", "-backup=false")
	tune(exitUsage, "want -upgrade or -json", "runs", "-upgrade", "-json")
	tune(exitUsage, "want -delete or -upgrade", "runs", "-upgrade", "-delete", "finished")
	tune(exitFailed, "nowhere/tune.db", "runs", "-upgrade", "-db", "nowhere/tune.db")
	if _, err := os.Stat(filepath.Join(folder, "nowhere")); err == nil {
		t.Error("-upgrade made a folder")
	}
	for range 2 { // there and back again
		p := start(t, folder, "runs", "-upgrade")
		code, stderr := p.end(t)
		back, _ := strings.CutPrefix(strings.Split(stderr+"\n", "\n")[1], "backup: results/tune.db.v2.backup, 98 kB; to go back to it, and to the older program: ")
		if want := "rm -f results/tune.db-wal results/tune.db-shm && mv results/tune.db.v2.backup results/tune.db"; code != exitOK || back != want {
			t.Fatalf("exit code %d, stderr:\n%s", code, stderr)
		}
		tune(exitOK, "", "runs")
		tune(exitOK, "is up to date", "runs", "-upgrade")
		command := exec.Command("sh", "-c", back)
		command.Dir = folder
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if got := shell(t, database, "PRAGMA user_version"); got != "2\n" || shell(t, database, facts) != before {
			t.Error("the database is another than before")
		}
	}
	tune(exitOK, "upgraded results/tune.db", "runs", "-upgrade", "-backup=false")
	if entries, err := os.ReadDir(filepath.Dir(database)); err != nil || len(entries) != 1 {
		t.Errorf("got %v, %v", entries, err)
	}
}

// large makes a database of version 2 with 20,000 more evaluations, which takes about a second to upgrade.
func large(t *testing.T) (folder string) {
	t.Helper()
	folder = fixture(t, 2)
	shell(t, filepath.Join(folder, defaultDatabase), `
		PRAGMA synchronous = OFF;
		CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 19999) SELECT i FROM n;
		BEGIN;
		INSERT INTO runs SELECT 3, 'large', 'large', kind, config_yaml, config_hash || 'x', seed, 'interrupted', signature, go_version,
			goarch, started_at, updated_at, NULL, NULL, NULL, NULL FROM runs WHERE id = 1;
		INSERT INTO candidates SELECT 3000000 + i, 3, i, i / 40, 'tune', 'mutation', '', 'worst' FROM n;
		INSERT INTO weights SELECT 3000000 + i, 0, 'line', i / 3.0 FROM n;
		INSERT INTO evaluations SELECT 3, 3000000 + i, 'tuning', 'tune', 'depth 1', i / 40, 0, 8, 5000 + i * 7919 % 10007 / 8.0, 2000, 28e6, NULL, NULL,
			i * 31 % 1009, NULL, 8, 8, 8, i % 9, i % 5, 0, 0, 0, 0, 0, 4000, 90000, 'hash', i * 8 FROM n;
		INSERT INTO games SELECT 3000000000 + i, 3, 3000000 + i, 'tuning', 'tune', 'depth 1', i / 40, 0, i, 5000, 512, 500, 11000, 90, 0 FROM n;
		COMMIT;`)
	return folder
}

// TestKilledUpgrade kills the real program while it backs a database up and while it upgrades it: the database is of the
// old version or of the new one, whole, with every row, a backup that has its name is whole too, and the same command
// ends with what an uninterrupted upgrade leaves.
func TestKilledUpgrade(t *testing.T) {
	needShell(t)
	n := kills(t)
	original := large(t)
	before := shell(t, filepath.Join(original, defaultDatabase), facts)
	upgrading := func(folder string) *process { return start(t, folder, "runs", "-upgrade") }
	begin := func() (folder string) {
		folder = t.TempDir()
		if err := os.Mkdir(filepath.Join(folder, "results"), 0o755); err != nil {
			t.Fatal(err)
		}
		copyFile(t, filepath.Join(original, defaultDatabase), filepath.Join(folder, defaultDatabase))
		return folder
	}
	reference := begin()
	p := upgrading(reference)
	p.await(t, "backup: ")
	began := time.Now()
	if code, stderr := p.end(t); code != exitOK {
		t.Fatalf("exit code %d, stderr:\n%s", code, stderr)
	}
	work := time.Since(began)
	want := content(t, reference, "large")
	newest := shell(t, filepath.Join(reference, defaultDatabase), "PRAGMA user_version")
	info, err := os.Stat(filepath.Join(reference, defaultDatabase+".v2.backup"))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(2048, 4))
	moments := map[string]int{}
	for left := n; left > 0; {
		folder := begin()
		database := filepath.Join(folder, defaultDatabase)
		for range 1 + random.IntN(3) {
			p := upgrading(folder)
			moment := ""
			switch random.IntN(6) {
			case 0:
				moment = "backup written"
				p.awaitOrEnd("backup: ")
			case 1:
				moment = "upgraded"
				p.awaitOrEnd("upgraded ")
			case 2, 3:
				moment = "in the backup"
				p.killAtSize(database+".v2.backup.partial", random.Int64N(info.Size()))
			case 4:
				moment = "in the upgrade"
				p.awaitOrEnd("backup: ")
				time.Sleep(time.Duration(random.Int64N(int64(work))))
			case 5:
				moment = "at the commit" // most of the log is written then
				p.awaitOrEnd("backup: ")
				p.killAtSize(database+"-wal", 1+random.Int64N(info.Size()/4))
			}
			p.Process.Kill()
			p.end(t)
			if p.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
				left--
			} else {
				moment = "too late"
			}
			version := checkKilled(t, database, before, newest)
			moments[fmt.Sprintf("%s: %d", moment, version)]++
		}
		if code, stderr := upgrading(folder).end(t); code != exitOK {
			t.Fatalf("exit code %d, stderr:\n%s", code, stderr)
		}
		if got := content(t, folder, "large"); got != want {
			t.Errorf("the content is another than uninterrupted: %s", firstDifference(got, want))
		}
		checkBackup(t, database, before)
		for _, left := range []string{".v2.backup.partial", ".v2.backup.partial-journal", ".v2.backup.2"} {
			if _, err := os.Stat(database + left); err == nil {
				t.Errorf("%s%s is left", database, left)
			}
		}
	}
	t.Logf("moments, and the version that was left: %v", moments)
}

// killAtSize kills the process once a file is larger, unless it ends before.
func (p *process) killAtSize(path string, size int64) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p.awaitOrEnd("upgraded ")
	}()
	for {
		if info, err := os.Stat(path); err == nil && info.Size() > size {
			p.Process.Kill()
			<-ended
			return
		}
		select {
		case <-ended:
			return
		case <-time.After(100 * time.Microsecond):
		}
	}
}

// checkKilled looks at a copy of what a killed process left, since to look at a database tidies it up.
func checkKilled(t *testing.T, database, before, newest string) (version int) {
	t.Helper()
	checkBackup(t, database, before)
	looked := filepath.Join(t.TempDir(), "looked.db")
	copyFile(t, database, looked)
	if _, err := os.Stat(database + "-wal"); err == nil {
		copyFile(t, database+"-wal", looked+"-wal")
	}
	var verdict string
	if _, err := fmt.Sscan(shell(t, looked, "PRAGMA integrity_check; PRAGMA user_version"), &verdict, &version); err != nil || verdict != "ok" ||
		version != 2 && fmt.Sprintln(version) != newest {
		t.Fatalf("%s: version %d, %s, %v", database, version, verdict, err)
	}
	if shell(t, looked, facts) != before {
		t.Fatalf("%s: rows are lost or changed", database)
	}
	return version
}

// checkBackup fails unless a backup, if there is one, is what the database was.
func checkBackup(t *testing.T, database, before string) {
	t.Helper()
	backup := database + ".v2.backup"
	if _, err := os.Stat(backup); err != nil {
		return
	}
	if got := shell(t, backup, "PRAGMA integrity_check; PRAGMA user_version; "+facts); got != "ok\n2\n"+before {
		t.Fatalf("%s is not what the database was", backup)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// TestUpgradeWithoutRoom: on a disk that has no room for the backup nothing is changed, and the way out works.
func TestUpgradeWithoutRoom(t *testing.T) {
	needShell(t)
	original := filepath.Join(large(t), defaultDatabase)
	info, err := os.Stat(original)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	disk := filepath.Join(folder, "results")
	if err := os.Mkdir(disk, 0o755); err != nil {
		t.Fatal(err)
	}
	size := fmt.Sprintf("size=%d", info.Size()*4)
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", size, "tmpfs", disk).CombinedOutput(); err != nil {
		t.Skipf("needs to mount a small disk, as root on Linux: %v %s", err, out)
	}
	t.Cleanup(func() { exec.Command("umount", disk).Run() })
	database := filepath.Join(folder, defaultDatabase)
	copyFile(t, original, database)
	before := shell(t, database, facts)
	ballast := filepath.Join(disk, "ballast")
	writeFrom(t, ballast, io.LimitReader(zeros{}, info.Size()*9/4))
	copyFile(t, "../../results/testdata/finished.yaml", filepath.Join(folder, "finished.yaml"))
	for _, args := range [][]string{{"-config", "finished.yaml"}, {"runs", "-upgrade"}} {
		code, stderr := start(t, folder, args...).end(t)
		if code != exitFailed || !strings.Contains(stderr, "the disk is full") || !strings.Contains(stderr, "it stays at version 2") ||
			!strings.Contains(stderr, "tune runs -upgrade -backup=false") {
			t.Fatalf("%v: exit code %d, stderr:\n%s", args, code, stderr)
		}
	}
	if got := shell(t, database, "PRAGMA user_version; "+facts); got != "2\n"+before {
		t.Error("the database was changed")
	}
	if entries, err := os.ReadDir(disk); err != nil || len(entries) != 2 {
		t.Errorf("got %v, %v", entries, err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if code, stderr := start(t, folder, "runs", "-upgrade", "-backup=false").end(t); code != exitOK {
		t.Fatalf("exit code %d, stderr:\n%s", code, stderr)
	}
	if got := shell(t, database, facts); got != before {
		t.Error("rows are lost or changed")
	}
}
