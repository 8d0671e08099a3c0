package dashboard

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// everywhere are addresses of every kind, with the status that each has for the run small.
var everywhere = map[string]int{
	"/": 200, "/runs/small": 200, "/runs/small/now.json": 200, "/runs": 404, "/runs/nosuch/now.json": 404,
	"/runs/small/report.json": 200, "/runs/small/replays/50000000000.json": 200,
	"/assets/page.css": 200, "/assets/page.js": 200, "/assets/plot.umd.min.js": 200, "/assets/list.js": 200,
	"/assets/dashboard.css": 200,
	"/runs/nosuch":          404, "/runs/nosuch/report.json": 404, "/runs/small/secrets.json": 404,
	"/runs/small/report":         404,
	"/runs/small/replays/1.json": 404, "/runs/small/replays/x.json": 404, "/runs/small/replays/-1.json": 404,
	"/runs/small/replays/99999999999999999999.json": 404,
	"/assets/nosuch.js":                             404, "/assets/README.md": 404, "/assets/..%2fpage.html": 404,
	"/nosuch": 404, "/favicon.ico": 404,
}

// TestEveryAnswerTellsTheBrowserWhatItMayDo: the same headers everywhere, on errors too.
func TestEveryAnswerTellsTheBrowserWhatItMayDo(t *testing.T) {
	d := New(played(t), Options{Address: address, Warn: func(text string) { t.Error(text) }})
	for at, status := range everywhere {
		w := get(d, at)
		if w.Code != status {
			t.Errorf("%s: status %d, want %d: %.200s", at, w.Code, status, w.Body)
		}
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src " +
				"'self' data:; " +
				"connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
			"Cache-Control": "private, no-cache",
		} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s: %s: %q", at, name, got)
			}
		}
		kind := w.Header().Get("Content-Type")
		if path, _, _ := strings.Cut(at, "?"); status == 200 &&
			strings.HasSuffix(path, ".json") != (kind == "application/json") {
			t.Errorf("%s: %s", at, kind)
		}
		head := get(d, at, func(r *http.Request) { r.Method = http.MethodHead })
		if head.Code != w.Code {
			t.Errorf("HEAD %s: status %d, GET %d", at, head.Code, w.Code)
		}
	}
}

func TestOnlyReadingMethods(t *testing.T) {
	d := New(played(t), Options{Address: address})
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE", "get", "X"} {
		for at := range everywhere {
			w := get(d, at, func(r *http.Request) { r.Method = method })
			if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
				t.Errorf("%s %s: status %d", method, at, w.Code)
			}
		}
	}
}

func TestHosts(t *testing.T) {
	path := played(t)
	for _, c := range []struct {
		bound, host string
		ok          bool
	}{
		{address, address, true}, {address, "localhost:8048", true}, {address, "LOCALHOST:8048", true},
		{address, "[::1]:8048", true},
		{address, "localhost:9000", true}, {address, "127.0.0.1:9000", true}, {address, "[::1]:9000", true},
		{address, "localhost", true}, // a tunnel's end
		{address, "", false}, {address, ":8048", false}, {address, "evil.example:8048", false},
		{address, "evil.example", false}, {address, "192.168.0.1:8048", false},
		{address, "localhost.evil.example:8048", false}, {address, "localhost:8048.evil.example", false},
		{address, "127.0.0.1:8048@evil.example", false},
		{address, "evil.example@127.0.0.1:8048", false}, {address, "127.0.0.1.evil.example", false},
		{address, "evil.example#@localhost:8048", false},
		{address, "localhost/evil", false}, {address, "localhost:", true}, {address, "localhost.:8048", false},
		{address, "%", false},
		{"127.0.0.2:80", "127.0.0.2", true}, {"127.0.0.2:80", "127.0.0.2:80", true}, {"127.0.0.2:80", "localhost", true},
		{"127.0.0.2:80", "evil.example", false},
		{"[::1]:80", "[::1]", true}, {"machine.example:80", "machine.example", true},
		{"machine.example:80", "evil.example", false},
	} {
		d := New(path, Options{Address: c.bound})
		for _, at := range []string{"/", "/runs/small/report.json", "/assets/page.js", "/nosuch"} {
			w := get(d, at, func(r *http.Request) { r.Host = c.host })
			if refused := w.Code == http.StatusForbidden; refused == c.ok || refused &&
				!strings.Contains(w.Body.String(), "start it with -token-file FILE") {
				t.Errorf("bound to %s, asked for %q%s: status %d: %s", c.bound, c.host, at, w.Code, w.Body)
			}
		}
	}
}

