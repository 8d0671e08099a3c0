package export

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
)

func champion(t testing.TB, name string) *Record {
	t.Helper()
	data, err := config.ReadFile("champions/" + name)
	must(t, err)
	r, err := Read(data)
	must(t, err)
	return r
}

func paged(t *testing.T, r *Record) string {
	t.Helper()
	var b bytes.Buffer
	must(t, Page(&b, r))
	return b.String()
}

// TestPage: each champion's page is small, and holds its record. Its verdict has the record's
// figures.
func TestPage(t *testing.T) {
	for _, name := range config.Champions() {
		r := champion(t, name)
		text := paged(t, r)
		if len(text) > 300_000 {
			t.Errorf("%s: %d bytes", name, len(text))
		}
		kept := regexp.MustCompile(`(?s)id="record">(.*?)</script>`).FindStringSubmatch(text)
		if again, err := Read([]byte(kept[1])); err != nil || again.Player().Hash() != r.Player().Hash() ||
			len(again.HeldOut) != len(r.HeldOut) {
			t.Errorf("%s: the record in the page: %v", name, err)
		}
	}
	r := champion(t, "best-depth3")
	for _, want := range []string{"Better than the start weights by 83%",
		"Mean score 58,630 [57,974, 59,285], start weights 31,982, gain &#43;26,648 [25,863, 27,433]. 6,000 held-out games " +
			"each at depth 3, 95% intervals.",
		"Fingerprint of the run: " + r.Fingerprint[:12] +
			". Check it: tune verify best-depth3.json -games 100 (the page has the file)"} {
		if text := paged(t, r); !strings.Contains(text, want) {
			t.Errorf("there is no %q in the page, but %q", want,
				regexp.MustCompile(`(?s)<p class="verdict">.*?</p>`).FindString(text))
		}
	}
	for verdict, want := range map[string]string{"worse": "Worse than the start weights by",
		"undecided": "No gain found over the start weights"} {
		r.HeldOut[0].Verdict = verdict
		if text := paged(t, r); !strings.Contains(text, want) {
			t.Errorf("%s: there is no %q", verdict, want)
		}
	}
	r.HeldOut = nil
	if text := paged(t, r); !strings.Contains(text, "nothing is known of its strength") {
		t.Error("a player without held-out games is praised")
	}
}

// seen is the page as a person sees it, and the worker's last answer.
type seen struct {
	Tiles, Message, Watch, Time string
	Score, Moves                int
	Chosen                      int
	Rows                        [][]string
	Last                        *struct {
		Best  int
		Moves []*struct {
			Value float64
			Added []float64
		}
	}
}

const look = `(() => {
	const all = (s) => [...document.querySelectorAll(s)], [score, moves] = all(".play-figures dd").map((e) => Number(e.textContent.replace(/,/g, "")));
	return {time: document.querySelector(".play-figures div:nth-child(3) dd").textContent, tiles: all(".tile").map((e) => e.textContent || 0).join(" "), message: document.querySelector(".replay-message").textContent, watch: document.querySelector(".watch").textContent,
		score, moves, chosen: all(".replay-values tbody tr").findIndex((e) => e.className === "chosen"), rows: all("[data-feature]").map((e) => [...e.querySelectorAll("[data-move]")].map((c) => c.textContent)),
		thinking: document.body.className === "thinking", last: window.last ?? null};
})()`

// tab is a tab of a browser. Any complaint of it fails the test.
type tab struct {
	*testing.T
	ctx      context.Context
	requests []string
}

func browser(t *testing.T) *tab {
	t.Helper()
	found, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no Chromium on this machine: what a browser makes of the page is not tested")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(found), chromedp.NoSandbox,
		chromedp.Flag("disable-quic", true))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, leave := chromedp.NewContext(allocator)
	must(t, chromedp.Do(ctx))
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute) // what never appears is waited for without end
	t.Cleanup(func() { cancel(); leave(); stop() })
	b := &tab{T: t, ctx: ctx}
	must(t, chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			t.Errorf("exception: %+v", e.ExceptionDetails.Exception)
		case *log.EventEntryAdded:
			t.Errorf("the browser says %s", e.Entry.Text)
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, "data:") {
				b.requests = append(b.requests, e.Request.URL)
			}
		}
	}))
	b.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error { // keeps the worker's answers
		_, err := chromedp.Call(ctx, cdpage.AddScriptToEvaluateOnNewDocument, cdpage.AddScriptToEvaluateOnNewDocumentParams{
			Source: `Worker = class extends Worker { constructor(...of) { super(...of); this.addEventListener("message", (e) => { window.last = e.data; }); } }`})
		return err
	}))
	return b
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	must(b, chromedp.Do(b.ctx, actions...))
}

