package dashboard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/experiments"
	"tune2048/results"
)

// A bot in a page, or anybody, asks for moves many times a second. So both are bounded.
const (
	movePath    = "/v1/move"
	deepestMove = 7 // plies that a request may ask for
	moveTime    = 10 * time.Second
)

// mover is the champion that was asked last, ready to search: one search at a time.
type mover struct {
	searching chan struct{}
	of        string // which run's it is
	searcher  engine.Searcher
	tables    *engine.Tables
	settings  engine.Settings
	rules     engine.Rules
}

// Origin returns an error unless a browser may send the text as the origin of a page.
func Origin(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || u.Host == "" || text != u.Scheme+"://"+u.Host {
		return fmt.Errorf("want the origin of a page, such as https://example.org or http://localhost:3000, got %s", text)
	}
	return nil
}

// allowOrigin lets a page of the origin in Options read moves. It answers the question that its
// browser asks beforehand, and then returns true.
func (d *Dashboard) allowOrigin(w http.ResponseWriter, r *http.Request) (answered bool) {
	if d.options.Origin == "" || r.URL.Path != movePath {
		return false
	}
	h := w.Header()
	h.Add("Vary", "Origin")
	if r.Header.Get("Origin") != d.options.Origin {
		return false
	}
	h.Set("Access-Control-Allow-Origin", d.options.Origin)
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	if r.Method != http.MethodOptions {
		return false
	}
	h.Set("Access-Control-Allow-Methods", "GET")
	h.Set("Access-Control-Allow-Headers", "Authorization")
	w.WriteHeader(http.StatusNoContent)
	return true
}

// showMove answers with the values of a board's moves, by the champion of a run.
func (d *Dashboard) showMove(w http.ResponseWriter, r *http.Request) error {
	if w.Header().Get("Access-Control-Allow-Origin") == "" {
		if err := fromElsewhere(r); err != nil {
			return err
		}
	}
	asked := r.URL.Query()
	board, err := engine.ParseBoard(asked.Get("board"))
	depth := 0 // as the run's config says
	if err == nil && asked.Has("depth") {
		if depth, err = strconv.Atoi(asked.Get("depth")); err != nil || depth < 1 || depth > deepestMove {
			err = fmt.Errorf("depth: want a whole number of plies from 1 to %d, got %s", deepestMove, asked.Get("depth"))
		}
	}
	if err != nil {
		return refusal{http.StatusBadRequest, err}
	}
	list, err := d.listed(r.Context())
	if err != nil {
		return err
	}
	name := asked.Get("run")
	i := slices.IndexFunc(list.runs, func(run results.Run) bool {
		return run.Name == name || name == "" && run.Kind == experiments.KindTune && run.Champion >= 0
	})
	if i < 0 || list.runs[i].Champion < 0 {
		return refusal{http.StatusNotFound, fmt.Errorf("there is no run %s with a champion", name)}
	}
	ctx, cancel := context.WithTimeout(r.Context(), moveTime)
	defer cancel()
	decision, err := d.mover.search(ctx, list, list.runs[i], board, depth)
	if err != nil {
		return err
	}
	body, err := json.Marshal(decision)
	if err != nil {
		return refusal{http.StatusInternalServerError, err}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(append(body, '\n'))
	return nil
}

// search values the moves of a board.
func (m *mover) search(ctx context.Context, list *listing, run results.Run, board engine.Board, depth int) (found engine.Decision, err error) {
	select {
	case m.searching <- struct{}{}:
		defer func() { <-m.searching }()
	case <-ctx.Done():
		return found, errors.New("other searches take too long: ask again")
	}
	if of := fmt.Sprint(list.opened, run.ID, run.ConfigHash, run.Champion); of != m.of {
		m.of = ""
		if err := m.load(ctx, list.reader, run); err != nil {
			return found, err
		}
		m.of = of
	}
	settings := m.settings
	if depth > 0 {
		settings = engine.FixedDepth(depth)
	}
	m.searcher.Prepare(m.tables, settings, m.rules)
	defer m.searcher.StopWith(ctx)()
	found = m.searcher.Search(board)
	if ctx.Err() != nil {
		return found, fmt.Errorf("the search took more than %v: ask for a smaller depth", moveTime)
	}
	return found, nil
}

// load takes the champion of a run.
func (m *mover) load(ctx context.Context, reader *results.Reader, run results.Run) error {
	config, err := run.Config()
	if err != nil {
		return err
	}
	champion, err := reader.Candidate(ctx, run.ID, run.Champion)
	if err != nil {
		return err
	}
	player, err := experiments.StoredExperiment(config, "").Player(champion, config.Search.String())
	if err != nil {
		return err
	}
	m.settings, m.rules = config.Search, config.Rules
	m.tables, err = heuristic.NewCompiler(player.Family).Compile(player.Values, player.Dead)
	return err
}
