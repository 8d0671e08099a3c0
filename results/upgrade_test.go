package results

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tune2048/experiments"
)

// testdata/versionN.db.gz are databases as programs of earlier schema versions left them, with two runs: finished, and
// unfinished, whose process was killed in its second generation.
//
//   - version 2 was written by commit d836ade on linux/amd64 (versions 1 and 2 came together, in 58fce61 as they are), with
//     the configs testdata/finished.yaml and unfinished.yaml but for their last lines: tune -config FILE -workers 1.
//   - version 1 is that without the views of step 002, and version 3 is that with step 003: what a process left that was killed
//     between two steps, which were transactions of their own up to commit 83611b1.
//   - version 4 was written by commit 83611b1, version 5 by 59ab105 and version 6 by dfc31ca, with the configs as they are.
//
// Each went through VACUUM and gzip -9n.
var fixtures = []int{1, 2, 3, 4, 5, 6}

// fixture unpacks the database of a version.
func fixture(t testing.TB, version int) (path string) {
	t.Helper()
	packed, err := os.Open(fmt.Sprintf("testdata/version%d.db.gz", version))
	must(t, err)
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	must(t, err)
	content, err := io.ReadAll(unpacked)
	must(t, err)
	path = filepath.Join(t.TempDir(), "tune.db")
	must(t, os.WriteFile(path, content, 0o644))
	return path
}

// TestStepsNeverChange: a database has what the steps made of it when it was upgraded. Whoever wants another schema adds
// a step, and its hash here.
func TestStepsNeverChange(t *testing.T) {
	want := []string{
		"f6744a540b09771f84827fe1541790b3160026e50b620582df49d12c9f3a88af", // 001
		"757b4e01bc896c21522487af6585bf9bcdc0e4fe8022b96f4e7519886be36dfa", // 002
		"21a7191cdef8f3571147ab616a914450a077a78389ca12f4dfc8639015360ce8", // 003
		"142d8df3a1e720fa00149aad08a3d2d188abc769e52363c89d9478ffc597110e", // 004
		"9e5940891bf0b2b0aa3b469b889725b469bbbc46bb223afba293cc5a82ad7dd2", // 005
		"c580751bf6e0e587e1fd785176a7ceb6522fdf086eeff26efadcaeddc8440a1b", // 006
		"875df3f3d74d74a9cf779cb5975a8ec3c677e385f6a9c2238227016acfaceb85", // 007
	}
	if len(migrations) != len(want) {
		t.Fatalf("there are %d steps, %d are known here", len(migrations), len(want))
	}
	for i, m := range migrations {
		if got := fmt.Sprintf("%x", sha256.Sum256([]byte(m.statement))); got != want[i] {
			t.Errorf("%s was changed: its SHA-256 is %s", m.name, got)
		}
	}
}

// facts are the tables that hold what was found, with the order of their rows; the others follow from them.
var facts = map[string]string{
	"runs": "id", "candidates": "id", "weights": "candidate_id, position", "games": "id",
	"evaluations": "run_id, phase, stage, search, generation, round, candidate_id",
	"comparisons": "run_id, phase, search, candidate_id, baseline_id",
}

// dump is all that a database holds in the columns that a version has, as text.
func dump(t *testing.T, path string, version int) map[string]string {
	t.Helper()
	model := filepath.Join(t.TempDir(), "model.db")
	db := raw(t, model)
	must(t, migrateTo(context.Background(), db, version, nil))
	must(t, db.Close())
	all := map[string]string{}
	for table, order := range facts {
		columns := single(t, model, "SELECT group_concat(name) FROM pragma_table_info('"+table+"')").(string)
		names, rows := answer(t, path, "SELECT "+columns+" FROM "+table+" ORDER BY "+order)
		var b strings.Builder
		fmt.Fprintln(&b, names)
		for _, row := range rows {
			fmt.Fprintf(&b, "%#v\n", row) // floats to the last bit
		}
		all[table] = b.String()
	}
	return all
}

// single answers a query of one value.
func single(t testing.TB, path, query string) any {
	t.Helper()
	_, rows := answer(t, path, query)
	if len(rows) != 1 || len(rows[0]) != 1 {
		t.Fatalf("%s: got %v", query, rows)
	}
	return rows[0][0]
}

