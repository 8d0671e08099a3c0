package report

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tune2048/experiments"
	"tune2048/results"
)

// endings says how a run's other endings were judged at a search, the shortest first. It is empty
// if there are none.
func (b *builder) endings(ctx context.Context, search string) (string, error) {
	if b.run.HeldOutSalt == "" { // it has not ended
		return "", nil
	}
	all, err := b.Endings(ctx, b.run)
	if err != nil {
		return "", err
	}
	own, err := b.Candidate(ctx, b.run.ID, b.run.Champion)
	if err != nil {
		return "", err
	}
	slices.SortStableFunc(all, func(x, y results.Run) int { return x.Generations - y.Generations })
	var parts []string
	for _, other := range all {
		figures := championAt(other.Headline, search)
		if other.ID == b.run.ID || other.Generations == b.run.Generations || other.Status != experiments.Finished || figures == nil {
			continue
		}
		champion, err := b.Candidate(ctx, other.ID, other.Champion)
		if err != nil {
			return "", err
		}
		text := fmt.Sprintf("%s after %s: %s", other.Name, Count(other.Generations, "generation"), b.unit.Of(figures.Fitness.Value).Figure(figures.Fitness.Value))
		if champion.PlayHash == own.PlayHash {
			text += ", the same champion"
		}
		parts = append(parts, text)
	}
	if parts == nil {
		return "", nil
	}
	return "this run was judged at other lengths, too, each time by other games: " + strings.Join(parts, "; "), nil
}
