package experiments

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestPlanIsWhatIsPlayed, part by part, where nothing stops early, and no part without games is in it.
func TestPlanIsWhatIsPlayed(t *testing.T) {
	text := strings.NewReplacer("generations: 2, games: 6, rounds: 2", "generations: 2, games: 6", "generations: 2, games: 6, rounds: 3", "generations: 9, games: 6, max_games: 10",
		"games: 60, rounds: 3", "games: 10, rounds: 1", "validation: {games: 150}", "validation: {games: 20, search: [{depth: 1}, {depth: 2}]}").Replace(whole) +
		"references: {x: {weights: {b: 7}}, y: {from: champion, weights: {b: 8}}, z: {from: champion, weights: {b: 9}}}\n"
	c := synthetic(t, text)
	_, store, err := carryOutSynthetic(c, 3, hill(1.5, 0.7, 0.4, 0.6))
	if err != nil {
		t.Fatal(err)
	}
	var planned, played []string
	games := map[string]int{}
	for _, b := range Plan(c) {
		planned = append(planned, fmt.Sprint(b.Phase, b.Stage, b.Search, b.Games))
	}
	for _, b := range store.finished {
		part := b.Phase + b.Stage + b.Search
		if games[part] += b.Games(); len(played) == 0 || !strings.HasPrefix(played[len(played)-1], part) {
			played = append(played, part)
		}
		played[len(played)-1] = part + fmt.Sprint(games[part])
	}
	// Identical candidates of a generation play once, so that tuning may play less.
	if want := []string{"playoffdepth 160", "validationdepth 1100", "validationdepth 2100"}; !slices.Equal(planned[2:], want) || !slices.Equal(played[2:], want) {
		t.Errorf("planned %v, played %v, want %v", planned[2:], played[2:], want)
	}
	if want := []string{"tuningexploredepth 1192", "tuningrefinedepth 248"}; !slices.Equal(planned[:2], want) || len(played) != 5 {
		t.Errorf("planned %v, played %v, want %v", planned[:2], played[:2], want)
	}
}

// TestPlanAtItsLimits is carried out, and one above is not.
func TestPlanAtItsLimits(t *testing.T) {
	limits := strings.NewReplacer("restarts: 2\n", "", "- {name: refine, search: {depth: 2}, generations: 2, games: 6, rounds: 3}", "", "generations: 2, games: 6, rounds: 2",
		"generations: 124999, games: 1000", "validation: {games: 150}", "validation: {games: 3820}").Replace(whole)
	games, candidates := int64(0), int64(0)
	for _, b := range Plan(synthetic(t, limits)) {
		games, candidates = games+b.Games, candidates+int64(b.Generations*b.Candidates)
	}
	if games != MaxGames || candidates != MaxCandidates {
		t.Fatalf("%d games and %d candidates are not at the limits", games, candidates)
	}
	block := strings.Replace(whole, "validation: {games: 150}", "validation: {games: 2000000}", 1)
	for text, want := range map[string]bool{
		limits: true, strings.Replace(limits, "3820", "3821", 1): false, strings.Replace(limits, "finalists: 6, games: 60", "finalists: 7, games: 51", 1): false,
		block: true, strings.Replace(block, "2000000", "2000001", 1): false,
	} {
		if err := CheckPlan(synthetic(t, text)); (err == nil) != want {
			t.Errorf("%v of %s", err, text)
		}
	}
	if _, _, err := carryOutSynthetic(synthetic(t, strings.Replace(block, "2000000", "2000001", 1)), 1, landscape{}); err == nil {
		t.Error("a plan beyond the limits is carried out")
	}
}
