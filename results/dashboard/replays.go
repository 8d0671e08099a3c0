package dashboard

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"tune2048/results"
	"tune2048/results/report"
)

// replays plays stored games again, one at a time, and keeps the last few.
type replays struct {
	play    func(context.Context, *results.Reader, results.Run, int64) (report.Record, error)
	playing chan struct{}

	mutex sync.Mutex // guards what follows
	kept  []replayed // the last one last
}

type replayed struct {
	state string // of its run
	game  int64
	document
}

const mostReplays = 32 // kept, of some 50 kB each

func newReplays(play func(context.Context, *results.Reader, results.Run, int64) (report.Record, error)) replays {
	return replays{play: play, playing: make(chan struct{}, 1)}
}

func (p *replays) find(state string, game int64) (document, bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	i := slices.IndexFunc(p.kept, func(k replayed) bool { return k.state == state && k.game == game })
	if i < 0 {
		return document{}, false
	}
	return p.kept[i].document, true
}

func (p *replays) keep(k replayed) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.kept = append(p.kept, k)
	p.kept = p.kept[max(0, len(p.kept)-mostReplays):]
}

// get plays a game, unless it is kept. It ends when the context does: nobody else waits for it.
func (p *replays) get(ctx context.Context, list *listing, run results.Run, game int64) (document, error) {
	state := fmt.Sprint(list.opened, run.ID, run.ConfigHash) // all that a game depends on
	if found, ok := p.find(state, game); ok {
		return found, nil
	}
	select {
	case p.playing <- struct{}{}:
		defer func() { <-p.playing }()
	case <-ctx.Done():
		return document{}, ctx.Err()
	}
	if found, ok := p.find(state, game); ok { // whoever was before played it
		return found, nil
	}
	record, err := p.play(ctx, list.reader, run, game)
	if err != nil {
		return document{}, err
	}
	body, err := json.Marshal(record)
	if err != nil {
		return document{}, err
	}
	made := newDocument("application/json", body)
	p.keep(replayed{state, game, made})
	return made, nil
}

// showReplay answers with a stored game, played again.
func (d *Dashboard) showReplay(w http.ResponseWriter, r *http.Request) {
	text, isJSON := strings.CutSuffix(r.PathValue("file"), ".json")
	game, err := strconv.ParseInt(text, 10, 64)
	if !isJSON || err != nil || game < 0 {
		d.fail(w, r, http.StatusNotFound, fmt.Errorf("there is no such page; a game of a run is at replays/ID.json (the column id of games has them)"))
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
		http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Hour)) // a game of a deep search takes minutes
		found, err = d.replays.get(r.Context(), list, run, game)
	}
	if err != nil {
		d.failReading(w, r, err)
		return
	}
	found.serve(w, r)
}
