package export

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"

	"tune2048/experiments"
	"tune2048/results"
)

// GameColumns are the columns of exported games. final_board is what -board takes: "0 2 0 0/8 8 4 0/1024 2 4 2/2048 4 16 4".
var GameColumns = []string{"run", "candidate", "phase", "stage", "search", "generation", "round", "game", "seed", "score", "max_tile", "moves", "nodes",
	"capped", "final_board", "duration_us"}

// WriteCSV writes games as comma-separated values, the names of the columns first. Texts are [results.Harmless], and
// control characters in them are escaped.
func WriteCSV(w io.Writer, run string, games iter.Seq2[experiments.Game, error]) error {
	out := csv.NewWriter(w)
	err := out.Write(GameColumns)
	for g, failed := range games {
		if err = errors.Join(err, failed); err != nil {
			break
		}
		whole := strconv.Itoa
		texts := results.Harmless([]string{escape(run), escape(g.Phase), escape(g.Stage), escape(g.Search)})
		err = out.Write([]string{texts[0], whole(g.Candidate), texts[1], texts[2], texts[3], whole(g.Generation), whole(g.Round),
			strconv.FormatInt(g.Game, 10), strconv.FormatUint(g.Seed, 10), whole(g.Score), whole(g.MaxTile), whole(g.Moves),
			strconv.FormatInt(g.Nodes, 10), strconv.FormatBool(g.Capped), g.Final.String(), strconv.FormatInt(g.Duration.Microseconds(), 10)})
	}
	out.Flush()
	return errors.Join(err, out.Error())
}

// WriteLines writes games as JSON, one object a line with the columns in their order.
func WriteLines(w io.Writer, run string, games iter.Seq2[experiments.Game, error]) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for g, err := range games {
		if err != nil {
			return err
		}
		if err := e.Encode(struct {
			Run        string `json:"run"`
			Candidate  int    `json:"candidate"`
			Phase      string `json:"phase"`
			Stage      string `json:"stage"`
			Search     string `json:"search"`
			Generation int    `json:"generation"`
			Round      int    `json:"round"`
			Game       int64  `json:"game"`
			Seed       uint64 `json:"seed"`
			Score      int    `json:"score"`
			MaxTile    int    `json:"max_tile"`
			Moves      int    `json:"moves"`
			Nodes      int64  `json:"nodes"`
			Capped     bool   `json:"capped"`
			FinalBoard string `json:"final_board"`
			DurationUS int64  `json:"duration_us"`
		}{escape(run), g.Candidate, escape(g.Phase), escape(g.Stage), escape(g.Search), g.Generation, g.Round, g.Game, g.Seed, g.Score, g.MaxTile, g.Moves, g.Nodes, g.Capped,
			g.Final.String(), g.Duration.Microseconds()}); err != nil {
			return fmt.Errorf("game %d: %w", g.Game, err)
		}
	}
	return nil
}
