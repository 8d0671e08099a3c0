package results

import (
	"context"
	"errors"
)

// Rewind takes an unfinished run back to before a game.
func (s *Store) Rewind(ctx context.Context, run int64, game int64) error {
	return errors.New("results: Rewind is not there yet")
}
