package report

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// otherColumns are the first line of a file of other programs' figures.
var otherColumns = []string{"player", "search", "games", "mean_score", "ci_low", "ci_high", "us_per_move"}

// ReadOthers reads what was measured of other programs, for the chart of score against time: CSV whose first line names the
// columns player, search, games, mean_score, ci_low, ci_high (95%) and us_per_move (CPU time, microseconds). Errors tell the line.
func ReadOthers(r io.Reader) ([]Player, error) {
	buffered := bufio.NewReader(r)
	if mark, _ := buffered.Peek(3); string(mark) == "\ufeff" { // as spreadsheets write it
		buffered.Discard(3)
	}
	rows := csv.NewReader(buffered)
	rows.FieldsPerRecord = len(otherColumns)
	want := "want the columns " + strings.Join(otherColumns, ",")
	first, err := rows.Read()
	switch {
	case errors.Is(err, io.EOF):
		return nil, errors.New("it is empty; " + want)
	case err != nil:
		return nil, fmt.Errorf("%w; %s", err, want)
	case !slices.Equal(first, otherColumns):
		return nil, fmt.Errorf("line 1: %s, got %q", want, strings.Join(first, ","))
	}
	var others []Player
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) && others == nil {
			return nil, errors.New("it has no program, only columns")
		}
		if errors.Is(err, io.EOF) {
			return others, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%w; %s", err, want)
		}
		line, _ := rows.FieldPos(0)
		bad := func(column int, wanted string) ([]Player, error) {
			return nil, fmt.Errorf("line %d: %s is %q; want %s", line, otherColumns[column], row[column], wanted)
		}
		p := Player{Name: row[0], Role: RoleOther, Search: row[1]}
		if p.Name == "" {
			return bad(0, "a name")
		}
		if p.Games, err = strconv.Atoi(row[2]); err != nil || p.Games < 1 {
			return bad(2, "a whole number above 0")
		}
		var figures [4]float64
		for i, text := range row[3:] {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil || math.IsInf(x, 0) || !(x > 0) {
				return bad(3+i, "a number above 0")
			}
			figures[i] = x
		}
		mean, low, high, us := figures[0], figures[1], figures[2], figures[3]
		if low > mean || high < mean {
			return bad(3, fmt.Sprintf("a mean within its interval, %s to %s", row[4], row[5]))
		}
		ms := us / 1000
		p.Score, p.MSPerMove = Estimate{mean, &low, &high}, &ms
		others = append(others, p)
	}
}