// checkUpgraded fails unless the database is of the newest version, whole, and has these facts and what follows from them.
func checkUpgraded(t *testing.T, path string, version int, want map[string]string) {
	t.Helper()
	for query, want := range map[string]any{
		"PRAGMA user_version": int64(newestVersion()), "PRAGMA application_id": int64(applicationID), "PRAGMA integrity_check": "ok",
		"SELECT count(*) FROM pragma_foreign_key_check":            int64(0),
		"SELECT count(*) FROM sqlite_schema WHERE type = 'view'":   int64(len(views)),
		"SELECT count(*) FROM blocks WHERE candidates * games = 0": int64(0),
	} {
		if got := single(t, path, query); got != want {
			t.Errorf("%s: got %v, want %v", query, got, want)
		}
	}
	if got := dump(t, path, version); !reflect.DeepEqual(got, want) {
		t.Errorf("what was found is not what it was")
	}
	checkSummaries(t, path)
	sameViews(t, "upgraded", path, version2(t, path))
}

// beside lists what lies in the database's folder, but for the database.
func beside(t testing.TB, path string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	must(t, err)
	for _, e := range entries {
		if e.Name() != filepath.Base(path) {
			names = append(names, e.Name())
		}
	}
	return names
}

func TestUpgrade(t *testing.T) {
	for _, version := range fixtures {
		t.Run(fmt.Sprint("version ", version), func(t *testing.T) {
			path := fixture(t, version)
			if got := single(t, path, "PRAGMA user_version"); got != int64(version) {
				t.Fatalf("the fixture is of version %v", got)
			}
			want := dump(t, path, version)
			var told []Upgrade
			s, err := OpenWith(context.Background(), path, Options{Observe: func(u Upgrade) { told = append(told, u) }})
			must(t, err)
			checkUpgraded(t, path, version, want)

			run := find(t, s, "finished")
			again, err := s.Reader().Fingerprint(context.Background(), run.ID)
			must(t, err)
			if run.Status != experiments.Finished || run.Fingerprint == "" || again != run.Fingerprint {
				t.Errorf("run finished: %+v, fingerprint %s", run, again)
			}
			if run := find(t, s, "unfinished"); run.Status != experiments.Running || run.Alive {
				t.Errorf("run unfinished: %+v", run)
			}
			if version < 4 { // what the program said that made it; it validated at depth 1 and 2
				if h := run.HeldOut; len(h) != 2 || run.Champion != 9 || run.Games != 148 || h[0].Games != 10 ||
					math.Abs(h[0].Mean.Value-8081.6) > 1e-9 || math.Abs(h[1].Mean.Value-11152.8) > 1e-9 ||
					math.Abs(h[0].Gain.Value-1464.4) > 1e-9 || math.Abs(h[1].Gain.Interval.Low+485.8979500155856) > 1e-9 {
					t.Errorf("got %+v", run)
				}
			}
			must(t, s.Close())

			backup := fmt.Sprintf("%s.v%d.backup", path, version)
			if got := beside(t, path); !slices.Equal(got, []string{filepath.Base(backup)}) {
				t.Errorf("beside the database there is %v", got)
			}
			info, err := os.Stat(backup)
			must(t, err)
			begins := Upgrade{Path: path, From: version, To: newestVersion()}
			saved := begins
			saved.Backup, saved.BackupBytes = backup, info.Size()
			done := saved
			done.Done = true
			if !slices.Equal(told, []Upgrade{begins, saved, done}) {
				t.Errorf("told %+v", told)
			}
			// It takes the database's place.
			must(t, os.Rename(backup, path))
			if got := single(t, path, "PRAGMA user_version"); got != int64(version) || single(t, path, "PRAGMA integrity_check") != "ok" ||
				!reflect.DeepEqual(dump(t, path, version), want) {
				t.Error("the backup is not what the database was")
			}
			s, err = OpenWith(context.Background(), path, Options{NoBackup: true})
			must(t, err)
			must(t, s.Close())
			checkUpgraded(t, path, version, want)
			if left := beside(t, path); len(left) != 0 {
				t.Errorf("without a backup there is %v", left)
			}
		})
	}
}

