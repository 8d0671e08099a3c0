package dashboard

import (
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tune2048/experiments"
	"tune2048/results"
	"tune2048/results/report"
)

func withTag(tag string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("If-None-Match", tag) }
}

// TestNothingNewIsNotSentAgain: an answer that has not changed is 304, and one that has is sent.
func TestNothingNewIsNotSentAgain(t *testing.T) {
	path := played(t)
	d := serving(t, path, Options{Address: address})
	pass := ticking(d)
	tags := map[string]string{}
	same := []string{"/", "/runs/small", "/runs/small/report.json", "/runs/small/replays/1000000000.json", "/assets/page.js"}
	for _, at := range same {
		tags[at] = get(d, at).Header().Get("ETag")
	}
	for _, at := range same {
		pass(time.Minute)
		w := get(d, at, withTag(tags[at]))
		if tags[at] == "" || w.Code != http.StatusNotModified || w.Body.Len() > 0 || w.Header().Get("ETag") != tags[at] {
			t.Errorf("%s: status %d with tag %q, %d bytes", at, w.Code, tags[at], w.Body.Len())
		}
		if w := get(d, at, withTag(`"other"`)); w.Code != http.StatusOK {
			t.Errorf("%s with another tag: status %d", at, w.Code)
		}
	}
	change(t, path, "UPDATE runs SET status = 'interrupted', updated_at = '2030-01-01T00:00:00.000Z'")
	for _, at := range same {
		pass(time.Minute)
		changes := at == "/" || at == "/runs/small" || at == "/runs/small/report.json"
		if w := get(d, at, withTag(tags[at])); (w.Code == http.StatusOK) != changes {
			t.Errorf("%s after the run changed: status %d", at, w.Code)
		}
	}
}

// TestOneReportServesAllWhoAsk: a report is made once for all, not anew before a hundred times as
// long as that took, and not at all while its run stays as it is.
func TestOneReportServesAllWhoAsk(t *testing.T) {
	path := played(t)
	d := serving(t, path, Options{Address: address})
	pass, builds := ticking(d), 0
	d.build = func(_ context.Context, _ *results.Reader, run results.Run) (report.Report, error) {
		pass(3 * time.Second) // it takes that long
		builds++
		return report.Report{Name: run.Name, Headline: report.Headline{Text: fmt.Sprint("build ", builds)}}, nil
	}
	all := func(want string) {
		t.Helper()
		var asking sync.WaitGroup
		for range 20 {
			asking.Go(func() { shows(t, d, "/runs/small/report.json", 200, want) })
		}
		asking.Wait()
	}
	all("build 1")
	pass(time.Hour)
	all("build 1") // nothing has changed
	change(t, path, "UPDATE runs SET updated_at = '2030-01-01T00:00:00.000Z'")
	pass(time.Second)
	all("build 2")
	change(t, path, "UPDATE runs SET updated_at = '2030-01-01T00:00:01.000Z'")
	pass(thrift*3*time.Second - time.Second)
	all("build 2")
	pass(time.Second)
	all("build 3")
}

// TestWhoLeavesTakesNothingFromOthers: a report that others wait for too is made, whoever asked
// first.
func TestWhoLeavesTakesNothingFromOthers(t *testing.T) {
	d := serving(t, played(t), Options{Address: address})
	begun, finish := make(chan struct{}), make(chan struct{})
	d.build = func(ctx context.Context, _ *results.Reader, run results.Run) (report.Report, error) {
		close(begun)
		<-finish
		return report.Report{Name: run.Name}, ctx.Err()
	}
	ctx, leave := context.WithCancel(context.Background())
	left := make(chan struct{})
	go func() {
		defer close(left)
		get(d, "/runs/small/report.json", func(r *http.Request) { *r = *r.WithContext(ctx) })
	}()
	<-begun
	leave()
	<-left
	close(finish)
	shows(t, d, "/runs/small/report.json", 200, "")
}

