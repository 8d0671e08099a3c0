package export

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
)

// BenchmarkExports compares the CPU time of a move with the engine's, in each language and at
// three searches: go test -run NONE -bench Exports -benchtime 1x ./results/export. The boards are
// of whole games of the champion. The figures are medians of 5 pairs. A program answers some
// boards before the clock counts.
func BenchmarkExports(b *testing.B) {
	data, err := config.ReadFile("champions/best-distinct7")
	must(b, err)
	r, err := Read(data)
	must(b, err)
	tables, err := eval.NewCompiler(&r.heuristic).Compile(r.values, r.heuristic.Dead)
	must(b, err)
	var boards []engine.Board
	player := new(engine.Searcher)
	player.Prepare(tables, engine.FixedDepth(3), engine.DefaultRules())
	for seed := uint64(1); len(boards) < 12_000; seed++ {
		moves := 0
		engine.Play(engine.DefaultRules(), seed, player, func(s engine.Step) bool {
			moves++
			if moves%17 == 0 {
				boards = append(boards, s.Board)
			}
			return true
		})
	}
	boards = boards[:12_000]
	for _, search := range []string{"depth 3", "depth 5", "depth by distinct -6 least 2 p 0.02"} {
		settings, err := engine.ParseSettings(search)
		must(b, err)
		r.config.Search = settings
		again := 0
		if search == "depth 3" {
			again = 49 // much quicker than reading a board
		}
		var s engine.Searcher
		s.Prepare(tables, settings, engine.DefaultRules())
		for _, language := range Languages() {
			b.Run(strings.ReplaceAll(search, " ", "_")+"/"+language, func(b *testing.B) {
				var code strings.Builder
				must(b, Source(&code, language, "player", false, r))
				program := build(b, language, code.String())
				first, last, again := 6_000, 12_000, again
				if language == "python" {
					first, last, again = 100, 700, 0
				}
				ask := func(n int) time.Duration {
					var input strings.Builder
					for _, board := range boards[:n] {
						fmt.Fprintln(&input, question{depth: ownSearch, faces: board.Faces(), again: again})
					}
					before := cpu(syscall.RUSAGE_CHILDREN)
					program(input.String())
					return cpu(syscall.RUSAGE_CHILDREN) - before
				}
				for b.Loop() {
					var took, times [5]float64
					for i := range took { // a second search of a board, for its value, costs little: its boards are known
						took[i] = float64(ask(last)-ask(first)) / float64(last-first) / float64(1+again)
						before := cpu(syscall.RUSAGE_SELF)
						for _, board := range boards[first:last] {
							for range 1 + again {
								s.Best(board)
							}
						}
						times[i] = took[i] / (float64(cpu(syscall.RUSAGE_SELF)-before) / float64(last-first) / float64(1+again))
					}
					slices.Sort(took[:])
					slices.Sort(times[:])
					b.ReportMetric(took[len(took)/2]/1000, "µs/move")
					b.ReportMetric(times[len(times)/2], "times")
				}
			})
		}
	}
}

// cpu is the CPU time of this process or of the programs that it has run.
func cpu(who int) time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(who, &u)
	return time.Duration(u.Utime.Nano())
}