// TestNamedQueriesAfterUpgrade: the shipped queries say of an upgraded database what the views of version 2 say, to this
// program and to the sqlite3 shell.
func TestNamedQueriesAfterUpgrade(t *testing.T) {
	for _, version := range fixtures {
		path := fixture(t, version)
		s, err := Open(path)
		must(t, err)
		must(t, s.Close())
		older := version2(t, path)
		for _, q := range NamedQueries() {
			// The newest run has no held-out games to count tiles in; before version 4 there was no sensitivity.
			what := fmt.Sprint("version ", version, ": ", q.Name)
			names, got := answer(t, path, q.SQL)
			slow := q.SQL
			if q.Name == "cost" { // it reads summaries
				slow = costOfAllGames
			}
			_, want := answer(t, older, slow)
			if len(got) != len(want) || len(want) == 0 && q.Name != "tiles" && (q.Name != "sensitivity" || version >= 4) {
				t.Errorf("%s: got %d rows, want %d", what, len(got), len(want))
				continue
			}
			for i := range want {
				for j, name := range names {
					timed := strings.HasPrefix(name, "ms_") // of the last games
					if !timed && !alike(name, got[i], want[i], j, names) || timed && (got[i][j] == nil) != (want[i][j] == nil) {
						t.Errorf("%s: row %d: %s: got %v, want %v", what, i, name, got[i][j], want[i][j])
					}
				}
			}
			shell, ok := shellAnswer(t, path, q.SQL)
			if !ok {
				continue
			}
			if len(shell) != len(got) {
				t.Errorf("%s: %d rows in the shell, want %d", what, len(shell), len(got))
				continue
			}
			for i, row := range shell {
				for j, name := range names {
					if !sameValue(row[name], got[i][j]) {
						t.Errorf("%s: row %d: %s: the shell says %v, want %v", what, i, name, row[name], got[i][j])
					}
				}
			}
		}
	}
}

// costOfAllGames is the named query cost, slowly.
const costOfAllGames = `SELECT r.name AS run, e.search, sum(e.games) AS games, 1.0 * sum(e.nodes) / sum(e.moves) AS nodes_per_move,
		1.0 * sum(e.moves) / sum(e.games) AS moves_per_game, 1.0 AS ms_per_move, 1.0 AS ms_per_game
	FROM evaluations AS e JOIN runs AS r ON r.id = e.run_id GROUP BY r.id, e.search ORDER BY r.id DESC, nodes_per_move`

// shellAnswer is what the sqlite3 shell says.
func shellAnswer(t *testing.T, path, query string) (rows []map[string]any, ok bool) {
	t.Helper()
	shell, err := exec.LookPath("sqlite3")
	if err != nil {
		return nil, false
	}
	command := exec.Command(shell, "-bail", "-json", path)
	command.Stdin = strings.NewReader(query)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if len(bytes.TrimSpace(out)) > 0 {
		must(t, json.Unmarshal(out, &rows))
	}
	return rows, true
}

// sameValue compares a value of the shell's JSON, whose numbers have 15 digits, with one of the driver.
func sameValue(shell, want any) bool {
	number, ok := shell.(float64)
	switch want := want.(type) {
	case int64:
		return ok && number == float64(want)
	case float64:
		return ok && math.Abs(number-want) <= 1e-14*math.Abs(want)
	}
	return shell == want
}

// TestUpgradeOfWhatWasNeverUsed: a database without runs, as a process left it that was killed when it made it, is worth
// no backup.
func TestUpgradeOfWhatWasNeverUsed(t *testing.T) {
	for version := range newestVersion() {
		path := filepath.Join(t.TempDir(), "tune.db")
		db := raw(t, path)
		must(t, migrateTo(context.Background(), db, version, nil))
		must(t, db.Close())
		s, err := OpenWith(context.Background(), path, Options{Observe: func(u Upgrade) { t.Errorf("told %+v", u) }})
		must(t, err)
		begin(t, s, spec("snake", "a"))
		must(t, s.Close())
		if left := beside(t, path); len(left) != 0 {
			t.Errorf("version %d: there is %v", version, left)
		}
	}
}

