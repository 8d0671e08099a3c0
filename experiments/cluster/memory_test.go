package cluster

import (
	"bytes"
	"fmt"
	"net"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestMemoryOfARun: 150 connections with the token send the largest messages of all kinds, as fast
// as they can, and read nothing. The run with its server holds 250 MB more at most: a message of
// each, and what NATS lets wait for the run.
func TestMemoryOfARun(t *testing.T) {
	f := embeddedField(t)
	fill := func(begin, item, end string) []byte {
		n := (maxMessage - len(begin) - len(end)) / len(item)
		return []byte(begin + strings.TrimSuffix(strings.Repeat(item, n), ",") + end)
	}
	greets := strings.TrimSuffix(string(encode(greeting())), "}")
	large := fill(greets+`,"games":[`, "{},", "]}")
	ended := f.begin(t, someGames(100, 100))
	messages := map[string][][]byte{
		helloPrefix:                {large, fill(`{"cores":1,"signature":"`, "x", `"}`)},
		askPrefix + f.run + ".":    {large, encode(greeting())},
		playedPrefix + f.run + ".": {large, fill(greets+`,"games":[{"Failed":"`, "x", `"}]}`)},
	}
	live := func() int {
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(sample)
		return int(sample[0].Value.Uint64() >> 20)
	}
	runtime.GC()
	before, most := live(), 0
	unfinished := bytes.Repeat([]byte(" "), maxMessage-1)
	var crowd sync.WaitGroup
	for n := range 150 {
		crowd.Go(func() {
			id := newID(fmt.Sprint("w", n%2))
			c := must(net.Dial("tcp", strings.TrimPrefix(f.URL, "nats://")))
			t.Cleanup(func() { c.Close() })
			_ = c.SetDeadline(time.Now().Add(10 * time.Second))
			fmt.Fprintf(c, "CONNECT {\"verbose\":false,\"name\":%q,\"auth_token\":%q}\r\n", clientPrefix+id, secret)
			for range 4 {
				for subject, texts := range messages {
					for _, text := range texts {
						fmt.Fprintf(c, "PUB %s%s %s%s.x %d\r\n", subject, id, inboxPrefix, id, len(text))
						_, _ = (&net.Buffers{text, []byte("\r\n")}).WriteTo(c)
					}
				}
			}
			fmt.Fprintf(c, "PUB %s%s %d\r\n", helloPrefix, id, maxMessage) // which does not end
			_, _ = c.Write(unfinished)
		})
	}
	over := make(chan bool)
	go func() { crowd.Wait(); close(over) }()
	for going := true; going; time.Sleep(10 * time.Millisecond) {
		select {
		case <-over:
			going = false
		default:
		}
		most = max(most, live())
	}
	if mb := most - before; mb > 250 {
		t.Errorf("150 connections take %d MB, want at most 250", mb)
	}
	f.honest(t, someGames(100, 100), ended)
}
