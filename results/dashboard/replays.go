package dashboard

import (
	"context"
	"encoding/json"
	"errors"
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
	if found := d.kept(key); found != nil {
		return found.(document), nil
	}
	select {
	case d.playing <- struct{}{}:
		defer func() { <-d.playing }()
	case <-ctx.Done():
		return document{}, ctx.Err()
	}
	if found := d.kept(key); found != nil { // somebody else played it meanwhile
		return found.(document), nil
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
func (d *Dashboard) showReplay(w http.ResponseWriter, r *http.Request) error {
	text, isJSON := strings.CutSuffix(r.PathValue("file"), ".json")
	game, err := strconv.ParseInt(text, 10, 64)
	if !isJSON || err != nil || game < 0 {
		return refusal{http.StatusNotFound, errors.New("there is no such page; a game of a run is at replays/ID.json (the column id of games lists them)")}
	}
	if err := fromElsewhere(r); err != nil {
		return err
	}
	list, err := d.listed(r.Context())
	if err != nil {
		return err
	}
	run, err := list.find(r.Context(), r.PathValue("run"))
	if err != nil {
		return err
	}
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Hour)) // deep searches take minutes
	found, err := d.replay(r.Context(), list, run, game)
	if err != nil {
		return err
	}
	return found.serve(w, r)
}
