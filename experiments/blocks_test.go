package experiments

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tune2048/engine/simulator"
)

// keyed returns the key of the start weights' evaluation in a block that may be edited.
func keyed(t *testing.T, text, folder string, edit func(*Block)) string {
	t.Helper()
	c := synthetic(t, text)
	if c.Heuristic.Bot != nil {
		c.Heuristic.Bot.Folder = folder
		c.Heuristic.Bot.Hashes, _ = c.Heuristic.Bot.Files() // as a run does when it begins
	}
	r := newRegistry(c)
	b := Block{Phase: PhaseTuning, Stage: "explore", Search: "depth 1", Candidates: []int{r.add(Candidate{Dead: c.Heuristic.Dead}, r.start)}, Seeds: []uint64{1, 2}}
	edit(&b)
	p := blockPlayer{player: r.player}
	return p.keys(b)[0]
}

// TestKeysAreOfTheContent: an evaluation has the same key wherever its games stand and whatever
// they are called. It has another one if anything differs on which its games depend.
func TestKeysAreOfTheContent(t *testing.T) {
	const heuristic = "name: a\nheuristic: {features: [{feature: empty, name: x, weight: {min: 0, max: 9, start: 3}}]}\n"
	const bot = "player: {command: [./bot, -v], answers: games, weights: {w: {min: 0, max: 100}}}\n"
	folder := t.TempDir()
	write := func(text string) { must(t, os.WriteFile(filepath.Join(folder, "bot"), []byte(text), 0o600)) }
	write("one")
	same := func(*Block) {}
	for _, c := range []struct {
		text, old, new string
		edit           func(*Block)
		equal          bool
	}{
		{heuristic, "name: a\n", "name: b\n", same, true},
		{heuristic, "name: x", "name: y", same, true},
		{heuristic, "name: a\n", "name: a\nobjective: {reach: 2048}\n", same, true},
		{heuristic, "name: a\n", "name: a\nseed: 5\n", same, true}, // it makes the seeds, and is no more
		{heuristic, "max: 9", "max: 90", same, true},
		{heuristic, "", "", func(b *Block) { b.Phase, b.Stage = PhasePlayoff, "" }, true},
		{heuristic, "", "", func(b *Block) { b.Generation, b.Round, b.First = 3, 4, 5 }, true},
		{bot, "", "", same, true},
		{heuristic, "name: a\n", "name: a\ngame: {four_probability: 0.2}\n", same, false},
		{heuristic, "start: 3", "start: 4", same, false},
		{heuristic, "feature: empty", "feature: merges", same, false},
		{heuristic, "{features", "{dead: 0, features", same, false},
		{heuristic, "{features", "{symmetry: best, features", same, false},
		{heuristic, "", "", func(b *Block) { b.Search = "depth 2" }, false},
		{heuristic, "", "", func(b *Block) { b.Seeds = []uint64{1, 3} }, false},
		{heuristic, "", "", func(b *Block) { b.Seeds = []uint64{2, 1} }, false},
		{heuristic, "", "", func(b *Block) { b.Seeds = []uint64{1} }, false},
		{bot, "-v", "-w", same, false},
		{bot, "games", "moves", same, false},
		{bot, "w: {", "u: {", same, false},
	} {
		was := keyed(t, c.text, folder, same)
		if got := keyed(t, strings.Replace(c.text, c.old, c.new, 1), folder, c.edit); (got == was) != c.equal {
			t.Errorf("%q for %q in %q: key %s, before %s", c.new, c.old, c.text, got, was)
		}
	}
	was := keyed(t, bot, folder, same)
	if write("two"); keyed(t, bot, folder, same) == was {
		t.Error("another file of the bot: the same key")
	}
	// The signature is a constant of the program: a key is a hash over it, too.
	c := synthetic(t, heuristic)
	r := newRegistry(c)
	r.add(Candidate{Dead: c.Heuristic.Dead}, r.start)
	sum := sha256.Sum256([]byte(simulator.Signature + "\n" + r.player(0).Hash() + "\ndepth 1\n" + "\x00\x00\x00\x00\x00\x00\x00\x01" + "\x00\x00\x00\x00\x00\x00\x00\x02"))
	if got, want := keyed(t, heuristic, folder, same), fmt.Sprintf("%x", sum[:16]); got != want {
		t.Errorf("key %s, want %s", got, want)
	}
}

// TestBatches: the batches of a block are its games, seed by seed. Each has its own numbers.
func TestBatches(t *testing.T) {
	for _, games := range []int{1, 50, 51, 120} {
		b := Block{Phase: PhaseValidation, Candidates: []int{4, 2}, Seeds: gameSeeds(1, PhaseValidation, "", 0, 0, games), First: 7}
		next, at := b.First, 0
		for _, batch := range b.batches() {
			if batch.First != next || len(batch.Seeds) > batchSize || len(batch.Seeds) < batchSize && at+len(batch.Seeds) < games || batch.Game(0).Seed != b.Seeds[at] {
				t.Errorf("%d games: %+v from game %d, want %d", games, batch, batch.First, next)
			}
			next, at = next+int64(batch.Games()), at+len(batch.Seeds)
		}
		if at != games {
			t.Errorf("%d games: the batches have %d", games, at)
		}
	}
}
