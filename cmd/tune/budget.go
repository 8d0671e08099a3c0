package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// budget decides where a run with -for ends its tuning: at the end of a generation after which another one, with all that must
// follow (playoff, validation, sensitivity), might not be done in time. Nothing else hangs on a clock.
//
// What follows is taken to play all of its planned games. How long one takes, at each search and for each player, is known
// from games: those of this process in which the candidates that are the best by now took part, and sample games that touch
// neither results nor store where there are too few of these, as at a search that only the playoff has. Samples are played
// only while the decision hangs on what they would tell, and for 3% of the time at most.
//
// Three things are added, so that the end does not come late: the doubt in these means (sampled games of old weights count
// for less and less), the growth of games in another generation by as much as in each of the last few, and a margin of 5%
// for what no sample tells: the champion is better than the candidates so far, and the store wants its time too. A machine
// that gets slower after the decision is not foreseen.
//
// Its methods are called one at a time, as the experiment calls its observer and Stop.
type budget struct {
	limit      time.Duration
	workers    int
	config     *configs.Config
	simulator  experiments.Simulator
	now        func() time.Time
	guess      func(search string) time.Duration    // of a game, as long as none is known
	sampled    func(search string, t time.Duration) // told of each sample game
	tell, warn func(text string)

	began     time.Time // the process
	plan      []experiments.PlannedBlock
	opponents []simulator.Player
	games     map[string][]playedGame // the last ones at each search
	samples   map[matchup]*samples
	drawn     int           // sample games begun
	spent     time.Duration // on samples
	stage     string        // of the generation at hand
	ended     time.Time     // the generation before
	walls     []time.Duration
	lengths   []float64 // seconds of a game of the best after the last generations of the stage
	foreseen  bool      // foresee has had its turn
}

const (
	budgetMargin = 0.05
	sampleShare  = 0.03 // of the time, for samples: what is left of it is all that a batch of them may take

	// gameSpread is the standard deviation of a game's time, over its mean: that of scores, and a little.
	gameSpread = 0.6
	// doubtReach is the doubt's size in standard errors: one-sided 95%.
	doubtReach = 1.645
	// settled is the share of what follows below which doubt is not worth more samples.
	settled = 0.03
	// guessWorth is how many games a guess is worth: its doubt is twice its size.
	guessWorth = 0.25
	// fading is what a sample game of the best is still worth a generation later; the others' weights stay the same.
	fading = 0.95
	// growthOver is over how many generations growth is measured: one by itself has few games.
	growthOver = 5
	// mostGrowth is where growth ends and a busier machine begins.
	mostGrowth = 0.1
	// remembered is how many of the last games at a search are looked at: some ten generations of a few hundred.
	remembered = 3000
)

// playedGame is a game of the run.
type playedGame struct {
	candidate int
	seconds   float64
}

// matchup is who plays at which search: the best candidates, or one of the champion's opponents.
type matchup struct {
	search string
	player int
}

// The players of matchups.
const (
	theBest  = 0
	theStart = 1 // and after it the references
)

// samples are sample games of a matchup.
type samples struct {
	games, seconds float64 // sums, faded if they are of the best
	cut            bool    // no more are played
}

// demand is games that are to be played.
type demand struct {
	matchup
	settings engine.Settings
	games    int64
	rounds   int
}

// need is how long what is ahead will take, in seconds.
type need struct {
	generation float64 // the next one
	follows    float64 // playoff, validation and sensitivity
	games      int64   // of these, at most
	doubt      float64
	doubtful   demand  // where most of the doubt comes from
	game       float64 // there, seconds
}

// bound is what is taken to be needed at most.
func (n need) bound() float64 { return n.generation + n.follows*(1+budgetMargin) }

func newBudget(c *configs.Config, r runFlags, began time.Time, s experiments.Simulator, d *display) *budget {
	return &budget{
		limit: r.limit, workers: r.workers, config: c, simulator: s, now: time.Now, began: began,
		guess: d.game, sampled: d.sampled, tell: d.tell, warn: d.warn,
		plan: experiments.Plan(c), opponents: experiments.Opponents(c),
		games: map[string][]playedGame{}, samples: map[matchup]*samples{},
	}
}

