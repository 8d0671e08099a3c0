package report

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/summary"
)

func TestPageInBrowser(t *testing.T) {
	ctx := chromium(t)
	r := built(t, play(t, everything, nil))
	for _, g := range r.Convergence.Generations { // the run is too short for looks
		r.Convergence.Looks = append(r.Convergence.Looks, Point{g.Stage, g.Generation, g.Games, "depth 1", 40, g.Fitness})
	}
	t.Run("offline", func(t *testing.T) { offline(watch(t, ctx), r) })
	t.Run("hostile", func(t *testing.T) { hostile(watch(t, ctx), r) })
	t.Run("live", func(t *testing.T) { live(watch(t, ctx), r) })
}

// offline opens the file without a network: each chart has as many marks as there are data, in
// light and dark.
func offline(w *watched, r Report) {
	file := w.file(Page{Report: r})
	call(w, network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: true})
	defer call(w, network.OverrideNetworkState,
		network.OverrideNetworkStateParams{DownloadThroughput: -1, UploadThroughput: -1})
	w.screen(1280, "", "light")
	w.do(chromedp.Navigate(file))

	weights := len(r.Weights.Tunable())
	rates, here, games := 0, 0, 0 // here: players at the answer's search, without references
	var shown []summary.Player
	for _, p := range r.HeldOut.Players {
		if p.Search == r.Games.Search && p.Role != summary.Reference {
			shown = append(shown, p)
			here++
		}
	}
	for _, d := range r.Games.Distribution {
		games += len(d.Quantiles)
	}
	for i := range shown[0].Tiles {
		least, most := 1., 0.
		for _, p := range shown {
			least, most = min(least, p.Tiles[i].Share), max(most, p.Tiles[i].Share)
		}
		if most > 0 && least < 0.995 {
			rates += here
		}
	}
	effects := 0
	for _, row := range r.Weights.Rows {
		if row.Change != nil {
			effects++
		}
	}
	for selector, want := range map[string]int{
		"[data-chart=gain] [aria-description=difference] circle":        len(r.HeldOut.Drawn),
		"[data-chart=gain] [aria-description=interval] line":            len(r.HeldOut.Drawn),
		"[data-chart=scores] [aria-description=mean] circle":            here,
		"[data-chart=scores] [aria-description=interval] line":          here,
		"[data-chart=convergence] [aria-description=generation] circle": len(r.Convergence.Generations),
		"[data-chart=convergence] [aria-description=look] circle":       len(r.Convergence.Looks),
		"[data-chart=convergence] [aria-description=looks] path":        len(r.Convergence.Stages),
		"[data-chart=convergence] [aria-description=interval] path":     len(r.Convergence.Stages),
		"[data-chart=convergence] [aria-description=centre] path":       len(r.Convergence.Centres),
		"[data-chart=convergence] [aria-description=interval] line":     len(r.Convergence.Centres),
		"[data-chart=slice] [aria-description=champion] line":           weights,
		"[data-chart=slice] [aria-description=start] line":              weights,
		"[data-chart=map] [aria-description=champion] circle":           1,
		"[data-chart=effect] [aria-description=effect] rect":            effects,
		"[data-chart=tiles] [aria-description=rate] circle":             rates,
		"[data-chart=tiles] [aria-description=interval] line":           rates,
		".replay-player": 1,
	} {
		if got := tell[int](w, fmt.Sprintf("document.querySelectorAll(%q).length", selector)); got != want || want == 0 {
			w.Errorf("%s: %d marks, want %d of them, and some", selector, got, want)
		}
	}
	if unsaid := tell[int](w, `[...document.querySelectorAll("[data-chart]")].filter(e => e.role !== "img" || !/\d/.test(e.ariaLabel)).length`); unsaid > 0 {
		w.Errorf("%d charts do not say their result in words", unsaid)
	}
	if untitled := tell[int](w, `[...document.querySelectorAll("[data-chart]")].filter(e => !e.closest("figure").querySelector("h3")).length`); untitled > 0 {
		w.Errorf("%d charts have no title", untitled)
	}
	if bare := tell[int](w, `[...document.querySelectorAll("[data-chart]")].filter(e => !e.querySelector("svg")).length`); bare > 0 {
		w.Errorf("%d charts are not drawn", bare)
	}
	scored := copied(r) // where fitness is the score, its distribution is drawn
	scored.Unit = UnitOf(fitness.MeanScore)
	scores := w.file(Page{Report: scored})
	w.do(chromedp.Navigate(scores))
	if got := tell[int](w, `document.querySelectorAll("[data-chart=scores] [aria-description=games] circle").length`); got != games {
		w.Errorf("%d dots of games, want %d", got, games)
	}
	if got := tell[int](w, `new Set([...document.querySelectorAll("[data-chart=scores] [aria-description=games] circle")].map(e => [e.cx.baseVal.value, e.cy.baseVal.value].join())).size`); got != games {
		w.Errorf("%d places of dots, want %d", got, games)
	}
	w.do(chromedp.Navigate(file))
	const dots = `["slice", "map"].map(chart => [...document.querySelector("[data-chart=" + chart + "]").querySelectorAll("[aria-description=candidates] path")]
		.reduce((n, path) => n + path.getAttribute("d").split("M").length - 1, 0))`
	if got, n := tell[[]int](w, dots), len(r.Weights.Tuned.Fitness); n == 0 || !slices.Equal(got, []int{n, n}) {
		w.Errorf("a slice and the map have %d dots, want %d each", got, n)
	}
	for _, scheme := range []string{"light", "dark"} {
		w.screen(1280, "", scheme)
		if got := tell[float64](w, contrast); got < 4.5 {
			w.Errorf("%s: contrast %.1f, want 4.5 at least", scheme, got)
		}
	}
	w.screen(390, "", "light")
	const headed = `[...document.querySelectorAll(".weights th")].map(e => e.offsetHeight > 0 && e.getBoundingClientRect().right <= innerWidth)`
	if got := tell[[]bool](w, headed); len(got) != 5 || slices.Contains(got, false) {
		w.Errorf("headings of the weights that a phone shows: %v, want 5", got)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Equal(w.requests, []string{file, scores, file}) {
		w.Errorf("requests %q, want the files alone", w.requests)
	}
}