// TestBackupOverwritesNothing: other files keep their names, what a killed process left goes, the same backup is not
// written twice, and nobody may read it who may not read the database.
func TestBackupOverwritesNothing(t *testing.T) {
	path := fixture(t, 2)
	content, err := os.ReadFile(path)
	must(t, err)
	base := path + ".v2.backup"
	must(t, os.WriteFile(base, []byte("mine"), 0o644))
	must(t, os.Mkdir(base+".2", 0o755))
	must(t, os.Symlink("nowhere", base+".3"))
	upgrade := func() {
		t.Helper()
		must(t, os.WriteFile(base+".partial", bytes.Repeat([]byte("half"), 1e5), 0o644))
		must(t, os.WriteFile(base+".partial-journal", []byte("half"), 0o644))
		must(t, os.WriteFile(path, content, 0o600))
		must(t, os.Chmod(path, 0o600))
		s, err := Open(path)
		must(t, err)
		must(t, s.Close())
		if text, err := os.ReadFile(base); err != nil || string(text) != "mine" {
			t.Errorf("got %q, %v", text, err)
		}
		if target, err := os.Readlink(base + ".3"); err != nil || target != "nowhere" {
			t.Errorf("got %q, %v", target, err)
		}
		if info, err := os.Stat(base + ".4"); err != nil || info.Mode() != 0o600 {
			t.Errorf("got %v, %v", info, err)
		}
	}
	name := filepath.Base(base)
	for range 2 {
		upgrade()
		if got, want := beside(t, path), []string{name, name + ".2", name + ".3", name + ".4"}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	// Another state of the database is another backup.
	db := raw(t, path+"2")
	must(t, os.WriteFile(path+"2", content, 0o600))
	execute(t, db, "DELETE FROM games")
	must(t, db.Close())
	content, err = os.ReadFile(path + "2")
	must(t, err)
	must(t, os.Remove(path+"2"))
	upgrade()
	if got, want := beside(t, path), []string{name, name + ".2", name + ".3", name + ".4", name + ".5"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestBackupBesideTheFile: of a database that is reached by a link the backup lies beside the file, as its log does.
func TestBackupBesideTheFile(t *testing.T) {
	path := fixture(t, 2)
	link := filepath.Join(t.TempDir(), "link.db")
	must(t, os.Symlink(path, link))
	var last Upgrade
	s, err := OpenWith(context.Background(), link, Options{Observe: func(u Upgrade) { last = u }})
	must(t, err)
	must(t, s.Close())
	if last.Path != path || last.Backup != path+".v2.backup" || len(beside(t, link)) != 0 {
		t.Errorf("got %+v and %v", last, beside(t, link))
	}
}

// TestBackupFails: a database that cannot be backed up stays as it is, and the way out is told.
func TestBackupFails(t *testing.T) {
	path := fixture(t, 2)
	want := dump(t, path, 2)
	must(t, os.MkdirAll(path+".v2.backup.partial/full", 0o755)) // no room, for root too
	_, err := Open(path)
	if err == nil || !strings.Contains(err.Error(), "back up") || !strings.Contains(err.Error(), path) ||
		!strings.Contains(err.Error(), "tune runs -upgrade -db "+path+" -backup=false") {
		t.Fatalf("got %v", err)
	}
	if got := single(t, path, "PRAGMA user_version"); got != int64(2) || !reflect.DeepEqual(dump(t, path, 2), want) {
		t.Error("the database was changed")
	}
	s, err := OpenWith(context.Background(), path, Options{NoBackup: true})
	must(t, err)
	must(t, s.Close())
	checkUpgraded(t, path, 2, want)
}

// TestUpgradeIsCanceledTooLate: what is upgraded is opened.
func TestUpgradeIsCanceledTooLate(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s, err := OpenWith(ctx, fixture(t, 2), Options{Observe: func(u Upgrade) {
		if u.Done {
			cancel()
		}
	}})
	must(t, err)
	must(t, s.Close())
}

// TestUpgradeIsCanceled leaves a database as it is.
func TestUpgradeIsCanceled(t *testing.T) {
	path := fixture(t, 2)
	want := dump(t, path, 2)
	for moment := range 2 { // before the backup, after it; the test below has the end
		ctx, cancel := context.WithCancel(context.Background())
		_, err := OpenWith(ctx, path, Options{Observe: func(Upgrade) {
			if moment--; moment < 0 {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
		if got := single(t, path, "PRAGMA user_version"); got != int64(2) || !reflect.DeepEqual(dump(t, path, 2), want) {
			t.Error("the database was changed")
		}
		if left := beside(t, path); slices.ContainsFunc(left, func(name string) bool { return strings.Contains(name, "partial") }) {
			t.Errorf("there is %v", left)
		}
	}
}

// TestUpgradeWaitsForTheOldProgram: an older program that works on a run would go on in a database that it does not know.
func TestUpgradeWaitsForTheOldProgram(t *testing.T) {
	path := fixture(t, 2)
	lock, err := acquire(lockPath(path, 2))
	must(t, err)
	_, err = Open(path)
	if !errors.Is(err, experiments.ErrBusy) || !strings.Contains(err.Error(), "unfinished") || !strings.Contains(err.Error(), fmt.Sprint("pid ", os.Getpid())) {
		t.Fatalf("got %v", err)
	}
	if left := beside(t, path); slices.Contains(left, "tune.db.v2.backup") || single(t, path, "PRAGMA user_version") != int64(2) {
		t.Errorf("there is %v", left)
	}
	must(t, lock.release())
	s, err := Open(path)
	must(t, err)
	must(t, s.Close())
}

// TestUpgradeRefusesOtherTables: up to commit e86e113 programs wrote version 2 without a column that it has now.
func TestUpgradeRefusesOtherTables(t *testing.T) {
	for change, part := range map[string]string{
		"ALTER TABLE evaluations DROP COLUMN games_hash": `the table "evaluations" is not`,
		"DROP VIEW progress":                             `the view "progress" is missing`,
		"DROP INDEX evaluations_by_candidate":            `the index "evaluations_by_candidate" is missing`,
	} {
		path := fixture(t, 2)
		db := raw(t, path)
		execute(t, db, change)
		must(t, db.Close())
		before, err := os.ReadFile(path)
		must(t, err)
		if _, err := Open(path); !errors.Is(err, ErrAltered) || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: got %v", change, err)
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s: the database was changed, %v", change, err)
		}
	}
	// What somebody added stays.
	path := fixture(t, 2)
	db := raw(t, path)
	execute(t, db, "CREATE TABLE notes AS SELECT name AS run, 'good' AS note FROM runs; CREATE VIEW mine AS SELECT run, note FROM leaderboard JOIN notes USING (run)")
	must(t, db.Close())
	s, err := Open(path)
	must(t, err)
	must(t, s.Close())
	if got := single(t, path, "SELECT count(DISTINCT note) + count(DISTINCT run) FROM mine"); got != int64(3) {
		t.Errorf("got %v", got)
	}
}

// upgradeRole upgrades a database, and says whether it wrote a backup.
func upgradeRole(path string) error {
	backup := "none"
	s, err := OpenWith(context.Background(), path, Options{Observe: func(u Upgrade) {
		if u.Done {
			backup = u.Backup
		}
	}})
	if err != nil {
		return err
	}
	fmt.Println(backup)
	return s.Close()
}

func TestProcessesThatUpgradeAtOnce(t *testing.T) {
	path := fixture(t, 2)
	want := dump(t, path, 2)
	var all []*process
	for range 6 {
		all = append(all, start(t, "upgrade", path))
	}
	answers := map[string]int{}
	for _, p := range all {
		answer := p.line(t)
		answers[answer]++
		if err := p.cmd.Wait(); err != nil {
			t.Fatalf("%s: %v", answer, err)
		}
	}
	backup := path + ".v2.backup"
	if answers[backup] != 1 || answers["none"] != 5 {
		t.Errorf("got %v", answers)
	}
	checkUpgraded(t, path, 2, want)
	if !reflect.DeepEqual(dump(t, backup, 2), want) {
		t.Error("the backup is not what the database was")
	}
	if _, err := os.Stat(backup + ".partial"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestReaderRefusesAnOlderVersion: it changes nothing, and says what does.
func TestReaderRefusesAnOlderVersion(t *testing.T) {
	for _, version := range fixtures {
		path := fixture(t, version)
		_, err := OpenReader(path)
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("its version is %d", version)) || !strings.Contains(err.Error(), "tune runs -upgrade -db "+path) {
			t.Errorf("version %d: got %v", version, err)
		}
		if got := single(t, path, "PRAGMA user_version"); got != int64(version) {
			t.Errorf("version %d became %v", version, got)
		}
	}
}
