package report

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

// TestReadOthers: the file of the README's picture, and files that are none.
func TestReadOthers(t *testing.T) {
	f, err := os.Open("others.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	others, err := ReadOthers(f)
	if err != nil || len(others) < 4 {
		t.Fatalf("%d players, error %v", len(others), err)
	}
	if p := others[0]; p.Name != "nneonneo/2048-ai" || p.Search != "1 chance layer" || p.Games != 1000 || p.Score.Value != 32579 ||
		*p.Score.Low != 31458 || *p.Score.High != 33700 || *p.MSPerMove != 0.0011 || p.Role != RoleOther {
		t.Errorf("the first is %+v", p)
	}

	if err := (Page{Reports: []Report{{Name: "bare"}}, Others: others}).Write(io.Discard); err == nil || !strings.Contains(err.Error(), "cannot be drawn beside bare, of which no times") {
		t.Errorf("beside a run without times: error %v", err)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range others {
		row := fmt.Sprintf("| %s | %s | %s | %d | %s | [%s, %s] |", p.Name, p.Search, PerMove(*p.MSPerMove), p.Games, Grouped(int64(p.Score.Value)),
			Grouped(int64(*p.Score.Low)), Grouped(int64(*p.Score.High)))
		if !strings.Contains(string(readme), "\n"+row+"\n") {
			t.Errorf("README.md has another row than\n%s", row)
		}
	}

	const columns = "player,search,games,mean_score,ci_low,ci_high,us_per_move\n"
	if players, err := ReadOthers(strings.NewReader("\ufeff" + columns + "a,b,1,2,1,3,4\n")); err != nil || len(players) != 1 {
		t.Errorf("as a spreadsheet writes it: %v, error %v", players, err)
	}
	for text, want := range map[string]string{
		"":                                      "it is empty; want the columns player,search,games",
		"name,search,games,mean,low,high,us\n":  `line 1: want the columns player,search,games,mean_score,ci_low,ci_high,us_per_move, got "name,search,`,
		columns:                                 "it has no program, only columns",
		"a\n":                                   "record on line 1: wrong number of fields; want the columns player,",
		columns + "a,b,1,2,1,3\n":               "record on line 2: wrong number of fields; want the columns player,",
		columns + "a,b,1,2,1,3,4\n,b,1,2,1,3,4": `line 3: player is ""; want a name`,
		columns + "a,b,0,2,1,3,4\n":             `line 2: games is "0"; want a whole number above 0`,
		columns + "a,b,1,2,1,3,0\n":             `line 2: us_per_move is "0"; want a number above 0`,
		columns + "a,b,1,2,1,nan,4\n":           `line 2: ci_high is "nan"; want a number above 0`,
		columns + "a,b,1,1e999,1,3,4\n":         `line 2: mean_score is "1e999"; want a number above 0`,
		columns + "a,b,1,4,1,3,4\n":             `line 2: mean_score is "4"; want a mean within its interval, 1 to 3`,
	} {
		if players, err := ReadOthers(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, error %v; want %s", text, players, err, want)
		}
	}
}
