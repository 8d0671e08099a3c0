package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"tune2048/configs/config"
)

// TestEvalAnswersAtOnce: an optimizer gets each answer before it asks on.
func TestEvalAnswersAtOnce(t *testing.T) {
	c := exec.Command("tune", "eval", "-config", "long.yaml", "-games", "20")
	c.Dir = folderWith(t, crashing)
	in, wrong := c.StdinPipe()
	out, err := c.StdoutPipe()
	must(t, errors.Join(wrong, err, c.Start()))
	defer c.Wait()
	defer in.Close()
	lines := bufio.NewReader(out)
	for i := range 3 {
		fmt.Fprintf(in, `{"id": "t%d", "weights": {"empty": %d}}`+"\n", i, 200+i)
		if answer, err := lines.ReadString('\n'); err != nil ||
			!strings.HasPrefix(answer, fmt.Sprintf(`{"id":"t%d","fitness":`, i)) {
			t.Fatalf("answer %d: %v, %s", i, err, answer)
		}
	}
}

// TestEvalLongLines: the answer to a long line is short but for the id, and the lines behind it are
// answered.
func TestEvalLongLines(t *testing.T) {
	config, err := config.Parse([]byte("heuristic:\n  features: [{feature: empty, weight: {min: 0, max: 1000}}]\n"),
		"t.yaml")
	must(t, err)
	large := strings.Repeat("x", 900_000)
	for _, c := range []struct{ line, id, err string }{
		{`{"id": "` + large + `", "weights": NaN}`, large, "NaN and Infinity are no numbers of JSON"},
		{`{"id": "a", "` + large + `": 1}`, "a", "there is no key "},
		{`{"id": "a", "search": "` + large + `"}`, "a", "search: want a text such as"},
		{`{"id": "` + large + `"}`, large, ""},
	} {
		s := &evalStream{config: config, form: config.Form(), games: 1, search: "depth 1", lines: make(chan []evalLine)}
		go s.read(strings.NewReader(c.line + "\n" + `{"id": "next"}` + "\n"))
		var out strings.Builder
		for lines := range s.lines {
			for _, line := range lines {
				must(t, line.answer(&out))
			}
		}
		var got struct{ ID, Error string }
		first, next, _ := strings.Cut(out.String(), "\n")
		json.Unmarshal([]byte(first), &got)
		if got.ID != c.id || c.err == "" != (got.Error == "") || !strings.Contains(got.Error, c.err) ||
			len(got.Error) > 2000 || !strings.HasPrefix(next, `{"id":"next"`) {
			t.Errorf("%.40s: an answer of %d bytes, id %.120q, error %.120q, then %.40s", c.line, len(first), got.ID,
				got.Error, next)
		}
	}
}
