package dashboard

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/experiments"
	"tune2048/results"
)

const someBoard = "0 2 0 0/8 8 4 0/1024 2 4 2/2048 4 16 4"

func askMove(d http.Handler, query string, change ...func(*http.Request)) (status int, body string, header http.Header) {
	w := get(d, movePath+"?board="+url.QueryEscape(someBoard)+query, change...)
	return w.Code, strings.TrimSpace(w.Body.String()), w.Header()
}

// TestMove: the values equal a search with the champion's weights.
func TestMove(t *testing.T) {
	path := played(t)
	d := serving(t, path, Options{Address: address})
	reader, err := results.OpenReader(path)
	must(t, err)
	defer reader.Close()
	run, champion, err := reader.Champion(context.Background(), "small")
	must(t, err)
	config, err := run.Config()
	must(t, err)
	player, err := experiments.StoredExperiment(config, "").Player(champion, "depth 1")
	must(t, err)
	tables, err := heuristic.NewCompiler(player.Family).Compile(player.Values, player.Dead)
	must(t, err)
	board, err := engine.ParseBoard(someBoard)
	must(t, err)
	for query, depth := range map[string]int{"": 1, "&run=small": 1, "&run=small&depth=3": 3, "&depth=2": 2} {
		var s engine.Searcher
		s.Prepare(tables, engine.FixedDepth(depth), config.Rules)
		want, err := s.Search(board).MarshalJSON()
		must(t, err)
		if status, body, _ := askMove(d, query); status != http.StatusOK || body != string(want) {
			t.Errorf("%q: status %d, got %s, want %s", query, status, body, want)
		}
	}
}

// TestMoveRefuses: a reason as JSON, at once, also of a search that would take longer than anybody
// lives.
func TestMoveRefuses(t *testing.T) {
	d := serving(t, played(t), Options{Address: address})
	for query, want := range map[string]string{
		"&depth=8": "from 1 to 7", "&depth=31": "from 1 to 7", "&depth=99": "from 1 to 7", "&depth=0": "from 1 to 7", "&depth=x": "from 1 to 7",
		"&depth=99999999999999999999": "from 1 to 7", "&run=nosuch": "no run nosuch",
	} {
		status, body, header := askMove(d, query)
		if status != http.StatusBadRequest && status != http.StatusNotFound || !strings.HasPrefix(body, `{"error":"`) || !strings.Contains(body, want) ||
			header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: status %d, %s", query, status, body)
		}
	}
	if w := get(d, movePath+"?board=3+0+0+0/0+0+0+0/0+0+0+0/0+0+0+0"); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "row 1, column 1: 3 is not a tile") {
		t.Errorf("status %d, %s", w.Code, w.Body)
	}
}

// TestMoveOrigin: pages elsewhere may read moves, and nothing else, where that was asked for.
func TestMoveOrigin(t *testing.T) {
	const origin = "https://example.org"
	from := func(origin string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Origin", origin); r.Header.Set("Sec-Fetch-Site", "cross-site") }
	}
	path := played(t)
	closed, open := serving(t, path, Options{Address: address}), serving(t, path, Options{Address: address, Origin: origin})
	for _, c := range []struct {
		d      *Dashboard
		origin string
		allows bool
	}{{closed, origin, false}, {open, origin, true}, {open, "https://example.com", false}, {open, "null", false}} {
		status, _, header := askMove(c.d, "", from(c.origin))
		if allowed := header.Get("Access-Control-Allow-Origin") == c.origin; allowed != c.allows || (status == http.StatusOK) != c.allows {
			t.Errorf("%s: status %d, allowed %v, want %v", c.origin, status, allowed, c.allows)
		}
		preflight, _, _ := askMove(c.d, "", from(c.origin), func(r *http.Request) { r.Method = http.MethodOptions })
		if (preflight == http.StatusNoContent) != c.allows {
			t.Errorf("%s: preflight status %d", c.origin, preflight)
		}
	}
	if w := get(open, "/runs/small/report.json", from(origin)); w.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Error("reports may be read elsewhere")
	}
	for _, text := range []string{"*", "example.org", "https://example.org/", "https://", "https://a b"} {
		if Origin(text) == nil {
			t.Errorf("%q is taken for an origin", text)
		}
	}
}
