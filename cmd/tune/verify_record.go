package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"text/tabwriter"

	"tune2048/engine"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/results/export"
	"tune2048/results/report"
	"tune2048/tuner/fitness"
)

// verifiedRecord is the result of verifying a record, as text or as JSON.
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
	MeanScore   float64                 `json:"mean_score"` // of the games played, as all below
	CI          *[2]float64             `json:"ci"`         // 95%, of the mean score
	Reach       export.Ordered[float64] `json:"reach"`
	GamesHash   string                  `json:"games_hash"`
	CPU         float64                 `json:"cpu_us_per_move"` // on this machine, microseconds
	Repeated    int64                   `json:"searches"`        // for the best move, repeated by the full search
	Differences []experiments.Differing `json:"differences"`
	interval    stats.Interval          // ci
}

// verifyRecord plays the held-out games of a record again: all of them, or if a number is given the
// first ones of each search.
func (in *invocation) verifyRecord(ctx context.Context, path string, most, workers int, asJSON bool) error {
	r, err := loadRecord(path)
	if err != nil {
		return err
	}
	switch {
	case r.Signature != simulator.Signature:
		return fmt.Errorf("%s: %w", path, otherEngine(r.Run, r.Signature))
	case r.Unrepeatable != "":
		return fmt.Errorf("%s: %w", path, unrepeatable(r.Run, r.Unrepeatable))
	case len(r.HeldOut) == 0:
		return fmt.Errorf("%s: candidate %d of run %s has played no held-out games: there is nothing to verify", path, r.Candidate, r.Run)
	}
	found := verifiedRecord{File: path, Run: r.Run, Candidate: r.Candidate}
	pool, family, differences := in.pool(workers), r.Family(), 0
	pool.Audit = true
	progress, observe := newVerifyProgress(in)
	defer progress.stop()
	for _, h := range r.HeldOut {
		settings, err := engine.ParseSettings(h.Search)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		games := h.Games
		if most > 0 {
			games = min(most, games)
		}
		player := simulator.Player{Family: &family, Values: r.Values(), Dead: family.Dead, Settings: settings}
		began := cpuTime()
		standing, outcomes, err := experiments.PlayHeldOut(ctx, r.Experiment(), r.HeldOutSalt, pool, player, games, func(played int) {
			observe("at "+h.Search, int64(played), int64(games), differences)
		})
		if err != nil {
			return err
		}
		s := compareHeldOut(h, standing, outcomes)
		s.CPU = float64((cpuTime() - began).Microseconds()) / float64(max(1, standing.Moves))
		found.Searches = append(found.Searches, s)
		differences += len(s.Differences)
	}
	if asJSON {
		err = writeJSON(in.stdout, found)
	} else {
		err = found.print(in.stdout, r)
	}
	if differences > 0 && err == nil {
		err = fmt.Errorf("%s: %w: somebody changed the record, or the play is not what its signature says", path, errDiffers)
	}
	return err
}

// compareHeldOut compares a record's figures with games that were played again: all figures if all
// games were, otherwise the scores.
func compareHeldOut(h export.HeldOut, e experiments.Standing, outcomes []simulator.Outcome) verifiedSearch {
	s := verifiedSearch{
		Search: h.Search, Games: h.Games, Played: len(outcomes), MeanScore: e.Score.Mean, CI: bounded(e.Interval), Reach: export.ReachOf(e.Sums, e.Score.N),
		GamesHash: experiments.HashGames(outcomes), interval: e.Interval,
	}
	s.Repeated, s.Differences = experiments.AuditOf(outcomes...)
	differ := func(name string, stored, found any) {
		if !reflect.DeepEqual(stored, found) && len(s.Differences) < maxDifferences {
			s.Differences = append(s.Differences, experiments.Differing{Name: name, Stored: stored, Found: found})
		}
	}
	sum := 0.0
	for i, score := range h.Scores {
		if sum += float64(score); i < len(outcomes) {
			differ(fmt.Sprintf("score of game %d", i), score, outcomes[i].Score)
		}
	}
	if len(outcomes) < h.Games { // the rest must at least agree with itself
		if mean := sum / float64(h.Games); len(h.Scores) == h.Games && !(math.Abs(h.MeanScore-mean) <= 1e-9*mean) {
			differ("mean_score", h.MeanScore, mean)
		}
		return s
	}
	differ("mean_score", h.MeanScore, e.Score.Mean)
	differ("ci", pair(h.CI), pair(s.CI))
	differ("fitness", h.Fitness, e.Fitness.Mean)
	differ("fitness_ci", pair(h.FitnessCI), pair(bounded(e.FitnessInterval)))
	differ("reach", h.Reach, s.Reach)
	differ("games_hash", h.GamesHash, s.GamesHash)
	return s
}

// pair is an interval as a list, or nil where it is open.
func pair(ci *[2]float64) []float64 {
	if ci == nil {
		return nil
	}
	return ci[:]
}

// verifiedTiles are those whose share of games is printed.
var verifiedTiles = []string{"2048", "4096", "8192", "16384", "32768"}

func (v verifiedRecord) print(w io.Writer, r *export.Record) error {
	fmt.Fprintf(w, "%s: candidate %d (%s) of run %s, played again from the file alone\n\n", cell(v.File), v.Candidate, cell(r.Role), cell(v.Run))
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "search\tgames\tmean score\t95%% interval\t%s\tCPU a move\tas recorded\n", strings.Join(verifiedTiles, "\t"))
	for i, s := range v.Searches {
		points := report.UnitOf(fitness.MeanScore)
		fmt.Fprintf(table, "%s\t%d\t%s\t%s\t", cell(s.Search), s.Played, points.Figure(s.MeanScore), points.Interval(s.interval))
		for _, tile := range verifiedTiles {
			if share, known := s.Reach.Map()[tile]; known {
				fmt.Fprintf(table, "%.1f%%", 100*share)
			}
			fmt.Fprint(table, "\t")
		}
		outcome := "yes: all games, mean, interval and reach"
		switch {
		case len(s.Differences) > 0:
			outcome = "no"
		case s.Played < s.Games && r.HeldOut[i].Scores != nil:
			outcome = fmt.Sprintf("yes: the first of %s scores, of mean %.0f", report.Grouped(int64(s.Games)), r.HeldOut[i].MeanScore)
		case s.Played < s.Games:
			outcome = "unknown: it has no single scores; without -games all are played, and their hash is compared"
		}
		fmt.Fprintf(table, "%s\t%s\n", report.PerMove(s.CPU/1000), outcome)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	repeated := int64(0)
	for _, s := range v.Searches {
		repeated += s.Repeated
	}
	printRepeated(w, repeated)
	for _, s := range v.Searches {
		for _, d := range s.Differences {
			fmt.Fprintf(w, "%s:%s\n", cell(s.Search), differing(d))
		}
	}
	return nil
}
