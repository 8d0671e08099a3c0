package dashboard

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"
)

// thrift bounds the share of one processor that all who look at a run take from it: after an entry
// took a second to make, it is not made again for thrift seconds.
const thrift = 100

// makeTime is how long making an entry may take.
const makeTime = time.Minute

// mostCached is the number of entries of a cache: some 50 kB each.
const mostCached = 128

// cache keeps the list of runs, reports, pages and replays by key. An entry is made once for all
// who ask for it. Where the cache is full, the entry that was asked for longest ago goes.
type cache struct {
	now   func() time.Time
	mutex sync.Mutex // guards the fields below and all entries
	all   map[string]*entry
	asked uint64
}

// entry is a value, or the error of making it.
type entry struct {
	value  any
	err    error
	state  string        // of the data that the value was made from
	next   time.Time     // the value is not made again before
	made   bool          // value or err is there
	making chan struct{} // closed when the value is made; nil while nobody makes it
	used   uint64
}

// at returns the entry of a key. Its caller holds the mutex.
func (c *cache) at(key string) *entry {
	e := c.all[key]
	if e == nil {
		if len(c.all) >= mostCached {
			oldest := func(a, b string) int { return cmp.Compare(c.all[a].used, c.all[b].used) }
			delete(c.all, slices.MinFunc(slices.Collect(maps.Keys(c.all)), oldest))
		}
		e = &entry{}
		c.all[key] = e
	}
	c.asked++
	e.used = c.asked
	return e
}

// kept returns the value of a key, or nil.
func (c *cache) kept(key string) any {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if e := c.all[key]; e != nil {
		return e.value
	}
	return nil
}

// keep puts a value into the cache.
func (c *cache) keep(key string, value any) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	e := c.at(key)
	e.value, e.made = value, true
}

// cached returns the value of a key. It makes the value again if the state has changed or the last
// attempt failed, but not before the pause and the time that thrift asks for have passed. Making
// goes on when the first asker has left: others wait for it too.
func cached[T any](ctx context.Context, c *cache, key, state string, pause time.Duration, produce func(context.Context) (T, error)) (value T, err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	e := c.at(key)
	if !e.made || (e.state != state || e.err != nil) && !c.now().Before(e.next) {
		if e.making == nil {
			e.making = begin(c, e, state, pause, produce)
		}
		done := e.making
		c.mutex.Unlock()
		select {
		case <-done:
		case <-ctx.Done():
		}
		c.mutex.Lock()
		if ctx.Err() != nil {
			return value, ctx.Err()
		}
	}
	value, _ = e.value.(T)
	return value, e.err
}

// begin begins to make an entry. A panic becomes an error: no request ends the program, which may
// be working on a run.
func begin[T any](c *cache, e *entry, state string, pause time.Duration, produce func(context.Context) (T, error)) chan struct{} {
	done := make(chan struct{})
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), makeTime)
		defer cancel()
		began := c.now()
		value, err := carefully(ctx, produce)
		c.mutex.Lock()
		defer c.mutex.Unlock()
		at := c.now()
		*e = entry{value: value, err: err, state: state, made: true, next: at.Add(max(pause, thrift*at.Sub(began))), used: e.used}
		close(done)
	}()
	return done
}

// carefully turns a panic into an error.
func carefully[T any](ctx context.Context, produce func(context.Context) (T, error)) (value T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = mistake(p)
		}
	}()
	return produce(ctx)
}

// mistake is the error of a panic.
func mistake(panicked any) error {
	return fmt.Errorf("this is a mistake of the program, please report it: %v", panicked)
}

// document is an answer as it is sent.
type document struct {
	kind string // of content
	body []byte
	tag  string // of the body: a browser that has this one need not get it again
}

func newDocument(kind string, body []byte) document {
	sum := sha256.Sum256(body)
	return document{kind, body, `"` + hex.EncodeToString(sum[:16]) + `"`}
}

// serve sends the document, or says that it has not changed.
func (t document) serve(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("ETag", t.tag)
	w.Header().Set("Content-Type", t.kind)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(t.body))
	return nil
}
