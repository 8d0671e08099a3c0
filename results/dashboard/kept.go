package dashboard

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// thrift is how many times as long as it took to make something passes before it is made anew: so all who look at a run take at
// most about a hundredth of one processor from it, however many they are.
const thrift = 100

// kept is something that takes time to make, made once for all who ask. The zero value has nothing yet.
type kept[T any] struct {
	mutex  sync.Mutex // guards what follows
	value  T
	err    error
	of     string        // what it was made of; a change makes it anew, but not too soon
	next   time.Time     // not before
	made   bool          // value, or err, is there
	making chan struct{} // closed when it is made; nil while nobody makes it
	used   uint64        // see shelf
}

// makeTime is how long making something may take.
const makeTime = time.Minute

// get returns what was made of this. It is made anew if it was made of something else, or that
// failed, and enough time has passed. Making goes on
// when who asked first has left, since others wait for it too.
func (k *kept[T]) get(ctx context.Context, now func() time.Time, of string, pause time.Duration, make func(context.Context, T) (T, error)) (T, error) {
	k.mutex.Lock()
	if k.made && (k.of == of && k.err == nil || now().Before(k.next)) {
		defer k.mutex.Unlock()
		return k.value, k.err
	}
	done := k.making
	if done == nil {
		done = begin(k, now, of, pause, make)
	}
	k.mutex.Unlock()
	select {
	case <-done:
		k.mutex.Lock()
		defer k.mutex.Unlock()
		return k.value, k.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// begin begins to make it. Its caller holds the mutex.
func begin[T any](k *kept[T], now func() time.Time, of string, pause time.Duration, make func(context.Context, T) (T, error)) chan struct{} {
	done, before := newSignal(), k.value
	k.making = done
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), makeTime)
		defer cancel()
		began := now()
		value, err := guarded(ctx, before, make)
		k.mutex.Lock()
		defer k.mutex.Unlock()
		at := now()
		k.value, k.err, k.of, k.made, k.making = value, err, of, true, nil
		k.next = at.Add(max(pause, thrift*at.Sub(began)))
		close(done)
	}()
	return done
}

func newSignal() chan struct{} { return make(chan struct{}) }

// guarded makes a panic an error: no request ends the program, which may be working on a run.
func guarded[T any](ctx context.Context, before T, make func(context.Context, T) (T, error)) (value T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &mistake{p}
		}
	}()
	return make(ctx, before)
}

// mistake is one of the program.
type mistake struct{ panicked any }

func (m *mistake) Error() string {
	return fmt.Sprintf("this is a mistake of the program, please report it: %v", m.panicked)
}

// shelf keeps things by name, as many as its size: the one that was not asked for longest makes room.
type shelf[T any] struct {
	size  int
	mutex sync.Mutex
	all   map[string]*kept[T]
	asked uint64
}

func (s *shelf[T]) at(name string) *kept[T] {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.all == nil {
		s.all = map[string]*kept[T]{}
	}
	k := s.all[name]
	if k == nil {
		if len(s.all) >= s.size {
			oldest := ""
			for other, o := range s.all {
				if oldest == "" || o.used < s.all[oldest].used {
					oldest = other
				}
			}
			delete(s.all, oldest)
		}
		k = &kept[T]{}
		s.all[name] = k
	}
	s.asked++
	k.used = s.asked
	return k
}

// document is an answer as it is sent.
type document struct {
	kind string // of content
	body []byte
	tag  string // of the body: who has this one need not get it again
}

func newDocument(kind string, body []byte) document {
	sum := sha256.Sum256(body)
	return document{kind, body, `"` + hex.EncodeToString(sum[:16]) + `"`}
}

// serve sends the document, or says that it has not changed.
func (t document) serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("ETag", t.tag)
	w.Header().Set("Content-Type", t.kind)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(t.body))
}