// observe is told of every game.
func (b *budget) observe(p experiments.Progress) {
	if p.Last == 0 {
		return
	}
	b.stage = p.Stage
	games := append(b.games[p.LastAt], playedGame{p.LastBy, p.Last.Seconds()})
	if len(games) >= 2*remembered {
		games = append(games[:0], games[len(games)-remembered:]...)
	}
	b.games[p.LastAt] = games
	if p.Phase == experiments.PhaseTuning && !b.foreseen {
		b.foreseen = true
		b.foresee()
	}
}

// foresee warns before the first generation is over if even games of the start weights would take too long.
func (b *budget) foresee() {
	total, games := 0.0, int64(0)
	for _, d := range b.following() {
		games += d.games
		total += b.wall(d, b.guess(d.search).Seconds())
	}
	if total > b.limit.Seconds() {
		b.warn(fmt.Sprintf("-for %v seems too short: by the start weights' games, what follows the tuning (%s, at most %s) takes about %s alone; what is true is said after the first generation",
			b.limit, b.names(), plural(int(games), "game"), seconds(total)))
	}
}

// stop reports whether tuning ends before the next generation.
func (b *budget) stop(ctx context.Context, ahead experiments.Ahead) bool {
	b.clock(ahead.Next.Stage)
	defer func() { b.ended = b.now() }()
	growth := b.growth(ahead)
	for {
		n := b.estimate(ahead)
		left := (b.limit - b.now().Sub(b.began)).Seconds()
		sure := n.bound() + n.follows*growth
		switch {
		case ctx.Err() != nil:
			return false
		case sure+n.doubt <= left:
			return false
		case sure-n.doubt <= left && b.sample(ctx, n, ahead): // then it is better known
			continue
		case ctx.Err() != nil: // the samples were interrupted
			return false
		}
		if n.follows > left && (b.ended.IsZero() || n.follows-n.doubt > left) {
			b.warn(fmt.Sprintf("-for %v is too short: the run will take about %s; lower playoff.games, validation.games or sensitivity.games, or give more time",
				b.limit, seconds(b.limit.Seconds()-left+n.follows)))
		}
		b.tell(fmt.Sprintf("-for %v: tuning ends here: %s left, and another generation would take about %s and what follows (%s, at most %s) about %s",
			b.limit, seconds(max(0, left)), seconds(n.generation), b.names(), plural(int(n.games), "game"), seconds(n.follows)))
		if missed := b.missed(); len(missed) > 0 {
			b.warn(fmt.Sprintf("not reached for lack of time: stage %s; give the stages before fewer generations, or more time", strings.Join(missed, ", ")))
		}
		return true
	}
}

// missed names the stages after the one at hand: they have not begun.
func (b *budget) missed() (names []string) {
	after := false
	for _, stage := range b.config.Stages {
		if after {
			names = append(names, stage.Name)
		}
		after = after || stage.Name == b.stage
	}
	return names
}

// clock measures the generation that has just ended, unless it is the first that this process asks about: some of that one may
// have been answered from the store.
func (b *budget) clock(next string) {
	for m, s := range b.samples {
		if m.player == theBest {
			s.games *= fading
			s.seconds *= fading
		}
	}
	if b.stage != next {
		b.walls, b.lengths = nil, nil // the next one will be another stage's
		return
	}
	if !b.ended.IsZero() {
		b.walls = append(b.walls, b.now().Sub(b.ended))
	}
	if most := max(3, b.config.Restarts); len(b.walls) > most {
		b.walls = b.walls[len(b.walls)-most:]
	}
}

// growth is by which share games became longer in a generation, of the last few.
func (b *budget) growth(ahead experiments.Ahead) float64 {
	game, _ := b.game(matchup{ahead.Next.Search, theBest}, ahead.Best)
	b.lengths = append(b.lengths, game)
	b.lengths = b.lengths[max(0, len(b.lengths)-growthOver-1):]
	n := len(b.lengths) - 1
	if n == 0 {
		return 0
	}
	return max(0, min(mostGrowth, math.Pow(game/b.lengths[0], 1/float64(n))-1))
}

