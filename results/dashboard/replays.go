package dashboard

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tune2048/results"
)

// replay plays a stored game again, unless the cache has it. It ends with the context: nobody else
// waits for it.
func (d *Dashboard) replay(ctx context.Context, list *listing, run results.Run, game int64) (document, error) {
	key := fmt.Sprint("replay ", list.opened, run.ID, run.ConfigHash, game) // all that a game needs
	kept := func() (found document, err error) {
		d.mutex.Lock()
		defer d.mutex.Unlock()
		if e := d.all[key]; e != nil {
			found = e.value.(document)
		}
		return found, ctx.Err()
	}
	if found, err := kept(); err != nil || found.body != nil {
		return found, err
	}
	select {
	case d.playing <- struct{}{}:
		defer func() { <-d.playing }()
	case <-ctx.Done():
	}
	if found, err := kept(); err != nil || found.body != nil { // somebody else played it meanwhile
		return found, err
	}
	record, err := d.play(ctx, list.reader, run, game)
	if err != nil {
		return document{}, err
	}
	body, err := json.Marshal(record)
	if err != nil {
		return document{}, err
	}
	made := newDocument("application/json", body)
	d.keep(key, made)
	return made, nil
}

// showReplay answers with a stored game, played again.
func (d *Dashboard) showReplay(w http.ResponseWriter, r *http.Request) {
	text, isJSON := strings.CutSuffix(r.PathValue("file"), ".json")
	game, err := strconv.ParseInt(text, 10, 64)
	if !isJSON || err != nil || game < 0 {
		d.fail(w, r, http.StatusNotFound, fmt.Errorf("there is no such page; a game of a run is at replays/ID.json (the column id of games lists them)"))
		return
	}
	if d.fromElsewhere(w, r) {
		return
	}
	list, err := d.listed(r.Context())
	var run results.Run
	if err == nil {
		run, err = list.find(r.Context(), r.PathValue("run"))
	}
	var found document
	if err == nil {
		http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Hour)) // deep searches take minutes
		found, err = d.replay(r.Context(), list, run, game)
	}
	if err != nil {
		d.failReading(w, r, err)
		return
	}
	found.serve(w, r)
}
