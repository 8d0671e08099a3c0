package main

import (
	"errors"
	"strings"
	"testing"
	"time"

	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/simulator"
)

// TestLate: a bot that answered in time for a game at least is slow, and so is one that moves
// steadily. One that falls silent is stuck.
func TestLate(t *testing.T) {
	heard := &bot.Watch{}
	heard.Hear()
	for _, c := range []struct {
		watch           *bot.Watch
		answers         string
		games           int
		silent, slowest time.Duration
		fails, text     string
	}{
		{&bot.Watch{}, bot.Games, 0, time.Minute, 0, "bot b has answered nothing for 1m: it must answer each game", ""},
		{&bot.Watch{}, bot.Score, 0, time.Minute, 0, "flush stdout, and exit; if a game takes longer, write timeout: 10m",
			""},
		{heard, bot.Moves, 0, 2 * time.Second, 2 * time.Second, "",
			"no game ended within 1m, so all times below are too short\n"},
		{heard, bot.Moves, 0, 59 * time.Second, time.Second,
			"bot b has answered, and then nothing for 59s: it must answer each board", ""},
		{heard, bot.Games, 2, 59 * time.Second, time.Second, "bot b has answered, and then nothing for 59s", ""},
		{heard, bot.Games, 1, 35 * time.Second, 25 * time.Second, "", "a game takes about 25s\n"},
		{heard, bot.Games, 2, 9 * time.Second, time.Millisecond, "", "a game takes about 25s\n"},
	} {
		p, tried := &bot.Program{Command: []string{"b"}, Answers: c.answers, Watch: c.watch}, trial{each: 25 * time.Second}
		err := tried.late(p, time.Minute, c.games, c.silent, c.slowest)
		var usage usageError
		switch {
		case c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)):
			t.Errorf("%+v: got %v", c, err)
		case c.fails != "" && errors.As(err, &usage) != !c.watch.Heard():
			t.Errorf("%+v: wrong input: %t", c, !c.watch.Heard())
		case c.fails == "" && (err != nil || tried.text != c.text+"bot b was too slow to see whether it repeats itself\n"):
			t.Errorf("%+v: got %v, %s", c, err, tried.text)
		}
		if tried.ended || strings.Contains(tried.verdict(""), "valid") {
			t.Errorf("%+v: a bot that was not tried to the end is valid", c)
		}
	}
}

// TestSeedWarning: a bot is named that takes large seeds for small ones, or all for one. A bot of
// few different scores is not.
func TestSeedWarning(t *testing.T) {
	for name, c := range map[string]struct {
		score func(seed uint64) uint64
		want  string
	}{
		"all bits":    {func(seed uint64) uint64 { return seed }, ""},
		"32 bits":     {func(seed uint64) uint64 { return uint64(uint32(seed)) }, "seed n + 2^32"},
		"31 bits":     {func(seed uint64) uint64 { return seed % (1 << 31) }, "seed n + 2^32"},
		"the largest": {func(seed uint64) uint64 { return min(seed, 1<<31-1) }, "all end alike"},
		"no bits":     {func(uint64) uint64 { return 3 }, ""},
		"win or loss": {func(seed uint64) uint64 { return seed % 2 }, ""},
		"one pair":    {func(seed uint64) uint64 { return max(seed%(1<<32+7), 20) }, ""},
	} {
		games := 0
		play := func(jobs ...simulator.Job) (outcomes []simulator.Outcome) {
			for _, job := range jobs {
				games++
				outcomes = append(outcomes, simulator.Outcome{Result: engine.Result{Score: float64(c.score(job.Seed))}})
			}
			return outcomes
		}
		var jobs []simulator.Job
		for _, seed := range triedSeeds {
			jobs = append(jobs, simulator.Job{Seed: seed})
		}
		got := seedWarning(play(jobs...), play)
		if !strings.Contains(got, c.want) || (got == "") != (c.want == "") || name == "all bits" && games != len(triedSeeds) {
			t.Errorf("%s: got %q after %d games", name, got, games)
		}
	}
}
