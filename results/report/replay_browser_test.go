package report

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"tune2048/engine/plain"
	"tune2048/results"
)

// chromium starts a browser without a window. The test is skipped where there is none.
func chromium(t *testing.T) context.Context {
	t.Helper()
	found := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if at, err := exec.LookPath(name); err == nil {
			found = at
			break
		}
	}
	if found == "" {
		t.Skip("no Chromium on this machine: what a browser makes of the page is not tested")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(found), chromedp.NoSandbox,
		chromedp.Flag("disable-quic", true))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	browser, leave := chromedp.NewContext(allocator)
	must(t, chromedp.Do(browser))
	ctx, cancel := context.WithTimeout(browser, 2*time.Minute) // what never appears is waited for without end
	t.Cleanup(func() { cancel(); leave(); stop() })
	return ctx
}

// shows is a replay as the page shows it.
type shows struct {
	Tiles, Values, Message string
	Score, Move, Value     string
	Chosen                 int // -1: none
	Toggle                 string
	At, Max                int
}

const look = `(() => {
	const q = (s) => document.querySelector(".replay-player " + s), all = (s) => [...document.querySelectorAll(".replay-player " + s)];
	const [score, move, value] = all("dd").map((e) => e.textContent), slider = q("input");
	return {tiles: all(".tile").map((e) => e.textContent || 0).join(" "), values: all(".replay-value").map((e) => e.textContent).join("|"),
		message: q(".replay-message").textContent, score, move, value, chosen: all("tbody tr").findIndex((e) => e.className === "chosen"),
		toggle: q(".replay-controls button:nth-of-type(3)").title, at: slider.valueAsNumber, max: Number(slider.max)};
})()`

// see carries out the actions and returns what the page shows then.
func see(t *testing.T, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) shows {
	t.Helper()
	must(t, chromedp.Do(ctx, actions...))
	s := sure(chromedp.Run(ctx, chromedp.Evaluate[shows](look)))(t)
	return s
}

// until waits till the page shows what the expression says of it.
func until(expression string) chromedp.Action[chromedp.Void] {
	return chromedp.Poll[chromedp.Void]("(s => " + expression + ")(" + look + ")")
}

// served is a page with replays alone, and the records of those that have none in the page.
type served struct {
	*httptest.Server
	asked atomic.Int64
}

func serveReplays(t *testing.T, replays []Replay, records map[int64]Record) *served {
	t.Helper()
	asset := func(name string) string {
		b := sure(os.ReadFile(path.Join("assets", name)))(t)
		return string(b)
	}
	data := sure(json.Marshal(replays))(t)
	s := new(served)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			fmt.Fprintf(w, `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><style>%s</style>
				<div class="replay" data-src="/replays/"><script type="application/json">%s</script></div><script>%s</script>`,
				asset("replay.css"), data, asset("board.js")+asset("replay.js"))
			return
		}
		s.asked.Add(1)
		id, _ := strconv.ParseInt(strings.TrimSuffix(path.Base(r.URL.Path), ".json"), 10, 64)
		record, known := records[id]
		if !known {
			http.Error(w, "game <b>99</b> does not end as stored", http.StatusInternalServerError)
			return
		}
		json.NewEncoder(w).Encode(record)
	}))
	t.Cleanup(s.Close)
	return s
}

// replays returns three games of a run as a page has them, with their records apart.
func replays(t *testing.T) (games []Replay, records map[int64]Record) {
	t.Helper()
	reader, run := played(t, small)
	records = map[int64]Record{}
	for number := range 3 {
		id := results.GameID(1, number, 0) // of its search
		g := sure(reader.Replay(context.Background(), id))(t).Game
		r := Replay{Which: fmt.Sprint("game ", len(games)), Game: id, Seed: g.Seed, Search: g.Search,
			Score: g.Score, MaxTile: g.MaxTile, Moves: g.Moves, Final: rowByRow(g.Final)}
		records[r.Game], games = sure(Play(context.Background(), reader, run, r.Game))(t), append(games, r)
	}
	return games, records
}

func text(faces [16]int) string { return strings.Trim(fmt.Sprint(faces), "[]") }

func number(s string) int {
	n, _ := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
	return n
}

