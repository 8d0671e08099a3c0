package dashboard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
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

// told is a part of a report as JSON.
type told struct {
	Name     string `json:"run"`
	Status   report.Status
	Headline report.Headline
}

// TestNothingNewIsNotSentAgain: an answer that has not changed is 304, and one that has is sent.
func TestNothingNewIsNotSentAgain(t *testing.T) {
	path := played(t)
	d := New(path, Options{Address: address})
	pass := ticking(d)
	tags := map[string]string{}
	same := []string{"/", "/runs/small", "/runs/small/report.json", "/runs/small/replays/50000000000.json",
		"/assets/page.js"}
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
	change(t, path, "UPDATE endings SET status = 'interrupted', updated_at = '2030-01-01T00:00:00.000Z'")
	for _, at := range same {
		pass(time.Minute)
		changes := at == "/" || at == "/runs/small" || at == "/runs/small/report.json"
		if w := get(d, at, withTag(tags[at])); (w.Code == http.StatusOK) != changes {
			t.Errorf("%s after the run changed: status %d", at, w.Code)
		}
	}
}

// TestOneMakingServesAllWhoAsk: a page is made once for all who ask, even if the first one leaves.
// It is not made again before a hundred times as long as that took.
func TestOneMakingServesAllWhoAsk(t *testing.T) {
	path := played(t)
	d := New(path, Options{Address: address})
	pass, builds := ticking(d), 0
	first, leave := context.WithCancel(context.Background())
	d.build = func(ctx context.Context, _ *results.Reader, run results.Run) (report.Report, error) {
		leave()
		pass(3 * time.Second) // it takes that long
		builds++
		return report.Report{Name: fmt.Sprint("build ", builds)}, ctx.Err()
	}
	all := func(want string) {
		t.Helper()
		var asking sync.WaitGroup
		for range 20 {
			asking.Go(func() { shows(t, d, "/runs/small/report.json", 200, want) })
		}
		asking.Wait()
	}
	get(d, "/runs/small/report.json", func(r *http.Request) { *r = *r.WithContext(first) })
	all("build 1")
	pass(rarity*3*time.Second - time.Second)
	all("build 1")
	pass(time.Second)
	all("build 2")
}

// TestASlowPageHoldsUpNoOther: while a page is made, who asks for anything else has an answer.
func TestASlowPageHoldsUpNoOther(t *testing.T) {
	path := played(t)
	play(t, path, "other", 2, nil)
	d := New(path, Options{Address: address})
	making, goOn := make(chan struct{}), make(chan struct{})
	build := d.build
	d.build = func(ctx context.Context, reader *results.Reader, run results.Run) (report.Report, error) {
		if run.Name == "small" {
			close(making)
			<-goOn
		}
		return build(ctx, reader, run)
	}
	d.play = func(context.Context, *results.Reader, results.Run, int64) (report.Record, error) {
		return report.Record{}, nil
	}
	var asking sync.WaitGroup
	asking.Go(func() { shows(t, d, "/runs/small", 200, "small") })
	<-making
	for _, at := range []string{"/", "/runs/small/now.json", "/runs/other", "/runs/other/now.json",
		"/runs/other/report.json", "/runs/small/replays/50000000000.json"} {
		shows(t, d, at, 200, "")
	}
	close(goOn)
	asking.Wait()
}

// TestAnotherStateIsShownAtOnce: a page that took long is not made again for long, and says how old
// it is. When the run ends, the final page comes as soon as the status says so.
func TestAnotherStateIsShownAtOnce(t *testing.T) {
	path := played(t)
	change(t, path, "UPDATE endings SET status = 'interrupted'")
	d := New(path, Options{Address: address})
	pass := ticking(d)
	build := d.build
	d.build = func(ctx context.Context, reader *results.Reader, run results.Run) (report.Report, error) {
		pass(3 * time.Second) // it takes that long
		return build(ctx, reader, run)
	}
	state := func(want, age string) {
		t.Helper()
		w := get(d, "/runs/small/report.json")
		if got := decode[told](t, w).Status.State; got != want || w.Header().Get("Age") != age {
			t.Errorf("the report is of a run that is %s, %s s old; want %s, %s", got, w.Header().Get("Age"), want, age)
		}
	}
	state("interrupted", "3")
	pass(time.Minute)
	state("interrupted", "63")
	change(t, path, "UPDATE endings SET status = 'finished'")
	pass(pause)
	state("finished", "3")
}

// TestDatabaseThatGoesAndComes: missing, damaged, foreign or replaced, each answer says so, and the
// next good file is read.
func TestDatabaseThatGoesAndComes(t *testing.T) {
	path := played(t)
	other := filepath.Join(t.TempDir(), "other.db")
	play(t, other, "other", 2, nil)
	good := sure(os.ReadFile(path))(t)
	d := New(path, Options{Address: address})
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
		{good, "/runs/small", 200, "small"},
		{another, "/runs/small", 404, "there is no run small"},
		{another, "/runs/other", 200, "other"},
		{[]byte("no database at all, but long enough to be one"), "/", 503, "not a database"},
		{damaged, "/", 503, "damaged"},
		{damaged, "/runs/small", 503, "damaged"},
		{[]byte{}, "/", 503, "it is empty"},
		{good, "/", 200, "/runs/small"},
		{nil, "/", 503, "does not exist yet"},
	} {
		replace(step.content)
		pass(time.Minute)
		shows(t, d, step.at, step.status, step.want)
	}
}

