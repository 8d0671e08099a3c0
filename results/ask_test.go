package results

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// endless is a table expression whose rows never end.
const endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "

// answer has what Ask hands over.
type answer struct {
	Rows [][]any
	Cut  string
}

func ask(r *Reader, ctx context.Context, text string, limit int) (a answer, err error) {
	a.Cut, err = r.Ask(ctx, text, limit, func([]string) error { return nil }, func(row []any) error {
		a.Rows = append(a.Rows, slices.Clone(row))
		return nil
	})
	return a, err
}

// TestAskRefuses: a question that does anything but read, or takes too much, is refused or stopped
// with its reason. The next one is answered.
func TestAskRefuses(t *testing.T) {
	path := whole(t)
	r := reading(t, path)
	before := sure(os.ReadDir(filepath.Dir(path)))(t)
	other := filepath.Join(t.TempDir(), "other.db")
	bomb := "WITH a0 AS (SELECT 1)" // each names the one before twice
	for i := range 40 {
		bomb += fmt.Sprintf(", a%d AS (SELECT 1 FROM a%d AS x, a%d AS y)", i+1, i, i)
	}
	const reads = "only a SELECT is answered"
	for statement, reason := range map[string]string{
		"ATTACH '" + other + "' AS other": reads, "VACUUM INTO '" + other + "'": reads,
		"PRAGMA user_version": reads, "PRAGMA query_only = OFF": reads, "PRAGMA journal_mode = DELETE": reads,
		"PRAGMA temp_store_directory = '/tmp'": reads, "SELECT * FROM pragma_database_list": reads, "PRAGMA hard_heap_limit = 1": reads,
		"DELETE FROM runs": reads, "INSERT INTO runs DEFAULT VALUES": reads, "UPDATE runs SET name = 'x' RETURNING name": reads,
		"WITH x AS (SELECT 1) DELETE FROM runs": reads, "CREATE TABLE t (a)": reads, "CREATE TEMP TABLE t (a)": reads, "DROP VIEW progress": reads,
		"CREATE TEMP VIEW v AS SELECT 1": reads, "BEGIN": reads, "COMMIT": reads, "SAVEPOINT s": reads, "REINDEX": reads, "ANALYZE": reads, "DETACH main": reads,
		"SELECT load_extension('x')": "not authorized", "EXPLAIN DELETE FROM runs": reads,
		"SELECT zeroblob(2000000000)": "larger than 1 MB", "SELECT printf('%.*c', 2000000000, 'x')": "larger than 1 MB",
		"WITH c AS (" + endless + "SELECT x FROM c LIMIT 9999) SELECT group_concat(printf('%.*c', 1000, 'x')) FROM c": "larger than 1 MB",
		endless + "SELECT count(*) FROM c": "stopped after 10s", endless + "SELECT max(x) OVER (ORDER BY x DESC) FROM c": "stopped after 10s",
		bomb + " SELECT count(*) FROM a40":          "stopped", // by its memory, on a slow machine by its time
		"SELECT " + strings.Repeat("(", 5000) + "1": "",
		"SELECT 1" + strings.Repeat(", 1", 500):     "too many columns",
		"SELECT 1; SELECT 2":                        "want one statement, got 2",
		"":                                          "there is no statement", " -- nothing\n": "there is no statement",
		"SELECT games FROM runs": "games is a column of champions, ", "SELECT * FROM run": "did you mean runs?", "SELECT nam FROM runs": "did you mean name?",
		"SELECT nonsense": "no such column: nonsense", "SELEC 1": "syntax error", "SELECT 'a": "unrecognized token", "SELECT \x00": "",
		"SELECT '" + strings.Repeat("a", askText) + "'": "too long",
	} {
		if strings.HasPrefix(statement, endless) {
			askTime = 100 * time.Millisecond
		}
		_, err := ask(r, ctx, statement, AskRows)
		askTime = longestAsk
		if err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%.80s: got %v, want %s", statement, err, reason)
		}
		answer, err := ask(r, ctx, "SELECT name, 1 FROM runs", AskRows)
		if err != nil || len(answer.Rows) != 1 || answer.Rows[0][0] != "snake" || answer.Rows[0][1] != int64(1) || answer.Cut != "" {
			t.Fatalf("after %.80s: %+v, %v", statement, answer, err)
		}
	}
	if _, err := os.Stat(other); err == nil {
		t.Error("a file was written")
	}
	if after, err := os.ReadDir(filepath.Dir(path)); err != nil || len(after) > len(before)+2 { // -wal and -shm
		t.Errorf("beside the database are %v, %v", after, err)
	}
}

