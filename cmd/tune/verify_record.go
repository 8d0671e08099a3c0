package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results/export"
	"tune2048/results/report"
)

// errNotAsRecorded: a record's games, played again, are others.
var errNotAsRecorded = errors.New("its games are not what its weights and seeds give")

// isRecordFile tells a file from the name of a run.
func isRecordFile(name string) bool {
	return strings.EqualFold(filepath.Ext(name), ".json") || strings.ContainsRune(name, filepath.Separator)
}

// verifiedRecord is what verify prints of a record, as text or as JSON.
type verifiedRecord struct {
	File      string           `json:"file"`
	Run       string           `json:"run"`
	Candidate int              `json:"candidate"`
	Searches  []verifiedSearch `json:"searches"`
}

// verifiedSearch are games of a record at a search, played again.
type verifiedSearch struct {
	Search      string                  `json:"search"`
	Games       int                     `json:"games"` // that the record has
	Played      int                     `json:"played"`
	MeanScore   float64                 `json:"mean_score"` // of those that were played
	GamesHash   string                  `json:"games_hash"` // likewise
	Compared    string                  `json:"compared"`   // hash: mean and hash of all games; scores: that of each; nothing
	Differences []experiments.Differing `json:"differences"`
}

// verifyRecord plays the held-out games of a record again, all of them or the first ones of each search.
func (in *invocation) verifyRecord(ctx context.Context, path string, games int64, some bool, workers int, asJSON bool) error {
	if some && games < 1 {
		return usagef("verify: -games: want at least 1, got %d", games)
	}
	if err := in.checkWorkers(workers); err != nil {
		return err
	}
	data, err := configs.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return usagef("verify: %s: no such file: want a record (tune export writes one), or the name of a run", path)
	}
	if err != nil {
		return usagef("verify: %w", err)
	}
	r, err := readRecord(data, path)
	if err != nil {
		return err
	}
	switch {
	case r.Signature != simulator.Signature:
		return fmt.Errorf("%s: the games of run %s were played by an engine with signature %s, this program's is %s: they end otherwise here, "+
			"so nothing was played; verify it with the version of tune that made it", path, r.Run, r.Signature, simulator.Signature)
	case len(r.HeldOut) == 0:
		return fmt.Errorf("%s: candidate %d of run %s has played no held-out games: there is nothing to verify", path, r.Candidate, r.Run)
	}
	found := verifiedRecord{File: path, Run: r.Run, Candidate: r.Candidate}
	pool, progress, before, planned := simulator.NewPool(workers), newVerifyProgress(in.stderr), int64(0), int64(0)
	count := func(h export.HeldOut) int {
		if some {
			return int(min(games, int64(h.Games)))
		}
		return h.Games
	}
	for _, h := range r.HeldOut {
		planned += int64(count(h))
	}
	for _, h := range r.HeldOut {
		settings, err := engine.ParseSettings(h.Search)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		family := r.Family()
		player := simulator.Player{Family: &family, Values: r.Values(), Dead: family.Dead, Settings: settings}
		evaluation, outcomes, err := experiments.PlayHeldOut(ctx, r.Experiment(), pool, player, count(h), func(played int) {
			progress.observe(experiments.Verified{Played: before + int64(played), Planned: planned})
		})
		if err != nil {
			return err
		}
		before += int64(len(outcomes))
		found.Searches = append(found.Searches, compareHeldOut(h, evaluation, outcomes))
	}
	if asJSON {
		err = writeJSON(in.stdout, found)
	} else {
		found.print(in.stdout, r)
	}
	for _, s := range found.Searches {
		if len(s.Differences) > 0 && err == nil {
			err = fmt.Errorf("%s: %w: somebody changed the record, or the play is not what its signature says", path, errNotAsRecorded)
		}
	}
	return err
}

// compareHeldOut holds what a record says against games that were played again.
func compareHeldOut(h export.HeldOut, e experiments.Evaluation, outcomes []simulator.Outcome) verifiedSearch {
	s := verifiedSearch{
		Search: h.Search, Games: h.Games, Played: len(outcomes), MeanScore: e.Score.Mean, GamesHash: e.GamesHash, Differences: []experiments.Differing{},
	}
	differ := func(name string, stored, found any) {
		if stored != found && len(s.Differences) < maxDifferences {
			s.Differences = append(s.Differences, experiments.Differing{Name: name, Stored: stored, Found: found})
		}
	}
	if len(h.Scores) > 0 {
		s.Compared = "scores"
	}
	for i, score := range h.Scores[:min(len(h.Scores), len(outcomes))] {
		differ(fmt.Sprintf("score of game %d", i), score, outcomes[i].Score)
	}
	if len(outcomes) == h.Games {
		s.Compared = "hash"
		differ("mean_score", h.MeanScore, e.Score.Mean)
		differ("fitness", h.Fitness, e.Fitness.Mean)
		differ("games_hash", h.GamesHash, e.GamesHash)
	}
	return s
}

func (v verifiedRecord) print(w io.Writer, r *export.Record) {
	fmt.Fprintf(w, "%s: candidate %d (%s) of run %s, played again from the file alone\n", cell(v.File), v.Candidate, cell(r.Role), cell(v.Run))
	for i, s := range v.Searches {
		h := r.HeldOut[i]
		outcome := "mean score and the hash of all games are the recorded ones"
		switch {
		case len(s.Differences) > 0:
			outcome = "not as recorded"
		case s.Compared == "scores":
			outcome = "each score is the recorded one"
		case s.Compared == "":
			outcome = "the record has no single scores to compare these with: without -games all are played, and their hash is compared"
		}
		fmt.Fprintf(w, "%s: %s of %s held-out games, mean score %s (recorded of all: %s %s): %s\n", cell(s.Search), report.Grouped(int64(s.Played)),
			report.Grouped(int64(s.Games)), report.Grouped(int64(s.MeanScore+0.5)), report.Grouped(int64(h.MeanScore+0.5)), span(h.CI, 0), outcome)
		for _, d := range s.Differences {
			fmt.Fprintf(w, "  %s: recorded %s, played %s\n", d.Name, cell(fmt.Sprint(d.Stored)), cell(fmt.Sprint(d.Found)))
		}
	}
}
