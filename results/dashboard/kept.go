package dashboard

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// After an answer took a second to make, it is not made again for rarity seconds, and never within
// the pause. A run in another state has other answers.
const (
	rarity = 100
	pause  = 2 * time.Second
)

// maxKept is the largest number of answers on a shelf: some 50 kB each. A full shelf is emptied.
const maxKept = 128

// shelf keeps answers by name. It makes one of each name at a time: a slow one holds up no other.
type shelf struct {
	mutex sync.Mutex // of kept
	kept  map[string]*kept
	now   func() time.Time // tests replace it
}

// kept is the place of an answer.
type kept struct {
	mutex sync.Mutex // held while the answer is made
	answer
}

// answer is an answer that was made before.
type answer struct {
	body []byte // nil: none was made
	made time.Time
	next time.Time     // it is not made again before
	age  time.Duration // since it was made
}

func newShelf() *shelf { return &shelf{kept: map[string]*kept{}, now: time.Now} }

// get returns the answer of that name. When its time has come, renew makes it again. A failure is
// not kept.
func (s *shelf) get(name string, renew func(to io.Writer) error) (answer, error) {
	one := s.place(name)
	one.mutex.Lock()
	defer one.mutex.Unlock()
	began := s.now()
	if began.Before(one.next) {
		one.age = began.Sub(one.made)
		return one.answer, nil
	}
	one.answer = answer{}
	defer s.clean(name, one)
	var b bytes.Buffer
	if err := renew(&b); err != nil {
		return answer{}, err
	}
	ended := s.now()
	took := ended.Sub(began)
	one.answer = answer{body: b.Bytes(), made: began, next: ended.Add(max(pause, rarity*took)), age: took}
	return one.answer, nil
}

// place returns the place of a name, on a shelf that has room for it.
func (s *shelf) place(name string) *kept {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.kept[name] == nil {
		if len(s.kept) == maxKept {
			clear(s.kept)
		}
		s.kept[name] = new(kept)
	}
	return s.kept[name]
}

// clean takes a place without an answer off the shelf.
func (s *shelf) clean(name string, one *kept) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if one.body == nil && s.kept[name] == one {
		delete(s.kept, name)
	}
}

// send sends an answer with its age, or says that the browser has it already. It returns the error
// of making it.
func send(w http.ResponseWriter, r *http.Request, kind string, a answer, err error) error {
	if err != nil {
		return err
	}
	w.Header().Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(a.body)))
	w.Header().Set("Age", strconv.Itoa(int(a.age.Seconds())))
	w.Header().Set("Content-Type", kind)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.body))
	return nil
}