func (b *tab) run(script string) {
	b.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](script))
}

// until waits till the page shows what the expression says of it, and returns it.
func (b *tab) until(expression string) seen {
	b.Helper()
	b.do(chromedp.Poll[chromedp.Void]("(s => " + expression + ")(" + look + ")"))
	s, err := chromedp.Run(b.ctx, chromedp.Evaluate[seen](look))
	must(b, err)
	return s
}

// open opens the page of a record as a file, which plays the game of a seed.
func (b *tab) open(r *Record, seed, depth int) {
	b.Helper()
	path := filepath.Join(b.TempDir(), "page.html")
	write(b, path, paged(b.T, r))
	b.do(chromedp.Navigate((&url.URL{Scheme: "file", Path: path}).String()))
	b.run(fmt.Sprintf(`(() => {
		const set = (e, value) => { e.value = value; e.dispatchEvent(new Event("change")); }, [speed, depth] = document.querySelectorAll("#play select");
		speed.selectedIndex = 5;
		set(depth, %d);
		set(document.querySelector("#play input"), %d);
	})()`, depth, seed))
}

func faces(b engine.Board) string {
	return strings.NewReplacer("[", "", "]", "").Replace(fmt.Sprint(b.Faces()))
}

// TestPagePlays: in the browser, opened as a file, the champion plays the moves of tune play to the
// end of the game. The values of the moves and what each feature adds are the engine's.
func TestPagePlays(t *testing.T) {
	b := browser(t)
	records := []struct {
		*Record
		depth int
	}{{champion(t, "best-depth3"), 0}, {champion(t, "best-squares"), 2}}
	for i, f := range families[:6] {
		search, err := engine.ParseSettings(f.search)
		must(t, err)
		c, err := config.Parse([]byte(f.text+"search: {depth: "+fmt.Sprint(1+i%2)+"}\n"), "test.yaml")
		must(t, err)
		c.Search = search
		records = append(records, struct {
			*Record
			depth int
		}{startOf(t, c), 1 + i%2})
	}
	moves := 0
	for i, r := range records {
		tables, err := eval.NewCompiler(&r.heuristic).Compile(r.values, r.heuristic.Dead)
		must(t, err)
		player, rules := new(engine.Searcher), engine.Rules{FourProbability: r.Game.FourProbability}
		search := r.config.Play()
		if r.depth > 0 {
			search = engine.FixedDepth(r.depth)
		}
		player.Prepare(tables, search, rules)
		seed := 7 + i
		spawner := engine.NewSpawner(rules, uint64(seed))
		start := spawner.Start()
		b.open(r.Record, seed, r.depth)
		s := b.until(`s.moves === 0 && s.last && !s.thinking && s.chosen >= 0 && s.tiles === "` + faces(start) + `"`)
		decision, rounding := player.Search(start), math.Ldexp(16, -tables.Bits) // a rounding for each line and cell
		for m, move := range s.Last.Moves {
			if legal := decision.Legal[m]; legal != (move != nil) {
				t.Errorf("%s: move %d is legal: %t", r.Run, m, legal)
			} else if legal {
				after, _, _, _ := start.Slide(engine.Move(m))
				if move.Value != decision.Values[m] {
					t.Errorf("%s: move %d is worth %v, want %v", r.Run, m, move.Value, decision.Values[m])
				}
				sum := 0.0
				for k, x := range move.Added {
					sum += x
					if f := weighted(r.Record)[k]; r.heuristic.Symmetry != eval.SymmetryBest {
						alone, own := f.Alone(r.values)
						one, err := eval.NewCompiler(&alone).Compile(own, eval.Dead{})
						must(t, err)
						if want := one.Value(after); math.Abs(x-want) > 1e-9*math.Abs(want)+rounding {
							t.Errorf("%s: %s adds %v, want %v", r.Run, f.Name, x, want)
						}
					}
				}
				if want := tables.Value(after); math.Abs(sum-want) > 1e-9*math.Abs(want)+rounding {
					t.Errorf("%s: the features add %v, want %v", r.Run, sum, want)
				}
			}
		}
		want := engine.Play(rules, uint64(seed), player, nil)
		b.run(`document.querySelector(".watch").click()`)
		s = b.until(`s.message !== "" && s.watch === "Watch it play"`)
		if s.Tiles != faces(want.Final) || s.Score != int(want.Score) || s.Moves != want.Moves {
			t.Errorf("%s, seed %d: %d points after %d moves on %s, want %v", r.Run, seed, s.Score, s.Moves, s.Tiles, want)
		}
		t.Logf("%s, %v: %d moves, %s", r.Run, search, s.Moves, s.Time)
		moves += s.Moves
	}
	t.Logf("%d moves, all equal", moves)
	if moves < 1000 {
		t.Errorf("only %d moves were compared", moves)
	}
	if slices.ContainsFunc(b.requests,
		func(url string) bool { return !strings.HasPrefix(url, "file:") && !strings.HasPrefix(url, "blob:") }) {
		t.Errorf("the pages ask for %q", b.requests)
	}
}

