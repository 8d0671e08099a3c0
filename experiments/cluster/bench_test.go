package cluster

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tune2048/engine"
	"tune2048/engine/simulator"
)

// responder is the environment variable that makes this program a worker that answers at once, without playing.
const responder = "TUNE_RESPONDER"

// TestResponder is the other process of BenchmarkBlocks.
func TestResponder(t *testing.T) {
	url := os.Getenv(responder)
	if url == "" {
		t.Skip("it serves BenchmarkBlocks")
	}
	nc, err := Access{Server: url}.connect("responder")
	if err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for range time.Tick(helloEvery / 4) {
			nc.Publish(workersSubject, encode(hello{Worker: "responder", Process: "1", Cores: 256, Version: "test", Signature: simulator.Signature}))
		}
	}()
	jobs, err := js.Consumer(t.Context(), jobsStream, simulator.Signature)
	if err != nil {
		t.Fatal(err)
	}
	messages, err := jobs.Messages(jetstream.PullMaxMessages(256))
	if err != nil {
		t.Fatal(err)
	}
	for {
		m, err := messages.Next()
		if err != nil {
			return
		}
		j, err := decode[job](m.Data())
		if err != nil {
			t.Fatal(err)
		}
		games := 0
		for _, p := range j.Players {
			games += len(p.Seeds)
		}
		outcomes := make([]simulator.Outcome, games)
		for i := range outcomes {
			outcomes[i] = simulator.Outcome{Result: engine.Result{Score: 1000}, Duration: time.Second / time.Duration(games)}
		}
		if _, err := js.PublishMsgAsync(&nats.Msg{Subject: resultsPrefix + j.Run, Data: encode(j.answer("responder", outcomes))}); err != nil {
			t.Fatal(err)
		}
		m.Ack()
	}
}

// BenchmarkBlocks is what a block costs the coordinator, with the NATS server in it: CPU time, and how many it deals per second at
// most. Its workers are another process that answers at once.
func BenchmarkBlocks(b *testing.B) {
	for _, games := range []int{1, 200} {
		b.Run(fmt.Sprintf("of %d games", games), func(b *testing.B) {
			c, err := Open(b.Context(), Options{Listen: &Listener{Address: "127.0.0.1:0"}, Name: "bench", Identity: b.Name(), Version: "test"})
			if err != nil {
				b.Fatal(err)
			}
			defer c.Close()
			ctx, cancel := context.WithCancel(b.Context())
			var group sync.WaitGroup
			defer group.Wait()
			defer cancel()
			other := exec.CommandContext(ctx, os.Args[0], "-test.run", "^TestResponder$")
			other.Env = append(os.Environ(), responder+"="+c.URL())
			if err := other.Start(); err != nil {
				b.Fatal(err)
			}
			group.Go(func() { other.Wait() })
			for len(c.Workers()) == 0 {
				runtime.Gosched()
			}
			batch := someGames(1, b.N*games)
			key, seed := playerKey(batch.Rules, &batch.Players[0]), uint64(0)
			for i := range batch.Jobs { // no replay of outcomes that are made up
				for ; sampled(key, seed); seed++ {
				}
				batch.Jobs[i].Seed = seed
				seed++
			}
			c.mutex.Lock()
			c.members.member("responder", time.Now()).Games = 1
			c.mutex.Unlock()
			c.pace.saw(batch.Players[0].Settings.String(), time.Second/time.Duration(games))
			before := usedCPU()
			b.ResetTimer()
			if _, err := c.Play(b.Context(), batch, nil); err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			b.ReportMetric(float64((usedCPU()-before).Microseconds())/float64(b.N), "CPU-µs/block")
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "blocks/s")
		})
	}
}

// usedCPU is the CPU time of this process.
func usedCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