// TestHostileTexts: whatever a run is called, pages show it as text.
func TestHostileTexts(t *testing.T) {
	path := played(t)
	for _, name := range []string{
		`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `'onmouseover='alert(1)`,
		`</script><script>alert(1)</script>`, `{{.}}`, `a/b/../c`, `//`, `a\b`,
		`%2e%2e%2f`, `100%`, `a?b#c&d=e;f`, "a\x00b", "a\nb\tc\rd\x1b[2J", "\u202eevil\u202c", "שלום", "\u2028", "=1+1", "+1",
		"-cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", " ",
		strings.Repeat("x", 5000), "😀", "\xff\xfe", "report.json",
	} {
		change(t, path, "UPDATE searches SET name = ?", name)
		d := New(path, Options{Address: address})
		list := get(d, "/").Body.String()
		page := get(d, "/runs/"+url.PathEscape(name))
		if page.Code != http.StatusOK {
			t.Errorf("%.50q: status %d: %.300s", name, page.Code, page.Body)
		}
		for where, text := range map[string]string{"list": list, "page": page.Body.String(),
			"not found": get(d, "/runs/x"+url.PathEscape(name)).Body.String()} {
			for _, harm := range []string{"<script>alert", "<img src=x", "\x00"} {
				if strings.Contains(text, harm) {
					t.Errorf("%.50q: the %s has %q", name, where, harm)
				}
			}
		}
		if strings.Count(page.Body.String(), "<script") != strings.Count(page.Body.String(), "</script>") {
			t.Errorf("%.50q: a script of the page does not end where it should", name)
		}
		if got := decode[told](t, get(d, "/runs/"+url.PathEscape(name)+"/report.json")); got.Name != strings.ToValidUTF8(name,
			"\uFFFD\uFFFD") && got.Name != name {
			t.Errorf("%.50q: JSON has %.50q", name, got.Name)
		}
	}
	for _, name := range []string{"", ".", "..", "/"} { // which no address can have
		change(t, path, "UPDATE searches SET name = ?", name)
		if list := get(New(path, Options{Address: address}), "/").Body.String(); strings.Contains(list, `href="./runs/`) {
			t.Errorf("%q: the list has a link to it", name)
		}
	}
}

// TestReplays: a game is played once for all, one at a time, and not for who has left.
func TestReplays(t *testing.T) {
	d := New(played(t), Options{Address: address})
	var playing sync.Mutex
	plays := 0
	left, leave := context.WithCancel(context.Background())
	d.play = func(ctx context.Context, _ *results.Reader, _ results.Run, game int64) (report.Record, error) {
		if !playing.TryLock() {
			t.Error("two are played at once")
			return report.Record{}, nil
		}
		defer playing.Unlock()
		plays++
		leave() // the first one
		return report.Record{Moves: fmt.Sprint("of game ", game)}, ctx.Err()
	}
	get(d, "/runs/small/replays/1.json", func(r *http.Request) { *r = *r.WithContext(left) })
	var asking sync.WaitGroup
	for i := range 6 {
		asking.Go(func() {
			shows(t, d, fmt.Sprintf("/runs/small/replays/%d.json", i%2), 200, fmt.Sprint("of game ", i%2))
		})
	}
	asking.Wait()
	if plays != 3 {
		t.Errorf("played %d times, want 3: one for nobody", plays)
	}
}

// TestFewAreKept: whoever asks for all games of a database does not fill the memory with them.
func TestFewAreKept(t *testing.T) {
	s := newShelf()
	for key := range 3 * maxKept {
		one, err := s.get(fmt.Sprint(key), func(to io.Writer) error { _, err := fmt.Fprint(to, key); return err })
		if err != nil || string(one.body) != fmt.Sprint(key) || len(s.kept) > maxKept {
			t.Errorf("%d is %s; %d are kept: %v", key, one.body, len(s.kept), err)
		}
	}
}

// TestAMistakeEndsNothing: a panic is an answer that says so. Once its cause is mended, the next
// request gets the page.
func TestAMistakeEndsNothing(t *testing.T) {
	warned := ""
	d := New(played(t), Options{Address: address, Warn: func(text string) { warned += text }})
	good := d.build
	d.build = func(context.Context, *results.Reader, results.Run) (report.Report, error) { panic("seeded") }
	d.play = func(context.Context, *results.Reader, results.Run, int64) (report.Record, error) { panic("seeded") }
	for _, at := range []string{"/runs/small", "/runs/small/report.json", "/runs/small/replays/50000000000.json",
		"/runs/small/replays/50000000000.json"} {
		shows(t, d, at, 500, "mistake of the program")
	}
	d.build = good
	shows(t, d, "/runs/small", 200, "")
	if !strings.Contains(warned, "seeded") {
		t.Errorf("warned of %q", warned)
	}
}

// TestPagesNameALargeLog: the pages say that somebody's transaction makes the write-ahead log grow.
func TestPagesNameALargeLog(t *testing.T) {
	path := played(t)
	d := New(path, Options{Address: address})
	pass := ticking(d)
	d.build = func(context.Context, *results.Reader, results.Run) (r report.Report, err error) {
		r.Status.State = experiments.Running
		return r, nil
	}
	const want = "close the notebook or shell that holds it open."
	for _, at := range []string{"/", "/runs/small"} {
		if text := get(d, at).Body.String(); strings.Contains(text, want) {
			t.Errorf("%s warns of nothing:\n%s", at, text)
		}
	}
	must(t, errors.Join(os.WriteFile(path+"-wal", nil, 0o644), os.Truncate(path+"-wal", 80_000_000)))
	pass(time.Hour)
	for _, at := range []string{"/", "/runs/small"} {
		shows(t, d, at, 200, "-wal has grown to 80 MB; "+want)
	}
}
