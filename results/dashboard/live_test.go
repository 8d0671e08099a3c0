package dashboard

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"tune2048/experiments"
	"tune2048/results"
)

// browser starts a Chromium without a window, whose clocks for pages run so many times as fast. The
// test is skipped where there is none. What its console says is an error of the test.
func browser(t *testing.T, haste string, limit time.Duration) context.Context {
	t.Helper()
	found := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if at, err := exec.LookPath(name); err == nil {
			found = at
			break
		}
	}
	if found == "" {
		t.Skip("no Chromium on this machine: live pages are not tested")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(found), chromedp.NoSandbox,
		chromedp.Flag("disable-quic", true))
	limited, cancel := context.WithTimeout(context.Background(), limit) // what never appears is waited for without end
	allocator, stop := chromedp.NewExecAllocator(limited, options...)
	ctx, leave := chromedp.NewContext(allocator)
	t.Cleanup(func() { leave(); stop(); cancel() })
	must(t, chromedp.Do(ctx)) // it starts
	must(t, chromedp.Listen(ctx, func(event any) {
		if e, is := event.(*runtime.EventExceptionThrown); is {
			t.Errorf("the page has an error: %v", e.ExceptionDetails)
		}
	}))
	faster := `{ const wait = window.setTimeout; window.setTimeout = (f, ms, ...rest) => wait(f, ms / ` + haste +
		`, ...rest); }`
	must(t, chromedp.Do(ctx, func(ctx context.Context, target *chromedp.Target) (none chromedp.Void, err error) {
		_, err = cdp.Call(ctx, target, page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: faster})
		return none, err
	}))
	return ctx
}

// host serves a database at one address, and can go away and come back.
type host struct {
	t        *testing.T
	database string
	address  string
	asked    atomic.Int64
	end      func()
}

func (h *host) begin() {
	h.t.Helper()
	listener, err := net.Listen("tcp", h.address)
	must(h.t, err)
	h.address = listener.Addr().String()
	d := New(h.database, Options{Address: h.address, Warn: func(text string) { h.t.Error(text) }})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() {
		ended <- Serve(ctx, listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h.asked.Add(1)
			d.ServeHTTP(w, r)
		}))
	}()
	h.end = func() {
		cancel()
		must(h.t, <-ended)
	}
}

// TestLivePage: a page in a browser moves while a run goes on, and survives the run's end, the
// server's and the run's deletion, without being loaded again. A page that nobody looks at asks for
// nothing.
func TestLivePage(t *testing.T) {
	ctx := browser(t, "20", 10*time.Minute)
	h := &host{t: t, database: filepath.Join(t.TempDir(), "tune.db"), address: "127.0.0.1:0"}
	h.begin()
	at := "http://" + h.address
	do := func(actions ...chromedp.Action[chromedp.Void]) {
		t.Helper()
		must(t, chromedp.Do(ctx, actions...))
	}
	until := func(condition string) {
		t.Helper()
		// It does not survive that another page comes.
		for chromedp.Do(ctx, chromedp.Poll[chromedp.Void](condition, chromedp.WithPollingTimeout(0))) != nil {
			must(t, ctx.Err())
		}
	}
	text := func(expression string) string {
		t.Helper()
		s := sure(chromedp.Run(ctx, chromedp.Evaluate[string](expression)))(t)
		return s
	}
	const status, lead, reached = `document.querySelector(".status").textContent`,
		`document.querySelector(".lead").textContent`, `document.getElementById("reached").textContent`

	// The list says that there is nothing, then has the run.
	do(chromedp.Navigate(at + "/"))
	until(`document.querySelector(".error")?.textContent.includes("does not exist yet")`)
	steps, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		play(t, h.database, "going", 8, func(p experiments.Progress) {
			if p.Done%12 == 1 {
				<-steps
			}
		})
	}()
	steps <- struct{}{}
	for listed := false; !listed; {
		do(chromedp.Navigate(at + "/"))
		listed = strings.Contains(text(`document.body.textContent`), "going")
	}
	do(chromedp.Evaluate[chromedp.Void](`window.loaded = "once"`))
	before := text(status)
	steps <- struct{}{}
	steps <- struct{}{}
	until(status + ` !== ` + quote(before))
	until(`document.querySelector("progress").value === 0.5`)
	if text(`window.loaded`) != "once" {
		t.Error("the list was loaded again")
	}

	// The report.
	do(chromedp.Click(chromedp.CSS("#list a")))
	until(`document.querySelector(".lead") !== null && document.readyState === "complete"`)
	do(chromedp.Evaluate[chromedp.Void](`window.loaded = "once"`))
	games := `document.querySelector('[data-figure="games"]').textContent`
	before = text(games)
	steps <- struct{}{}
	steps <- struct{}{}
	until(games + ` !== ` + quote(before) + ` && document.querySelector("#live progress").value === 0.5`)
	if !strings.Contains(text(lead), "Not validated yet") {
		t.Errorf("while it goes on: %s", text(lead))
	}
	close(steps)
	<-over
	until(lead + `.includes("start weights")`)
	headline := text(lead)

	// A hidden page does not ask. It does when it is looked at again.
	do(chromedp.Evaluate[chromedp.Void](`Object.defineProperty(document, "hidden", {get: () => window.covered, configurable: true}); window.covered = true;
		document.dispatchEvent(new Event("visibilitychange"))`))
	pause := `new Promise(done => setTimeout(done, 60000))` // as long as two of the longest pauses
	wait := func() {
		do(chromedp.Evaluate[chromedp.Void](pause+`.then(() => {})`, chromedp.EvalAwaitPromise))
	}
	wait()
	asked := h.asked.Load()
	wait()
	if n := h.asked.Load() - asked; n > 0 {
		t.Errorf("a hidden page asked %d times", n)
	}
	do(chromedp.Evaluate[chromedp.Void](`window.covered = false; document.dispatchEvent(new Event("visibilitychange"))`))
	for h.asked.Load() == asked {
		wait()
	}

	// The server goes, and comes.
	h.end()
	until(reached + `.includes("not reached since")`)
	h.begin()
	until(reached + ` === ""`)

	// The run is deleted.
	store := sure(results.Open(h.database))(t)
	sure(store.Delete(context.Background(), "going"))(t)
	must(t, store.Close())
	until(reached + `.includes("no longer there")`)
	if text(lead) != headline || text(`window.loaded`) != "once" {
		t.Errorf("a page of a deleted run says %q, it said %q", text(lead), headline)
	}
	h.end()
}

// quote is a text in JavaScript.
func quote(text string) string {
	return "decodeURIComponent(`" + strings.ReplaceAll(url.PathEscape(text), "'", "%27") + "`)"
}