// contrast is the least contrast of text and lines to the paper.
const contrast = `(() => {
	const light = colour => {
		const c = document.createElement("canvas").getContext("2d");
		c.fillStyle = colour;
		c.fillRect(0, 0, 1, 1);
		const [r, g, b] = [...c.getImageData(0, 0, 1, 1).data].map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
	};
	const paper = light(getComputedStyle(document.body).backgroundColor);
	const of = (selector, what) => {
		const ink = light(getComputedStyle(document.querySelector(selector))[what]);
		return Math.max(ink, paper) / Math.min(ink, paper);
	};
	return Math.min(of("body", "color"), of("figcaption", "color"), of("[data-chart] svg", "color"),
		of("[data-chart=convergence] [aria-description=looks] path", "stroke"), of("[data-chart=effect] [aria-description=interval] line", "stroke"));
})()`

// hostile gives all that has a name names that would be markup, code, or wider than any screen.
func hostile(w *watched, r Report) {
	names := []string{
		"</script><script>alert(1)</script>", `<img src=x onerror="alert(1)">`, "\u2028\u2029'\"`${alert(1)}{{.}}<!--",
		"\x1b[31m\u202eשלום &amp; \\u0041",
		strings.Repeat("Donaudampfschifffahrt", 20), "]]>", "   ",
	}
	next := 0
	name := func() string { next++; return names[(next-1)%len(names)] }
	evil := copied(r)
	evil.Name = names[0] + names[4]
	evil.Headline.Text, evil.Headline.Beside = strings.Join(names, " "), names[4]
	evil.Unit.Title = names[1]
	var want []string
	for i := range evil.Weights.Rows {
		evil.Weights.Rows[i].Name = name()
		want = append(want, evil.Weights.Rows[i].Name)
	}
	for i := range evil.HeldOut.Players {
		evil.HeldOut.Players[i].Name, evil.HeldOut.Players[i].Search = name(), names[4]
	}
	for i := range evil.Convergence.Stages {
		evil.Convergence.Stages[i].Name, evil.Convergence.Stages[i].Search = names[4], name()
	}
	for i := range evil.Games.Distribution {
		evil.Games.Distribution[i].Player = name()
	}
	evil.Games.Search = names[4]
	evil.Provenance.Facts = append(evil.Provenance.Facts, Fact{names[4], names[4]}, Fact{names[0], names[1]})
	evil.Provenance.Config, evil.Provenance.Commands = strings.Join(names, "\n"), names

	page := w.file(Page{Report: evil})
	for _, screen := range []struct {
		width int64
		media string
	}{{1280, ""}, {390, ""}, {670, "print"}} {
		w.screen(screen.width, screen.media, "light")
		w.do(chromedp.Navigate(page))
		if screen.media == "print" {
			tell[bool](w, `dispatchEvent(new Event("beforeprint"))`)
		}
		if over := tell[float64](w, `document.scrollingElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
			w.Errorf("%d pixels wide %s: the page is %g pixels wider", screen.width, screen.media, over)
		}
	}
	w.screen(1280, "", "light")
	w.do(chromedp.Navigate(page))
	for where, expression := range map[string]string{
		"table": `[...document.querySelector(".weights").querySelectorAll("tbody td:first-child bdi")].map(e => e.textContent)`,
	} {
		if got := tell[[]string](w, expression); !slices.Equal(got, want) {
			w.Errorf("%s: names %q, want %q", where, got, want)
		}
	}
	if made := tell[int](w, `document.querySelectorAll("img:not([src^=data]), main script:not([type])").length`); made > 0 {
		w.Errorf("%d elements made of names", made)
	}
}

// live keeps a page open while its run goes on. TestLivePage of the dashboard has the rest: a
// server that goes away and comes back, and a run that is deleted.
func live(w *watched, r Report) {
	var mu sync.Mutex
	version := 0
	change := func() {
		mu.Lock()
		defer mu.Unlock()
		version++
	}
	mux := http.NewServeMux()
	mux.Handle("/assets/", http.StripPrefix("/assets/", http.FileServerFS(Assets)))
	mux.HandleFunc("/runs/", func(answer http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		now := copied(r)
		last := now.Convergence.Generations[len(now.Convergence.Generations)-1]
		last.Generation += version
		last.Games += int64(version)
		now.Convergence.Generations = append(now.Convergence.Generations[:4:4], last)
		now.Tables = []Table{{Section: "convergence", Notes: []string{fmt.Sprintf("Version %d.", version)}}}
		now.Headline.Beside = strings.Repeat("longer ", 100*min(version, 1)) // above what is looked at
		now.Games.Distribution[0].Quantiles = slices.Concat([]float64{float64(version)},
			now.Games.Distribution[0].Quantiles[1:])
		now.Provenance.Commands = []string{fmt.Sprint("version ", version)}
		if err := (Page{Report: now, Root: "../"}).Write(answer); err != nil {
			w.Error(err)
		}
	})
	server := httptest.NewServer(mux)
	w.Cleanup(server.Close)
	// The headline of a run under way is the newest figure, also where the page was made before it.
	going := copied(r)
	going.Status.State, going.Status.Centre = experiments.Running,
		&Centre{Lead: "The search so far: +9% [1, 17] over the start", Sure: "By 40 games."}
	going.Status.Figures = []Fact{}
	now := going.Status
	going.Headline.Lead, going.Status.Centre = "Not validated yet", nil
	mux.HandleFunc("/runs/going", func(answer http.ResponseWriter, _ *http.Request) {
		if err := (Page{Report: going, Root: "../"}).Write(answer); err != nil {
			w.Error(err)
		}
	})
	mux.HandleFunc("/runs/going/now.json", func(answer http.ResponseWriter, _ *http.Request) {
		if err := json.NewEncoder(answer).Encode(now); err != nil {
			w.Error(err)
		}
	})
	w.do(chromedp.Navigate(server.URL+"/runs/going"),
		chromedp.Poll[chromedp.Void](`document.querySelector(".lead").textContent + document.querySelector(".sure").textContent === "The search so far: +9% [1, 17] over the startBy 40 games." && document.title.startsWith("The search so far: +9% [1, 17] over the start: ")`))
	// A page that is looked at again asks at once.
	until := func(expression string) {
		w.Helper()
		tell[bool](w, `document.dispatchEvent(new Event("visibilitychange"))`)
		w.do(chromedp.Poll[chromedp.Void](expression))
	}
	seen := func(version int) string {
		return fmt.Sprintf(`document.querySelector("#convergence li").textContent === "Version %d."`, version)
	}

	w.screen(1280, "", "light")
	w.do(chromedp.Navigate(server.URL + "/runs/everything"))
	tell[any](w, `[...document.querySelectorAll("#made details")].at(-1).open = true, document.querySelector(".replay").mine = true, window.held = document.querySelector("#games"),
		document.querySelector("#weights").scrollIntoView(), window.top0 = document.querySelector("#weights").getBoundingClientRect().top`)
	change()
	until(seen(1))
	for what, expression := range map[string]string{
		"its chart is drawn once more":  `document.querySelectorAll("#convergence [aria-description=generation] circle").length === 5 && document.querySelectorAll("#convergence svg").length === 1`,
		"what did not change is kept":   `document.querySelector("#games") === window.held`,
		"what was open stays open":      `document.querySelector("#made code").textContent === "version 1" && document.querySelector("#made pre").closest("details").open`,
		"the replay is the same":        `document.querySelector("[data-part=games]").textContent.includes('"quantiles":[1,') && document.querySelector(".replay").mine`,
		"what one looks at stays there": `Math.abs(document.querySelector("#weights").getBoundingClientRect().top - window.top0) < 1`,
	} {
		if !tell[bool](w, expression) {
			w.Error("not so: ", what)
		}
	}
}

// watched is a tab of a browser that notes what it asks for. Any complaint of it fails the test.
type watched struct {
	*testing.T
	ctx      context.Context
	mu       sync.Mutex
	requests []string
}

func watch(t *testing.T, browser context.Context) *watched {
	ctx, stop := chromedp.NewContext(browser)
	w := &watched{T: t, ctx: ctx}
	err := chromedp.Listen(ctx, func(event any) {
		w.mu.Lock()
		defer w.mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventConsoleAPICalled:
			for _, a := range e.Args {
				t.Errorf("console: %s %s", a.Value, a.Description)
			}
		case *runtime.EventExceptionThrown:
			t.Errorf("exception: %+v", e.ExceptionDetails.Exception)
		case *log.EventEntryAdded:
			if e.Entry.Source != "network" { // the test takes the server away
				t.Errorf("the browser says %s", e.Entry.Text)
			}
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, "data:") {
				w.requests = append(w.requests, e.Request.URL)
			}
		}
	})
	must(t, err)
	t.Cleanup(stop)
	return w
}

func (w *watched) do(actions ...chromedp.Action[chromedp.Void]) {
	w.Helper()
	if err := chromedp.Do(w.ctx, actions...); err != nil {
		w.Fatal(err)
	}
}

// tell returns the value of an expression of JavaScript.
func tell[T any](w *watched, expression string) T {
	w.Helper()
	value, err := chromedp.Run(w.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		w.Fatalf("%s: %v", expression, err)
	}
	return value
}

func call[P, R any](w *watched, command cdp.Command[P, R], params P) R {
	w.Helper()
	var result R
	w.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) (err error) {
		result, err = chromedp.Call(ctx, command, params)
		return err
	}))
	return result
}

func (w *watched) screen(width int64, media, scheme string) {
	w.Helper()
	call(w, emulation.SetDeviceMetricsOverride,
		emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 900, DeviceScaleFactor: 1, Mobile: width < 500})
	call(w, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: media, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
}

// file writes an offline page and returns its address.
func (w *watched) file(page Page) string {
	w.Helper()
	path := filepath.Join(w.TempDir(), "page.html")
	f, err := os.Create(path)
	if err == nil {
		err = page.Write(f)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		w.Fatal(err)
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// copied is a report whose lists may be changed.
func copied(r Report) Report {
	r.Weights.Rows = slices.Clone(r.Weights.Rows)
	r.HeldOut.Players, r.Games.Distribution = slices.Clone(r.HeldOut.Players), slices.Clone(r.Games.Distribution)
	r.Convergence.Stages = slices.Clone(r.Convergence.Stages)
	r.Provenance.Facts = slices.Clone(r.Provenance.Facts)
	return r
}