// TestQuestionsWriteNoLargeFiles: a question that would sort more than the limit is stopped, and
// names a remedy. It writes no temporary file meanwhile, and the next question is answered.
func TestQuestionsWriteNoLargeFiles(t *testing.T) {
	r := reading(t, whole(t))
	large := fmt.Sprintf("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT %d) "+
		"SELECT length(b) FROM (SELECT zeroblob(20000) AS b, random() AS r FROM c ORDER BY r LIMIT 1000000)", askMemory/20_000+500)
	askTime = 10 * time.Minute // whatever the machine does meanwhile
	defer func() { askTime = longestAsk }()
	for name, ask := range map[string]func(string) ([][]any, error){
		"query": func(statement string) ([][]any, error) { return rows(r, statement) },
		"ask": func(statement string) ([][]any, error) {
			answer, err := ask(r, ctx, statement, AskRows)
			return answer.Rows, err
		},
	} {
		_, err := ask(large)
		fails(t, name, err, "stopped: it needs more than 512 MB to sort")
		fails(t, name, err, "LIMIT")
		if found, err := ask("SELECT name FROM runs ORDER BY random()"); len(found) != 1 || err != nil {
			t.Errorf("%s: afterwards %d rows, %v", name, len(found), err)
		}
	}
}

// TestAskAnswers: every shipped query, and as many rows as are asked for.
func TestAskAnswers(t *testing.T) {
	r := reading(t, whole(t))
	for _, q := range NamedQueries() {
		if _, err := ask(r, ctx, q.SQL, AskRows); err != nil {
			t.Errorf("%s: %v", q.Name, err)
		}
	}
	for limit, want := range map[int]int{0: 0, 10: 10, AskRows: AskRows, 2 * AskRows: AskRows} {
		answer, err := ask(r, ctx, endless+"SELECT x FROM c", limit)
		if err != nil || len(answer.Rows) != want || !strings.Contains(answer.Cut, fmt.Sprint(want)) {
			t.Errorf("limit %d: %d rows, %q, %v", limit, len(answer.Rows), answer.Cut, err)
		}
	}
	answer, err := ask(r, ctx, endless+"SELECT randomblob(1000000) FROM c", AskRows)
	if err != ErrLarge || len(answer.Rows) != AskBytes/1_000_016 || answer.Cut != "" {
		t.Errorf("large values: %d rows, %q, %v", len(answer.Rows), answer.Cut, err)
	}
}

// TestAskPlans: the time ends a statement that is still being planned, where its context ends
// nothing.
func TestAskPlans(t *testing.T) {
	r := reading(t, whole(t))
	askTime = -1
	defer func() { askTime = longestAsk }()
	db := sure(connect(asked, r.absolute, r.mode, busyTimeout))(t)
	defer db.Close()
	fails(t, "planned after its time", second(db.Query("SELECT name FROM runs")), "not authorized")
}

// TestAskEnds: a question without an end ends with whoever asked it, and one that waits for it says
// so.
func TestAskEnds(t *testing.T) {
	r := reading(t, whole(t))
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error)
	go func() {
		_, err := ask(r, ctx, endless+"SELECT count(*) FROM c", AskRows)
		done <- err
	}()
	for len(asking) == 0 { // until it is being answered
		continue
	}
	gone, leave := context.WithCancel(ctx)
	leave()
	fails(t, "", second(ask(r, gone, "SELECT 1", AskRows)), "", ErrAsking)
	cancel()
	fails(t, "", <-done, "", context.Canceled)
}