// weighted are the features that count.
func weighted(r *Record) []eval.Term {
	return slices.DeleteFunc(slices.Clone(r.heuristic.Features),
		func(f eval.Term) bool { return r.values[f.Weight.At] == 0 })
}

// TestPageIsPlayed: a person plays with keys and swipes, asks for the champion's move, and sees
// what each feature adds. No name is markup, and nothing is wider than a phone.
func TestPageIsPlayed(t *testing.T) {
	b := browser(t)
	r := champion(t, "nneonneo")
	r.Run, r.Search.Text = `</script><script>alert(1)</script>`+hostile, `<img src=x onerror=alert(1)>`
	rules := engine.DefaultRules()
	b.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetDeviceMetricsOverride,
			emulation.SetDeviceMetricsOverrideParams{Width: 390, Height: 800, DeviceScaleFactor: 1, Mobile: true})
		return err
	}))
	b.open(r, 3, 1)
	spawner := engine.NewSpawner(rules, 3)
	board, moves := spawner.Start(), 0
	s := b.until(`s.last && !s.thinking && s.chosen >= 0`)
	play := func(what string, m engine.Move, act func()) {
		t.Helper()
		after, _, legal, _ := board.Slide(m)
		if !legal {
			t.Fatalf("%s: %v is not legal on %v", what, m, board)
		}
		board = spawner.Spawn(after)
		moves++
		act()
		s = b.until(fmt.Sprintf(`s.moves === %d && !s.thinking`, moves))
		if s.Tiles != faces(board) {
			t.Fatalf("%s: %s, want %s", what, s.Tiles, faces(board))
		}
	}
	legal := func() engine.Move {
		for _, m := range engine.Moves() {
			if _, _, legal, _ := board.Slide(m); legal {
				return m
			}
		}
		return engine.NoMove
	}
	keys := []string{kb.ArrowUp, kb.ArrowDown, kb.ArrowLeft, kb.ArrowRight}
	swipes := []string{"0, -60", "0, 60", "-60, 0", "60, 0"}
	for range 6 {
		m := legal()
		play("key", m, func() { b.do(chromedp.KeyEvent(keys[m])) })
		m = legal()
		play("swipe", m, func() {
			b.run(`((x, y) => {
				const board = document.querySelector("#play .replay-board"), touch = (dx, dy) => new Touch({identifier: 1, target: board, clientX: 150 + dx, clientY: 300 + dy});
				board.dispatchEvent(new TouchEvent("touchstart", {touches: [touch(0, 0)], changedTouches: [touch(0, 0)]}));
				board.dispatchEvent(new TouchEvent("touchend", {changedTouches: [touch(x, y)], cancelable: true}));
			})(` + swipes[m] + `)`)
		})
		play("its move", engine.Move(s.Chosen), func() { b.do(chromedp.KeyEvent(kb.Enter)) })
	}
	for _, row := range s.Rows {
		for m := range 4 {
			if _, _, legal, _ := board.Slide(engine.Move(m)); legal != (row[m] != "") {
				t.Errorf("move %d is legal: %t; the features show %q", m, legal, row[m])
			}
		}
	}
	if len(s.Rows) != len(weighted(r)) {
		t.Errorf("%d features are shown", len(s.Rows))
	}
	made, err := chromedp.Run(b.ctx,
		chromedp.Evaluate[[]int](`[document.querySelectorAll("img").length, document.scripts.length, document.scrollingElement.scrollWidth - document.documentElement.clientWidth]`))
	must(t, err)
	if !slices.Equal(made, []int{0, 5, 0}) {
		t.Errorf("images, scripts and pixels too wide: %v", made)
	}
}
