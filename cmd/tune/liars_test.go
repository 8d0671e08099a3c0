package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"
)

// liar is the program that raises the scores that it tells by 1%, with -tags liar.
func liar(t *testing.T) (program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), "liar")
	if text, err := exec.Command("go", "build", "-tags", "liar", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return program
}

// launchLiar starts a worker that lies in every so many-th block.
func launchLiar(t *testing.T, program, address string, every int) *spoken {
	t.Helper()
	t.Setenv("TUNE_LIE", "0.01")
	t.Setenv("TUNE_LIE_EVERY", strconv.Itoa(every))
	s := launch(t, t.TempDir(), program, "worker", "-server", "nats://"+address, "-name", "liar", "-workers", "1")
	return s
}

// TestLiars: a worker that tells what is not so is found and told, and what it told is replaced.
func TestLiars(t *testing.T) {
	program := liar(t)
	config := fmt.Sprintf(everywhere, 300)
	folder := folderWith(t, config)
	want := finished(t, folder, launch(t, folder, "tune", "-config", "long.yaml"))
	for _, test := range []struct {
		every int
		audit string
	}{{1, "0.01"}, {20, "1"}} {
		t.Run(fmt.Sprintf("every %d", test.every), func(t *testing.T) {
			address, folder := freeAddress(t), folderWith(t, config)
			lies := launchLiar(t, program, address, test.every)
			for n := range 2 {
				launchWorker(t, address, fmt.Sprint("w", n))
			}
			p := launch(t, folder, "tune", "-config", "long.yaml", "-listen", address, "-workers", "0", "-audit", test.audit)
			if got := finished(t, folder, p); got != want {
				t.Errorf("fingerprint %s, want %s", got, want)
			}
			until(t, "the liar is told", lies.over, lies.said, p.said)
			if code := lies.ProcessState.ExitCode(); code != exitFailed || !lies.says("run everywhere has cut off worker liar: it told ") {
				t.Errorf("the liar ends with code %d:\n%s", code, lies.said())
			}
			ask(t, folder, "SELECT (SELECT count(*) FROM games AS g JOIN workers AS w ON w.id = g.worker_id WHERE w.name = 'liar'), played_again FROM runs", func(row []any) {
				t.Logf("%v games are the liar's still, %v were played again", row...)
			})
			report, err := exec.Command("tune", "report", "-markdown", "-db", filepath.Join(folder, defaultDatabase), "-o", "-").Output()
			if err != nil || !strings.Contains(string(report), "liar") {
				t.Errorf("the report does not speak of the liar: %v\n%s", err, report)
			}
		})
	}
}

// TestEscape measures how often a worker escapes that lies now and then. TUNE_LIARS runs at each share of audits take some minutes.
func TestEscape(t *testing.T) {
	runs, _ := strconv.Atoi(os.Getenv("TUNE_LIARS"))
	if runs == 0 {
		t.Skip("TUNE_LIARS=20 plays 20 runs with each share of audits")
	}
	program := liar(t)
	config := fmt.Sprintf(everywhere, 300)
	folder := folderWith(t, config)
	want := finished(t, folder, launch(t, folder, "tune", "-config", "long.yaml"))
	var lied float64 // blocks that a run takes from a liar that nobody looks for
	for _, audit := range []float64{0, 0.01, 0.1, 1} {
		escaped, blocks := 0, 0
		for range runs {
			address, folder := freeAddress(t), folderWith(t, config)
			server := launchServer(t, t.TempDir(), address)
			var lies atomic.Int64
			nc, err := nats.Connect("nats://" + address)
			if err == nil {
				_, err = nc.Subscribe("tune.results.*", func(m *nats.Msg) { lies.Add(tellsLie(m.Data)) })
			}
			if err != nil {
				t.Fatal(err)
			}
			worker, liar := launchWorker(t, address, "w"), launchLiar(t, program, address, 10)
			p := launch(t, folder, "tune", "-config", "long.yaml", "-server", "nats://"+address, "-workers", "0", "-audit", fmt.Sprint(audit))
			got := finished(t, folder, p)
			if found := p.says("worker liar is cut off"); found && got != want {
				t.Errorf("the liar was found, and the fingerprint is %s, want %s", got, want)
			} else if !found {
				escaped++
			}
			blocks += int(lies.Load())
			nc.Close()
			for _, s := range []*spoken{worker, liar, server} {
				kill(t, s)
			}
		}
		if audit == 0 {
			lied = float64(blocks) / float64(runs)
		}
		t.Logf("-audit %v: %d of %d runs did not find the liar, which told %d blocks wrong; (1 - %v)^%.1f = %.3f", audit, escaped, runs, blocks, audit, lied,
			math.Pow(1-audit, lied))
	}
}

// tellsLie is 1 if a result tells a score that no game has: all are multiples of four.
func tellsLie(text []byte) int64 {
	var told struct {
		Worker  string
		Players []struct{ Games [][7]uint64 }
	}
	if json.Unmarshal(text, &told) != nil || told.Worker != "liar" {
		return 0
	}
	for _, p := range told.Players {
		for _, g := range p.Games {
			if g[0]%4 != 0 {
				return 1
			}
		}
	}
	return 0
}
