package dashboard

import (
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/memory"
	"github.com/chromedp/chromedp"

	"tune2048/results"
	"tune2048/results/report"
)

// TestOvernight: a page that is kept open, and changes each time it asks, neither grows nor stops; nor does the server. It asks a
// hundred times as often as it would, as far as the machine draws that fast. By hand, for as long as one likes:
//
//	TUNE_OVERNIGHT=25m go test -timeout 2h -run Overnight -v ./results/dashboard
func TestOvernight(t *testing.T) {
	limit, err := time.ParseDuration(os.Getenv("TUNE_OVERNIGHT"))
	if err != nil {
		t.Skip("by hand: TUNE_OVERNIGHT=25m go test -timeout 2h -run Overnight -v ./results/dashboard")
	}
	ctx := browser(t, "100")
	path := filepath.Join(t.TempDir(), "tune.db")
	play(t, path, "small", 30, nil)
	reader, err := results.OpenReader(path)
	must(t, err)
	defer reader.Close()
	run, err := reader.Find(context.Background(), "small")
	must(t, err)
	made, err := report.Build(context.Background(), reader, run)
	must(t, err)

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	d := serving(t, path, Options{Address: listener.Addr().String()})
	var asked atomic.Int64
	d.build = func(_ context.Context, _ *results.Reader, run results.Run) (report.Report, error) {
		changed, n := made, asked.Load()
		changed.Status.Games += n
		changed.Convergence.Generations = append([]report.Generation{}, made.Convergence.Generations...)
		changed.Convergence.Generations[0].Fitness.Value += float64(n % 1000)
		changed.Weights.Candidates.Fitness = append([]float64{}, made.Weights.Candidates.Fitness...)
		changed.Weights.Candidates.Fitness[0] += float64(n % 1000)
		changed.Games.Note = time.Duration(n).String()
		return changed, nil
	}
	serve, end := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() {
		ended <- Serve(serve, listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			d.reports.mutex.Lock() // as if the run had gone on
			clear(d.reports.all)
			d.reports.mutex.Unlock()
			d.pages.mutex.Lock()
			clear(d.pages.all)
			d.pages.mutex.Unlock()
			d.ServeHTTP(w, r)
		}))
	}()
	must(t, chromedp.Do(ctx, chromedp.Navigate("http://"+listener.Addr().String()+"/runs/small")))

	type size struct {
		asked, page, nodes, listeners, server int64
		goroutines                            int
	}
	measure := func() (s size) {
		t.Helper()
		must(t, chromedp.Do(ctx, func(ctx context.Context, target *chromedp.Target) (none chromedp.Void, err error) {
			if _, err = cdp.Call(ctx, target, heapprofiler.CollectGarbage, cdp.Empty{}); err != nil {
				return none, err
			}
			c, err := cdp.Call(ctx, target, memory.GetDOMCounters, cdp.Empty{})
			s.nodes, s.listeners = c.Nodes, c.JsEventListeners
			return none, err
		}))
		var err error
		s.page, err = chromedp.Run(ctx, chromedp.Evaluate[int64](`performance.memory.usedJSHeapSize`))
		must(t, err)
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		s.asked, s.server, s.goroutines = asked.Load(), int64(m.HeapAlloc), runtime.NumGoroutine()
		t.Logf("asked %d times: page %d kB in %d nodes with %d listeners; server %d kB, %d goroutines", s.asked, s.page/1000, s.nodes, s.listeners, s.server/1000, s.goroutines)
		return s
	}
	wait := func(t time.Duration) { <-time.After(t) }
	wait(limit / 10)
	first := measure()
	for range 8 {
		wait(limit / 10)
		measure()
	}
	wait(limit / 10)
	last := measure()
	if last.asked < first.asked*5 {
		t.Errorf("it has stopped: asked %d times in the first tenth, %d in all", first.asked, last.asked)
	}
	if last.page > first.page*3/2 || last.nodes > first.nodes*3/2 || last.listeners > first.listeners*3/2 || last.server > first.server*3/2 {
		t.Error("it grows")
	}
	end()
	must(t, <-ended)
}