// TestReplayInBrowser: jumped to, stepped to or played, a replay shows the boards, scores and
// values of its record, and ends on the stored board and score.
func TestReplayInBrowser(t *testing.T) {
	ctx := chromium(t)
	games, records := replays(t)
	for i := range games {
		record := records[games[i].Game]
		games[i].Record = &record
	}
	page := serveReplays(t, games, nil)
	var s shows
	do := func(what string, actions ...chromedp.Action[chromedp.Void]) {
		t.Helper()
		must(t, chromedp.Do(ctx, actions...))
		s = see(t, ctx)
		if s.Message != "" {
			t.Fatalf("%s: the page says %s", what, s.Message)
		}
	}
	press := func(keys string) chromedp.Action[chromedp.Void] { return chromedp.KeyEvent(keys) }
	do("open", chromedp.EmulateViewport(1000, 800), chromedp.Navigate(page.URL))
	for i, g := range games {
		final := text(g.Final)
		ended := func(what string) {
			t.Helper()
			if s.Tiles != final || float64(number(s.Score)) != g.Score || s.At != g.Moves || s.Max != g.Moves ||
				s.Chosen != -1 || s.Toggle != "play" {
				t.Errorf("%s, %s: %+v\nwant %s with %v points after %d moves", g.Which, what, s, final, g.Score, g.Moves)
			}
		}
		choice := fmt.Sprintf(".replay-choice:nth-child(%d)", i+1)
		do("choose", chromedp.Click(choice), chromedp.Focus(".replay-stage"))
		do("Home", press(kb.Home))
		start, moves := decode(t, records[g.Game])
		at, shownAt := start, 0
		for _, to := range []int{0, 1, 2, len(moves) / 2, len(moves)/2 + 1, len(moves) - 1, len(moves)} {
			if to > len(moves) || to < shownAt {
				continue
			}
			if to == shownAt+1 {
				do("step", press(kb.ArrowRight))
			} else if to != shownAt {
				do("slide", chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`(e => { e.value = %d; e.dispatchEvent(new Event("input")); })(document.querySelector("input"))`, to)))
			}
			at, _ = follow(t, at, moves[shownAt:to], nil)
			shownAt = to
			var faces [16]int
			for k := range 16 {
				faces[k] = at[k/4][k%4]
			}
			chosen := -1
			if to < len(moves) {
				values := strings.Split(s.Values, "|")
				for d, name := range plain.Directions {
					if name == moves[to].direction {
						chosen = d
					}
					v, legal := moves[to].values[name]
					if name != moves[to].direction {
						v -= moves[to].values[moves[to].direction]
					}
					if d == chosen {
						values[d] = s.Value
					}
					got, err := strconv.ParseFloat(strings.NewReplacer("−", "-", ",", "").Replace(values[d]), 64)
					if legal != (err == nil) || legal && max(got-v, v-got) > 1e-3*max(1, v, -v) {
						t.Errorf("%s, move %d, %s: shows %q, want %v (%v)", g.Which, to, name, values[d], v, legal)
					}
				}
			}
			if s.Tiles != text(faces) || s.At != to || s.Chosen != chosen {
				t.Errorf("%s, move %d: %+v, want %s and %d chosen", g.Which, to, s, text(faces), chosen)
			}
		}
		ended("stepped to the end")
		do("back", press(kb.ArrowLeft))
		if s.At != g.Moves-1 {
			t.Errorf("%s: one back from the end is %d", g.Which, s.At)
		}
		do("End", press(kb.End))
		ended("jumped to the end")
		do("play", press("+"), press("+"), press("+"), press("+"), press(" "))
		do("play on", until(`s.toggle === "play"`))
		ended("played")
	}
	do("play and pause", chromedp.Click(".replay-choice:nth-child(1)"), chromedp.Focus(".replay-stage"), press("-"),
		press("-"), press("-"), press("-"), press("-"), press(" "))
	do("wait for a move", until(`s.at > 0`), press(" "))
	if s.Toggle != "play" || s.At == 0 || s.At == games[0].Moves {
		t.Errorf("paused: %+v", s)
	}
	do("touch the board", chromedp.Tap(".replay-player .replay-board"), until(`s.toggle === "pause"`))
	// A live page takes a playing replay over into what it fetched.
	do("move it about", chromedp.Evaluate[chromedp.Void](`(() => {
		const page = new DOMParser().parseFromString("<section><div class=replay></div></section>", "text/html"), part = page.querySelector("section");
		part.firstChild.replaceWith(document.querySelector(".replay"));
		document.body.append(part);
		fillReplays(part);
	})()`))
	do("play on", until(fmt.Sprintf(`s.at > %d && document.querySelectorAll(".replay-player").length === 1`, s.At)))
	if n := page.asked.Load(); n != 0 {
		t.Errorf("%d requests for games that are in the page", n)
	}
}

// TestReplayIsAskedFor: the live page asks for a game once, when somebody sees its place, opens it
// in the middle, and says why a game cannot be shown.
func TestReplayIsAskedFor(t *testing.T) {
	ctx := chromium(t)
	games, records := replays(t)
	games = append(games[:1], Replay{Which: "worst", Game: 99, Moves: 5, Score: 12})
	page := serveReplays(t, games, records)
	var s shows
	do := func(actions ...chromedp.Action[chromedp.Void]) { t.Helper(); s = see(t, ctx, actions...) }
	do(chromedp.Navigate(page.URL), until(`s.chosen >= 0 && s.value !== "" && s.at > 0 && s.at < s.max`),
		chromedp.Click(`[title="play"]`), until(`s.at > 0 && s.message === ""`), chromedp.KeyEvent(kb.End))
	if s.Tiles != text(games[0].Final) || float64(number(s.Score)) != games[0].Score || page.asked.Load() != 1 {
		t.Errorf("at the end, after %d requests: %+v", page.asked.Load(), s)
	}
	do(chromedp.Click(".replay-choice:nth-child(2)"), until(`s.message.includes("<b>99</b>")`))
	if s.Toggle != "play" {
		t.Errorf("a game that cannot be shown plays on: %+v", s)
	}
}
