package export

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/heuristic"
)

// BenchmarkExports compares the time of a move with the engine's, in each language and at three
// searches: go test -run NONE -bench Exports -benchtime 1x ./results/export. The boards are of whole
// games of the champion. A language's program answers all boards after a first round without a clock.
func BenchmarkExports(b *testing.B) {
	data, err := configs.ReadFile("champions/best-distinct7")
	must(b, err)
	r, err := Read(data)
	must(b, err)
	tables, err := heuristic.NewCompiler(&r.family).Compile(r.family.Values(), r.family.Dead)
	must(b, err)
	var boards []engine.Board
	player := new(engine.Expectimax)
	player.Prepare(tables, engine.FixedDepth(3), engine.DefaultRules())
	for seed := uint64(1); len(boards) < 300; seed++ {
		moves := 0
		engine.Play(engine.DefaultRules(), seed, player, func(s engine.Step) bool {
			if moves++; moves%11 == 0 {
				boards = append(boards, s.Board)
			}
			return true
		})
	}
	for _, search := range []string{"depth 3", "depth 5", "depth by distinct -6 least 2 p 0.02"} {
		settings, err := engine.ParseSettings(search)
		must(b, err)
		r.config.Search = settings
		var s engine.Searcher
		s.Prepare(tables, settings, engine.DefaultRules())
		engineTime := func() time.Duration {
			begin := time.Now()
			for range 20 {
				for _, board := range boards {
					s.Best(board)
				}
			}
			return time.Since(begin) / 20
		}
		engineTime()
		for _, language := range Languages() {
			b.Run(strings.ReplaceAll(search, " ", "_")+"/"+language, func(b *testing.B) {
				h := harnesses[language]
				dir := b.TempDir()
				var code bytes.Buffer
				must(b, Source(&code, language, "Player", false, r))
				path := filepath.Join(dir, fmt.Sprintf(h.file, 0))
				must(b, os.MkdirAll(filepath.Dir(path), 0o755))
				must(b, os.WriteFile(path, []byte(h.before(0)+code.String()), 0o644))
				must(b, os.WriteFile(filepath.Join(dir, h.main), []byte(strings.ReplaceAll(h.program(1), "\t", "    ")), 0o644))
				for _, command := range h.build {
					c := exec.Command(command(1)[0], command(1)[1:]...)
					c.Dir = dir
					out, err := c.CombinedOutput()
					if err != nil {
						b.Fatal(string(out))
					}
				}
				ask := func(rounds int) time.Duration {
					var input strings.Builder
					for range rounds {
						for _, board := range boards {
							fmt.Fprintln(&input, question{0, ownSearch, board.Faces()})
						}
					}
					c := exec.Command(h.run[0], h.run[1:]...)
					c.Dir, c.Stdin = dir, strings.NewReader(input.String())
					must(b, c.Run())
					return c.ProcessState.UserTime()
				}
				few, many := 1, 5
				if language == "python" {
					few, many = 0, 1
				} else if search == "depth 3" {
					few, many = 100, 500
				}
				for b.Loop() {
					took := float64(ask(many)-ask(few)) / float64((many-few)*len(boards))
					want := float64(engineTime()) / float64(len(boards))
					b.ReportMetric(took/1000, "µs/move")
					b.ReportMetric(took/want, "times")
				}
			})
		}
	}
}