func TestToken(t *testing.T) {
	const token = "0123456789abcdef"
	d := New(played(t), Options{Address: address, Token: token})
	basic := func(user, password string) func(*http.Request) {
		return func(r *http.Request) { r.SetBasicAuth(user, password) }
	}
	header := func(text string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Authorization", text) }
	}
	for i, c := range []struct {
		change func(*http.Request)
		ok     bool
	}{
		{func(*http.Request) {}, false}, {basic("", token), true}, {basic("anybody", token), true},
		{header("Bearer " + token), true},
		{basic(token, ""), false}, {basic("", token+"x"), false}, {basic("", token[1:]), false}, {header("Bearer "), false},
		{header("Bearer"), false},
		{header("Bearer x"), false}, {header("Basic !"), false}, {header("Basic"), false}, {header(token), false},
		{header("bearer x" + token), false},
	} {
		for at := range everywhere {
			w := get(d, at, c.change)
			if refused := w.Code == http.StatusUnauthorized; refused == c.ok || refused &&
				!strings.HasPrefix(w.Header().Get("WWW-Authenticate"), "Basic ") {
				t.Errorf("case %d, %s: status %d", i, at, w.Code)
			}
			if !c.ok && strings.Contains(w.Body.String(), token) {
				t.Errorf("case %d, %s: the answer has the token", i, at)
			}
		}
	}
	// A proxy asks under a name of its own.
	if w := get(d, "/", basic("", token), func(r *http.Request) { r.Host = "tune.example" }); w.Code != http.StatusOK {
		t.Errorf("through a proxy: status %d", w.Code)
	}
}

// TestWorkIsNotDoneForOtherSites: a page elsewhere can link here, but not keep this machine busy.
func TestWorkIsNotDoneForOtherSites(t *testing.T) {
	const replay = "/runs/small/replays/50000000000.json"
	d := New(played(t), Options{Address: address})
	for site, refused := range map[string]bool{"cross-site": true, "same-site": true, "same-origin": false, "none": false,
		"": false} {
		from := func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", site) }
		if w := get(d, replay, from); (w.Code == http.StatusForbidden) != refused {
			t.Errorf("from %q: status %d", site, w.Code)
		}
		for _, at := range []string{"/", "/runs/small"} {
			if w := get(d, at, from); w.Code != http.StatusOK {
				t.Errorf("from %q: %s: status %d", site, at, w.Code)
			}
		}
	}
	// Browsers send no Sec-Fetch-Site over plain http to another machine.
	for from, refused := range map[string]bool{
		"http://evil.example": true, "null": true, "http://" + address + ".evil.example": true, "http://127.0.0.1:8049": true,
		"%":                 true,
		"http://" + address: false, "https://" + address: false,
	} {
		for _, name := range []string{"Origin", "Referer"} {
			if w := get(d, replay, func(r *http.Request) {
				r.Header.Set(name,
					from)
			}); (w.Code == http.StatusForbidden) != refused {
				t.Errorf("%s %q: status %d", name, from, w.Code)
			}
		}
	}
}

// TestBelowAPath: behind a proxy that serves the pages below a path of its own and strips it, all
// that they link to is there.
func TestBelowAPath(t *testing.T) {
	path := played(t)
	play(t, path, "a.b", 1, nil)
	d := New(path, Options{})
	proxy := httptest.NewServer(http.StripPrefix("/tune", d))
	defer proxy.Close()
	links := regexp.MustCompile(`(?:href|src|action)="([^"#]+)"`)
	seen := map[string]bool{}
	var visit func(at *url.URL, status int)
	visit = func(at *url.URL, status int) {
		if seen[at.String()] {
			return
		}
		seen[at.String()] = true
		answer := sure(http.Get(at.String()))(t)
		defer answer.Body.Close()
		body := string(sure(io.ReadAll(answer.Body))(t))
		if answer.StatusCode != status {
			t.Errorf("%s: status %d", at, answer.StatusCode)
		}
		if !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") {
			return
		}
		for _, link := range links.FindAllStringSubmatch(body, -1) {
			to := sure(answer.Request.URL.Parse(link[1]))(t)
			if strings.HasSuffix(to.Path, "/small/replays/") { // a script adds a game of the run
				to.Path += "50000000000.json"
			}
			if to.Host == at.Host && !strings.HasSuffix(to.Path, "/replays/") {
				visit(to, http.StatusOK)
			}
		}
	}
	for at, status := range map[string]int{"/": 200, "/nosuch": 404, "/runs/nosuch/x/": 404} {
		visit(sure(url.Parse(proxy.URL+"/tune"+at))(t), status)
	}
	for _, at := range []string{"/tune/runs/small", "/tune/runs/a.b", "/tune/runs/small/replays/50000000000.json",
		"/tune/assets/page.js", "/tune/assets/list.js"} {
		if !seen[proxy.URL+at] {
			t.Errorf("no page links to %s", at)
		}
	}
}

func TestListenRefuses(t *testing.T) {
	taken := httptest.NewServer(nil)
	defer taken.Close()
	for at, want := range map[string]string{
		taken.Listener.Addr().String(): "another program does", "0.0.0.0:0": "without a token", ":0": "without a token",
		"[::]:0":   "without a token",
		"nonsense": "want HOST:PORT", "127.0.0.1:99999": "want HOST:PORT", "": "without a token",
	} {
		listener, err := Listen(at, "")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", at, err, want)
		}
		if err == nil {
			listener.Close()
		}
	}
	for _, c := range [][2]string{{"127.0.0.1:0", ""}, {"localhost:0", ""}, {":0", "0123456789abcdef"}} {
		listener, err := Listen(c[0], c[1])
		if err != nil {
			t.Errorf("%s: %v", c[0], err)
			continue
		}
		listener.Close()
	}
}