// TestAMistakeEndsNothing: a panic is an answer that says so, in every place. Once its cause is
// mended, the next request gets the report.
func TestAMistakeEndsNothing(t *testing.T) {
	warned := ""
	d := serving(t, played(t), Options{Address: address, Warn: func(text string) { warned += text }})
	pass := ticking(d)
	good := d.build
	d.build = func(context.Context, *results.Reader, results.Run) (report.Report, error) { panic("seeded") }
	d.play = func(context.Context, *results.Reader, results.Run, int64) (report.Record, error) { panic("seeded") }
	for _, at := range []string{"/runs/small", "/runs/small/report.json", "/runs/small/replays/1000000000.json", "/runs/small/replays/1000000000.json"} {
		if w := get(d, at); w.Code < 500 || !strings.Contains(w.Body.String(), "mistake of the program") {
			t.Errorf("%s: status %d: %.300s", at, w.Code, w.Body)
		}
	}
	d.build = good
	pass(time.Hour)
	shows(t, d, "/runs/small", 200, "")
	if !strings.Contains(warned, "seeded") {
		t.Errorf("warned of %q", warned)
	}
}

// TestDatabaseThatGoesAndComes: missing, damaged, foreign or replaced, each answer says so, and the
// next good file is read.
func TestDatabaseThatGoesAndComes(t *testing.T) {
	path := played(t)
	other := filepath.Join(t.TempDir(), "other.db")
	play(t, other, "other", 2, nil)
	good := sure(os.ReadFile(path))(t)
	d := serving(t, path, Options{Address: address})
	pass := ticking(d)
	replace := func(content []byte) {
		for _, suffix := range []string{"", "-wal", "-shm"} {
			os.Remove(path + suffix)
		}
		if content != nil {
			must(t, os.WriteFile(path, content, 0o644))
		}
	}
	another := sure(os.ReadFile(other))(t)
	damaged := append([]byte{}, good...)
	for i := 4096; i < len(damaged); i++ {
		damaged[i] = byte(i * 7)
	}
	for _, step := range []struct {
		content []byte
		at      string
		status  int
		want    string
	}{
		{nil, "/", 503, "does not exist yet (a run creates it: tune -config FILE"},
		{nil, "/runs/small/report.json", 503, "does not exist yet"},
		{nil, "/query?sql=SELECT+1", 503, "does not exist yet"},
		{good, "/runs/small", 200, "small"},
		{another, "/runs/small", 404, "there is no run small"},
		{another, "/runs/other", 200, "other"},
		{[]byte("no database at all, but long enough to be one"), "/", 503, "not a database"},
		{damaged, "/", 503, "damaged"},
		{damaged, "/runs/small", 503, "damaged"},
		{[]byte{}, "/", 503, "it is empty"},
		{good, "/", 200, "/runs/small"},
		{good, "/query.csv?sql=SELECT+name+FROM+runs", 200, "small"},
		{nil, "/", 503, "does not exist yet"},
	} {
		replace(step.content)
		pass(time.Minute)
		shows(t, d, step.at, step.status, step.want)
	}
}

