package dashboard

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"path/filepath"

	"testing"
	"time"

	"tune2048/configs/config"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

const address = "127.0.0.1:8048"

// small is an experiment of a moment.
const small = `
name: %s
heuristic:
  features: [{feature: empty, weight: {min: 1, max: 3000, start: 600, scale: linear}}, {feature: merges, weight: 700}]
search: {depth: 1}
optimizer: {algorithm: genetic, population: 4}
stages: [{name: tune, generations: %d, games: 3}]
playoff: {finalists: 2, games: 5}
validation: {games: 10}
`

// play runs a small experiment in the database. It calls observe for every game, unless observe is
// nil.
func play(t testing.TB, database, name string, generations int, observe func(experiments.Progress)) {
	t.Helper()
	config := sure(config.Parse(fmt.Appendf(nil, small, name, generations), name+".yaml"))(t)
	store := sure(results.Open(database))(t)
	defer store.Close()
	store.Foresee(func() (float64, time.Duration, bool) { return 0.5, time.Minute, true })
	_, err := experiments.Experiment{Config: config, Store: store, Simulator: simulator.NewPool(2),
		Observe: observe}.Run(context.Background())
	must(t, err)
}

// played returns a database with the finished run small.
func played(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tune.db")
	play(t, path, "small", 2, nil)
	return path
}

// change runs SQL in a database.
func change(t testing.TB, path, statement string, args ...any) {
	t.Helper()
	db := sure(sql.Open("sqlite3", path))(t)
	defer db.Close()
	_, err := db.Exec(statement, args...)
	must(t, err)
}

// ticking gives a handler a clock of the test's, which pass moves on.
func ticking(d *Dashboard) (pass func(time.Duration)) {
	var mutex sync.Mutex
	clock := time.Now()
	now := func() time.Time { mutex.Lock(); defer mutex.Unlock(); return clock }
	d.pages.now, d.replays.now = now, now
	return func(t time.Duration) { mutex.Lock(); defer mutex.Unlock(); clock = clock.Add(t) }
}

// shows fails unless the answer to a request has this status and these words.
func shows(t testing.TB, d http.Handler, at string, status int, words string) {
	t.Helper()
	if w := get(d, at); w.Code != status || !strings.Contains(w.Body.String(), words) {
		t.Errorf("%.80s: status %d, want %d with %q: %.300s", at, w.Code, status, words, w.Body)
	}
}

// get asks for an address.
func get(d http.Handler, at string, change ...func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, at, nil)
	r.Host = address
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w
}

// decode reads JSON.
func decode[T any](t testing.TB, w *httptest.ResponseRecorder) (v T) {
	t.Helper()
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		t.Fatalf("%v: %.300s", err, w.Body)
	}
	return v
}

// sure returns the value of a call that must not fail.
func sure[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		must(t, err)
		return value
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
