package dashboard

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// After an answer took a second to make, it is not made again for rarity seconds, and never within
// the pause.
const (
	rarity = 100
	pause  = 2 * time.Second
)

// mostKept is the largest number of answers on a shelf: some 50 kB each. A full shelf is emptied.
const mostKept = 128

// shelf keeps answers by name. It makes one at a time.
type shelf struct {
	mutex sync.Mutex // held while an answer is made
	kept  map[string]kept
	now   func() time.Time // tests replace it
}

// kept is an answer that was made before.
type kept struct {
	body []byte
	next time.Time // it is not made again before
}

func newShelf() *shelf { return &shelf{kept: map[string]kept{}, now: time.Now} }

// get returns the answer of that name. When its time has come, renew makes it again. A failure is
// not kept.
func (s *shelf) get(name string, renew func(to io.Writer) error) ([]byte, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	one, began := s.kept[name], s.now()
	if began.Before(one.next) {
		return one.body, nil
	}
	var b bytes.Buffer
	if err := renew(&b); err != nil {
		return nil, err
	}
	ended := s.now()
	one = kept{b.Bytes(), ended.Add(max(pause, rarity*ended.Sub(began)))}
	if len(s.kept) == mostKept {
		clear(s.kept)
	}
	s.kept[name] = one
	return one.body, nil
}

// send sends an answer, or says that the browser has it already. It returns the error of making it.
func send(w http.ResponseWriter, r *http.Request, kind string, body []byte, err error) error {
	if err != nil {
		return err
	}
	w.Header().Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(body)))
	w.Header().Set("Content-Type", kind)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	return nil
}