// estimate returns what is ahead of the run.
func (b *budget) estimate(ahead experiments.Ahead) (n need) {
	type part struct {
		demand
		time, game, worth float64
	}
	var parts []part // by matchup, since the doubt in one is the same doubt wherever it plays
	add := func(d demand) float64 {
		game, worth := b.game(d.matchup, ahead.Best)
		t := b.wall(d, game)
		i := slices.IndexFunc(parts, func(p part) bool { return p.matchup == d.matchup })
		if i < 0 {
			i = len(parts)
			parts = append(parts, part{d, 0, game, worth})
		}
		parts[i].time += t
		return t
	}
	for _, d := range b.following() {
		n.follows += add(d)
		n.games += d.games
	}
	if len(b.walls) > 0 {
		n.generation = slices.Max(b.walls).Seconds()
	} else {
		n.generation = add(demand{matchup{ahead.Next.Search, theBest}, ahead.Next.Settings, ahead.Next.Games, ahead.Next.Rounds})
	}
	most, squares := 0.0, 0.0
	for _, p := range parts {
		doubt := doubtReach * gameSpread * p.time / math.Sqrt(p.worth)
		squares += doubt * doubt
		if doubt > most {
			most, n.doubtful, n.game = doubt, p.demand, p.game
		}
	}
	n.doubt = math.Sqrt(squares)
	return n
}

// following lists the games that are played once tuning has ended.
func (b *budget) following() (list []demand) {
	for _, p := range b.plan {
		switch p.Phase {
		case experiments.PhasePlayoff, experiments.PhaseSensitivity: // finalists, or the champion and its neighbours
			list = append(list, demand{matchup{p.Search, theBest}, p.Settings, p.Games, p.Rounds})
		case experiments.PhaseValidation:
			for player := range p.Candidates {
				list = append(list, demand{matchup{p.Search, player}, p.Settings, p.Games / int64(p.Candidates), 0})
			}
			list[len(list)-1].rounds = p.Rounds
		}
	}
	return list
}

// wall returns how long games take on all workers, in seconds; at the end of each round some wait for the last game.
func (b *budget) wall(d demand, game float64) float64 {
	return game * (float64(d.games)/float64(b.workers) + float64(d.rounds))
}

// game returns how long a game of the matchup takes, in seconds, and how many games say so.
func (b *budget) game(m matchup, best []experiments.Contender) (mean, games float64) {
	sum := 0.0
	last := b.games[m.search]
	for _, g := range last[max(0, len(last)-remembered):] {
		if m.player == theStart && g.candidate == experiments.StartNumber ||
			m.player == theBest && slices.ContainsFunc(best, func(c experiments.Contender) bool { return c.Number == g.candidate }) {
			sum += g.seconds
			games++
		}
	}
	if s := b.samples[m]; s != nil {
		sum += s.seconds
		games += s.games
	}
	if games == 0 {
		return b.guess(m.search).Seconds(), guessWorth
	}
	return sum / games, max(games, guessWorth)
}

// sample plays a game for each worker where the doubt is largest, and reports whether it did. The best take turns. The seeds
// are nobody's: the games are not recorded.
func (b *budget) sample(ctx context.Context, n need, ahead experiments.Ahead) bool {
	d := n.doubtful
	s := b.samples[d.matchup]
	if s == nil {
		s = &samples{}
		b.samples[d.matchup] = s
	}
	allowance := sampleShare*b.limit.Seconds() - b.spent.Seconds()
	if s.cut || allowance <= 0 || s.games > 0 && n.game > allowance || n.doubt <= settled*n.follows {
		return false
	}
	batch := simulator.Batch{Rules: b.config.Rules}
	for i := range b.workers {
		var player simulator.Player
		if d.player == theBest {
			player = ahead.Best[b.drawn%len(ahead.Best)].Player
		} else {
			player = b.opponents[d.player-theStart]
		}
		player.Settings = d.settings
		batch.Players = append(batch.Players, player)
		batch.Jobs = append(batch.Jobs, simulator.Job{Player: i, Seed: portable.Hash(b.config.Seed, "sample", b.drawn) >> 11})
		b.drawn++
	}
	limited, cancel := context.WithTimeout(ctx, time.Duration(allowance*float64(time.Second)))
	defer cancel()
	began := b.now()
	outcomes, err := b.simulator.Play(limited, batch, nil)
	b.spent += b.now().Sub(began)
	if err != nil { // the allowance is used up; or else it is what the run meets too
		s.cut = true
		return false
	}
	for _, o := range outcomes {
		s.games++
		s.seconds += o.Duration.Seconds()
		b.sampled(d.search, o.Duration)
	}
	return true
}

// names names the phases after the tuning.
func (b *budget) names() string {
	if b.config.Sensitivity.Games > 0 {
		return "playoff, validation and sensitivity"
	}
	return "playoff and validation"
}

func seconds(s float64) string { return duration(time.Duration(s * float64(time.Second))) }