// TestAReportOutlivesItsFile: a report that is being made when the database is replaced is made
// from the old file.
func TestAReportOutlivesItsFile(t *testing.T) {
	path, other := played(t), filepath.Join(t.TempDir(), "other.db")
	play(t, other, "other", 1, nil)
	d := serving(t, path, Options{Address: address})
	pass := ticking(d)
	begun, replaced := make(chan struct{}), make(chan struct{})
	d.build = func(ctx context.Context, reader *results.Reader, run results.Run) (report.Report, error) {
		close(begun)
		<-replaced
		_, err := reader.Find(ctx, run.Name)
		return report.Report{Name: run.Name}, err
	}
	answer := make(chan *httptest.ResponseRecorder)
	go func() { answer <- get(d, "/runs/small/report.json") }()
	<-begun
	must(t, os.Rename(other, path))
	pass(time.Minute)
	shows(t, d, "/", 200, "/runs/other")
	close(replaced)
	if w := <-answer; w.Code != http.StatusOK {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

// TestHostileTexts: whatever a run is called, pages show it as text, and CSV has no cell that a
// spreadsheet would run.
func TestHostileTexts(t *testing.T) {
	path := played(t)
	for _, name := range []string{
		`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `'onmouseover='alert(1)`, `</script><script>alert(1)</script>`, `{{.}}`, `a/b/../c`, `//`, `a\b`,
		`%2e%2e%2f`, `100%`, `a?b#c&d=e;f`, "a\x00b", "a\nb\tc\rd\x1b[2J", "\u202eevil\u202c", "שלום", "\u2028", "=1+1", "+1", "-cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", " ",
		strings.Repeat("x", 5000), "😀", "\xff\xfe", "report.json",
	} {
		change(t, path, "UPDATE runs SET name = ?", name)
		d := serving(t, path, Options{Address: address})
		list := get(d, "/").Body.String()
		page := get(d, "/runs/"+url.PathEscape(name))
		if page.Code != http.StatusOK {
			t.Errorf("%.50q: status %d: %.300s", name, page.Code, page.Body)
		}
		for where, text := range map[string]string{"list": list, "page": page.Body.String(), "not found": get(d, "/runs/x"+url.PathEscape(name)).Body.String(),
			"query": get(d, "/query?sql="+url.QueryEscape("SELECT name FROM runs")).Body.String()} {
			for _, harm := range []string{"<script>alert", "<img src=x", "\x00"} {
				if strings.Contains(text, harm) {
					t.Errorf("%.50q: the %s has %q", name, where, harm)
				}
			}
		}
		if strings.Count(page.Body.String(), "<script") != strings.Count(page.Body.String(), "</script>") {
			t.Errorf("%.50q: a script of the page does not end where it should", name)
		}
		if got := decode[report.Report](t, get(d, "/runs/"+url.PathEscape(name)+"/report.json")); got.Name != strings.ToValidUTF8(name, "\uFFFD\uFFFD") && got.Name != name {
			t.Errorf("%.50q: JSON has %.50q", name, got.Name)
		}
		rows := sure(csv.NewReader(get(d, "/query.csv?sql="+url.QueryEscape(`SELECT name, name AS "=x", -1.5 AS n, '-1.5' AS m FROM runs`)).Body).ReadAll())(t)
		if strings.ContainsAny(rows[1][0][:1], "=+-@\t\r") && rows[1][0] != "+1" || rows[0][1] != "'=x" || rows[1][2] != "-1.5" || rows[1][3] != "-1.5" {
			t.Errorf("%.50q: CSV has %.200q", name, rows)
		}
	}
	for _, name := range []string{"", ".", "..", "/"} { // which no address can have
		change(t, path, "UPDATE runs SET name = ?", name)
		if list := get(serving(t, path, Options{Address: address}), "/").Body.String(); strings.Contains(list, `href="/runs/`) {
			t.Errorf("%q: the list has a link to it", name)
		}
	}
}

// TestSQLBox: the page shows a wrong question with its error, and the server goes on. What
// results.Ask refuses is its test's.
func TestSQLBox(t *testing.T) {
	d := serving(t, played(t), Options{Address: address})
	for statement, want := range map[string]string{
		"DELETE FROM runs": "only a SELECT is answered", "ATTACH 'x' AS y": "only a SELECT is answered", "SELECT zeroblob(2000000000)": "larger than 1 MB",
		"SELECT nonsense": "no such column", "": "there is no statement", strings.Repeat("x", 20000): "too long",
	} {
		for _, at := range []string{"/query", "/query.csv", "/query.json"} {
			shows(t, d, at+"?sql="+url.QueryEscape(statement), http.StatusBadRequest, want)
		}
	}
	const many = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x, NULL AS missing, x'00ff' AS bytes, 0.1 AS tenth FROM c"
	page := get(d, "/query?sql="+url.QueryEscape(many)).Body.String()
	if n := strings.Count(page, "<tr>"); n != 1+shownRows || !strings.Contains(page, "only the first 1000 rows") || !strings.Contains(page, many[:40]) {
		t.Errorf("the page has %d rows", n)
	}
	if rows := decode[[]map[string]any](t, get(d, "/query.json?sql="+url.QueryEscape(many))); len(rows) != results.AskRows || rows[9]["x"] != 10.0 || rows[0]["missing"] != nil {
		t.Errorf("%d rows, the tenth is %v", len(rows), rows[9])
	}
	rows, err := csv.NewReader(get(d, "/query.csv?sql="+url.QueryEscape(many)).Body).ReadAll()
	if err != nil || len(rows) != 1+results.AskRows || rows[1][3] != "0.1" {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	for _, q := range results.NamedQueries() {
		if page := get(d, "/query?show="+q.Name).Body.String(); !strings.Contains(page, "FROM") || strings.Contains(page, "<table>") {
			t.Errorf("%s: the box does not have it, or it was answered", q.Name)
		}
	}
}

// TestAnswersAreBounded: no answer has more than 16 MB as it is sent, whatever names and escapes
// make of its rows. A file that has not all rows says so in its name.
func TestAnswersAreBounded(t *testing.T) {
	d := serving(t, played(t), Options{Address: address})
	const endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT "
	for what, c := range map[string]struct{ at, sql string }{
		"names that repeat":     {"/query.json", endless + `1 AS "` + strings.Repeat("\x01", 9800) + `" FROM c LIMIT 1000`},
		"many names":            {"/query.json", endless + "1" + strings.Repeat(", 1 AS aaaaaaaaaaaaaaaaaaaaaaaaa", 190) + " FROM c"},
		"escapes in JSON":       {"/query.json", endless + "printf('%.*c', 1000000, char(1)) FROM c LIMIT 3"},
		"quotes in CSV":         {"/query.csv", endless + `printf('%.*c', 1000000, '"') FROM c LIMIT 9`},
		"quotes on the page":    {"/query", endless + `printf('%.*c', 1000000, '"') FROM c LIMIT 4`},
		"escapes on the page":   {"/query", endless + "printf('%.*c', 1000000, char(1)) FROM c LIMIT 3"},
		"large values in a row": {"/query.csv", endless + "zeroblob(1000000)" + strings.Repeat(", zeroblob(1000000)", 20) + " FROM c"},
	} {
		w := get(d, c.at+"?sql="+url.QueryEscape(c.sql))
		if w.Code != http.StatusBadRequest || w.Body.Len() > 1<<16 || !strings.Contains(w.Body.String(), "more than 16 MB") {
			t.Errorf("%s: a request of %d bytes has status %d and an answer of %d bytes", what, len(url.QueryEscape(c.sql)), w.Code, w.Body.Len())
		}
	}
	for sql, want := range map[string]string{endless + "x FROM c": "query-first-10000-rows", endless + "x FROM c LIMIT 10000": "query"} {
		for _, kind := range []string{".csv", ".json"} {
			if got := get(d, "/query"+kind+"?sql="+url.QueryEscape(sql)).Header().Get("Content-Disposition"); got != `attachment; filename="`+want+kind+`"` {
				t.Errorf("%s: %s", sql, got)
			}
		}
	}
}

// stuck is a connection whose other end reads nothing until a channel is closed.
type stuck struct {
	*httptest.ResponseRecorder
	reached, read chan struct{}
}

func (s stuck) Write(p []byte) (int, error) {
	s.reached <- struct{}{}
	<-s.read
	return s.ResponseRecorder.Write(p)
}

// TestFewAnswersAreHeld: somebody who asks and does not read cannot fill the memory with answers.
func TestFewAnswersAreHeld(t *testing.T) {
	d := serving(t, played(t), Options{Address: address})
	const at = "/query.csv?sql=SELECT+1"
	reached, read, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	for range mostHeld {
		go func() {
			r := httptest.NewRequest(http.MethodGet, at, nil)
			r.Host = address
			d.ServeHTTP(stuck{httptest.NewRecorder(), reached, read}, r)
			ended <- struct{}{}
		}()
		<-reached
	}
	shows(t, d, at, http.StatusServiceUnavailable, results.ErrAsking.Error()) // beside answers that nobody reads
	close(read)
	for range mostHeld {
		<-ended
	}
	shows(t, d, at, 200, "")
}

// TestReplays: a game is played once for all, one at a time, and not for who has left.
func TestReplays(t *testing.T) {
	d := serving(t, played(t), Options{Address: address})
	begun, finish := make(chan int64), make(chan struct{})
	var mutex sync.Mutex
	plays, at := 0, 0
	d.play = func(ctx context.Context, _ *results.Reader, _ results.Run, game int64) (report.Record, error) {
		mutex.Lock()
		plays++
		if at++; at > 1 {
			t.Error("two are played at once")
		}
		mutex.Unlock()
		defer func() { mutex.Lock(); defer mutex.Unlock(); at-- }()
		begun <- game
		select {
		case <-finish:
			return report.Record{Moves: fmt.Sprint("of game ", game)}, nil
		case <-ctx.Done():
			return report.Record{}, ctx.Err()
		}
	}
	ctx, leave := context.WithCancel(context.Background())
	var asking sync.WaitGroup
	asking.Go(func() {
		get(d, "/runs/small/replays/1.json", func(r *http.Request) { *r = *r.WithContext(ctx) })
	})
	<-begun
	leave()
	asking.Wait()
	for range 3 {
		for game := range 2 {
			asking.Go(func() {
				w := get(d, fmt.Sprintf("/runs/small/replays/%d.json", game))
				if got := decode[report.Record](t, w); got.Moves != fmt.Sprint("of game ", game) {
					t.Errorf("game %d: %d %+v", game, w.Code, got)
				}
			})
		}
	}
	for range 2 {
		<-begun
		finish <- struct{}{}
	}
	asking.Wait()
	if plays != 3 {
		t.Errorf("played %d times, want 3", plays)
	}
}

// TestCacheIsBounded: where the cache is full, the entry that was asked for longest ago goes.
func TestCacheIsBounded(t *testing.T) {
	c := cache{now: time.Now, all: map[string]*entry{}}
	made := 0
	ask := func(key int) int {
		v := sure(cached(context.Background(), &c, fmt.Sprint(key), "", 0, func(context.Context) (int, error) { made++; return made, nil }))(t)
		return v
	}
	for key := range mostCached {
		ask(key)
	}
	for i, s := range []struct{ key, want int }{{0, 1}, {mostCached, mostCached + 1}, {0, 1}, {2, 3}, {1, mostCached + 2}} {
		if got := ask(s.key); got != s.want || len(c.all) > mostCached {
			t.Errorf("step %d: %d is %d, want %d; %d are kept", i, s.key, got, s.want, len(c.all))
		}
	}
}

// TestPagesMoveWithARun: while a run plays, others look at everything. Afterwards they see its end.
func TestPagesMoveWithARun(t *testing.T) {
	path := played(t)
	d := serving(t, path, Options{Address: address})
	seen, ask, asked := map[int64]bool{}, make(chan struct{}), make(chan struct{})
	var looking sync.WaitGroup
	for range 3 {
		looking.Go(func() {
			for range ask {
				for at := range everywhere {
					if w := get(d, strings.ReplaceAll(at, "small", "going")); w.Code >= 500 {
						t.Errorf("%s: status %d: %s", at, w.Code, w.Body)
					}
				}
				asked <- struct{}{}
			}
		})
	}
	play(t, path, "going", 6, func(p experiments.Progress) {
		if p.Done%25 == 1 {
			fresh := serving(t, path, Options{Address: address}) // that has kept nothing yet
			w := get(fresh, "/runs/going/report.json")
			r := decode[report.Report](t, w)
			if seen[r.Status.Games] = true; r.Status.State != experiments.Running {
				t.Errorf("after %d games: %s", p.Done, r.Status.State)
			}
			ask <- struct{}{}
			<-asked
		}
	})
	close(ask)
	looking.Wait()
	if len(seen) < 3 {
		t.Errorf("seen %v games", seen)
	}
	ticking(d)(time.Hour)
	r := decode[report.Report](t, get(d, "/runs/going/report.json"))
	if r.Status.State != experiments.Finished || r.Headline.Verdict == "unknown" || r.Headline.Text == "" {
		t.Errorf("at the end: %+v, %+v", r.Status, r.Headline)
	}
}

// TestSeveralSideBySide: in the order asked for, each once.
func TestSeveralSideBySide(t *testing.T) {
	path := played(t)
	play(t, path, "a.b", 1, nil)
	d := serving(t, path, Options{Address: address})
	w := get(d, "/runs?with=small&with=a.b&with=small")
	if to := w.Header().Get("Location"); to != "/runs/small?with=a.b&with=small" {
		t.Errorf("the chosen runs are at %s", to)
	}
	shows(t, d, w.Header().Get("Location"), 200, "<title>small, a.b</title>")
}
