package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tune2048/engine/simulator"
)

// events is how many TestChaos has; TUNE_CHAOS asks for more than what a usual test run has time for.
func events(t *testing.T) (n int, long bool) {
	text := os.Getenv("TUNE_CHAOS")
	if text == "" {
		return 8, false
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("TUNE_CHAOS: want a number, got %q", text)
	}
	return n, true
}

// TestChaos: whatever happens to machines, network and servers, every run ends with the content that it has on one machine. TUNE_CHAOS_SEED
// draws other events. The longest test is: TUNE_CHAOS=60 go test -run TestChaos -v -timeout 1h ./cmd/tune
func TestChaos(t *testing.T) {
	left, long := events(t)
	seed, _ := strconv.ParseUint(os.Getenv("TUNE_CHAOS_SEED"), 10, 64)
	config := fmt.Sprintf(everywhere, 1500)
	reference := folderWith(t, config)
	w := site{
		config: config, fingerprint: finished(t, reference, launch(t, reference, "tune", "-config", "long.yaml")), content: shared(t, reference),
		random: rand.New(rand.NewPCG(2048, seed)), long: long, happened: map[string]int{},
	}
	ask(t, reference, "SELECT count(*) FROM games", func(row []any) { w.games = row[0].(int64) })
	for n := 0; left > 0; n++ {
		w.external = n%2 == 1
		most := left
		if !long { // a run of each kind
			most = (left + 1 - n) / (2 - n)
		}
		t.Run(fmt.Sprintf("run %d, external server %v", n, w.external), func(t *testing.T) { left -= w.run(t, most) })
		if t.Failed() {
			return
		}
	}
	for _, event := range slices.Sorted(maps.Keys(w.happened)) {
		t.Logf("%3d times: %s", w.happened[event], event)
	}
	t.Logf("in %d runs of %d games, which all ended with the same content; %d games were told twice (workers.repeated); of the runs with a server of "+
		"their own %d games came over the wire for %d", w.runs, w.games, w.repeated, w.told.Load(), w.wanted)
}

// site is where runs are played.
type site struct {
	config, fingerprint, content string
	games                        int64 // of a run
	random                       *rand.Rand
	long                         bool
	happened                     map[string]int
	urn                          []event
	runs                         int
	repeated, wanted             int64
	told                         atomic.Int64 // games that came over the wire of external servers

	// Of the run at hand.
	external    bool
	folder      string
	address     string // of the NATS server
	server      *spoken
	coordinator *spoken
	machines    []*machine
	named       int
	undo        []func(t *testing.T) // what is to be mended when the next event has happened
}

// machine is a worker with its own way to the server.
type machine struct {
	*spoken
	name string
	way  *way
	busy bool // with an event
}

// event is something that happens. It tells whether it could.
type event struct {
	name string
	do   func(w *site, t *testing.T) bool
}

var chaos = []event{
	{"a worker is killed, another one starts", (*site).killWorker},
	{"all workers are killed, and others start later", (*site).killAll},
	{"a worker is frozen, and thawed", (*site).freeze},
	{"a worker is cut off by the network, and let back", (*site).cut},
	{"a worker's network swallows everything, and is mended", (*site).stall},
	{"one more worker starts", (*site).late},
	{"a worker is asked to leave, another one starts", (*site).leave},
	{"a worker of another version looks for games", (*site).stranger},
	{"the coordinator is killed and resumed", (*site).killCoordinator},
	{"the coordinator is interrupted and resumed", (*site).interrupt},
	{"the coordinator is frozen, and thawed", (*site).freezeCoordinator},
	{"the NATS server is killed, its storage emptied", (*site).killServer},
	{"an operator deletes streams", (*site).deleteStreams},
	{"an operator purges streams", (*site).purgeStreams},
	{"somebody sends hostile bytes", (*site).hostileBytes},
	{"somebody tells garbage", (*site).garbage},
	{"somebody tells 100 MB", (*site).huge},
	{"somebody takes a job and tells impossible games", (*site).forge},
	{"somebody takes jobs, and nobody hears of them any more", (*site).steal},
}

// run carries one run out with at most so many events.
func (w *site) run(t *testing.T, most int) (happened int) {
	w.folder, w.address, w.machines, w.undo = folderWith(t, w.config), freeAddress(t), nil, nil
	w.runs++
	if err := os.WriteFile(filepath.Join(w.folder, "token"), []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if t.Failed() && w.coordinator != nil {
			t.Log(w.coordinator.said())
			for _, m := range w.machines {
				t.Log(m.name, m.said())
			}
		}
	}()
	if w.external {
		w.startServer(t)
		w.listenIn(t)
	}
	w.startCoordinator(t)
	for range 3 {
		w.startWorker(t)
	}
	var moments []int64 // counted in games that are recorded
	for range min(most, 10) {
		moments = append(moments, 20+w.random.Int64N(w.games*8/10))
	}
	slices.Sort(moments)
	for _, moment := range moments {
		until(t, fmt.Sprintf("%d games are recorded", moment), func() bool {
			games, _ := recorded(t, w.folder)
			return games >= moment || w.coordinator.over()
		}, w.coordinator.said)
		if w.coordinator.over() {
			break
		}
		later := w.undo
		w.undo = nil
		e := w.draw()
		for !e.do(w, t) {
			e = w.draw()
		}
		for _, undo := range later {
			undo(t)
		}
		t.Logf("at %d games: %s", moment, e.name)
		w.happened[e.name]++
		happened++
		if t.Failed() {
			return happened
		}
	}
	for _, undo := range w.undo {
		undo(t)
	}
	if got := finished(t, w.folder, w.coordinator); got != w.fingerprint {
		t.Errorf("fingerprint %s, want %s", got, w.fingerprint)
	}
	if got := shared(t, w.folder); got != w.content {
		t.Errorf("the content is another than that of the local pool: %s", firstDifference(got, w.content))
	}
	ask(t, w.folder, `SELECT (SELECT sum(repeated) FROM workers), (SELECT sum(games) FROM workers), (SELECT count(worker_id) FROM games), (SELECT played_again FROM runs)`,
		func(row []any) {
			t.Logf("%v games were told twice; workers say that they were the first to tell %v, and %v are recorded of them; %v were forgotten", row...)
			repeated, _ := row[0].(int64)
			w.repeated += repeated
		})
	if w.external {
		w.wanted += w.games
	}
	return happened
}

// draw draws the next event: each once, then all again; with TUNE_CHAOS_ONLY those whose name has this text.
func (w *site) draw() event {
	if len(w.urn) == 0 {
		w.urn = slices.DeleteFunc(slices.Clone(chaos), func(e event) bool { return !strings.Contains(e.name, os.Getenv("TUNE_CHAOS_ONLY")) })
		w.random.Shuffle(len(w.urn), func(i, j int) { w.urn[i], w.urn[j] = w.urn[j], w.urn[i] })
	}
	e := w.urn[0]
	w.urn = w.urn[1:]
	return e
}

func (w *site) startServer(t *testing.T) {
	w.server = launchServer(t, w.folder, w.address, "--auth", secret)
}

func (w *site) startCoordinator(t *testing.T) {
	how := "-listen=" + w.address
	if w.external {
		how = "-server=nats://" + w.address
	}
	w.coordinator = launch(t, w.folder, "tune", "-config", "long.yaml", how, "-token-file", "token", "-workers", "0", "-audit", "0.05")
	until(t, "the coordinator is there", func() bool {
		return w.coordinator.says("join") || w.coordinator.says("waiting for workers") || w.coordinator.over()
	})
}

func (w *site) startWorker(t *testing.T) *machine {
	w.named++
	m := &machine{name: fmt.Sprint("w", w.named), way: newWay(t, w.address)}
	m.spoken = launchWorker(t, m.way.Addr().String(), m.name, "-token-file", filepath.Join(w.folder, "token"))
	w.machines = append(w.machines, m)
	return m
}

// some is a worker to which nothing else happens; nil if too few of them are left.
func (w *site) some() *machine {
	var free []*machine
	for _, m := range w.machines {
		if !m.busy && !m.over() {
			free = append(free, m)
		}
	}
	if len(free) < 2 {
		return nil
	}
	return free[w.random.IntN(len(free))]
}

// kill ends a process for good.
func kill(t *testing.T, s *spoken) {
	s.Process.Kill()
	until(t, "a killed process ends", s.over)
}

// advance waits until the run has played on.
func (w *site) advance(t *testing.T) {
	before, _ := recorded(t, w.folder)
	until(t, "the run goes on", func() bool { games, _ := recorded(t, w.folder); return games > before || w.coordinator.over() }, w.coordinator.said)
}

func (w *site) killWorker(t *testing.T) bool {
	m := w.some()
	if m == nil {
		return false
	}
	kill(t, m.spoken)
	w.startWorker(t)
	return true
}

func (w *site) killAll(t *testing.T) bool {
	for _, m := range w.machines {
		kill(t, m.spoken)
	}
	w.machines = nil
	if w.long {
		const gone = 11 * time.Second // so that the run knows of no worker any more
		time.Sleep(gone)
	}
	for range 3 {
		w.startWorker(t)
	}
	return true
}

// freeze lets a worker sleep: in the longest test until its blocks were handed to others.
func (w *site) freeze(t *testing.T) bool {
	m := w.some()
	if m == nil {
		return false
	}
	m.busy = true
	frozen := time.Now()
	m.Process.Signal(syscall.SIGSTOP)
	w.undo = append(w.undo, func(t *testing.T) {
		const redelivered = 16 * time.Second
		if w.long {
			time.Sleep(redelivered - time.Since(frozen))
		}
		m.Process.Signal(syscall.SIGCONT)
		m.busy = false
	})
	return true
}

func (w *site) cut(t *testing.T) bool   { return w.impede(refusing) }
func (w *site) stall(t *testing.T) bool { return w.impede(stalling) }

func (w *site) impede(how manner) bool {
	m := w.some()
	if m == nil {
		return false
	}
	m.busy = true
	m.way.be(how)
	w.undo = append(w.undo, func(*testing.T) { m.way.be(passing); m.busy = false })
	return true
}

func (w *site) late(t *testing.T) bool {
	w.startWorker(t)
	if len(w.machines) > 5 {
		return w.leave(t)
	}
	return true
}

func (w *site) leave(t *testing.T) bool {
	m := w.some()
	if m == nil {
		return false
	}
	until(t, "the worker is there", func() bool { return m.says("worker="+m.name) || m.over() }, m.said) // it takes signals from then on
	m.Process.Signal(syscall.SIGTERM)
	until(t, "the worker leaves", m.over, m.said)
	if code := m.ProcessState.ExitCode(); code != exitOK {
		t.Errorf("a worker that was asked to leave: exit code %d, stderr:\n%s", code, m.said())
	}
	w.startWorker(t)
	return true
}

// join connects with the workers' token; nil if the run has ended, and its server with it.
func (w *site) join(t *testing.T) (nc *nats.Conn, js jetstream.JetStream) {
	t.Helper()
	until(t, "somebody can connect", func() (so bool) {
		var err error
		nc, err = nats.Connect("nats://"+w.address, nats.Token(secret), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
		return err == nil || w.coordinator.over()
	})
	if nc == nil {
		return nil, nil
	}
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return nc, js
}

// excuse accepts an error if it is because the run has ended.
func (w *site) excuse(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		until(t, err.Error(), w.coordinator.over)
	}
}

func (w *site) stranger(t *testing.T) bool {
	const signature = "0123456789abcdef"
	nc, js := w.join(t)
	if nc == nil {
		return true
	}
	defer nc.Close()
	w.named++
	name := fmt.Sprint("stranger", w.named)
	hello := fmt.Sprintf(`{"worker": %q, "process": "p", "cores": 64, "version": "v0", "signature": %q}`, name, signature)
	w.excuse(t, nc.Publish("tune.workers", []byte(hello)))
	if _, err := js.Consumer(t.Context(), "TUNE_JOBS", signature); err == nil {
		t.Error("there is a queue for a worker of another version")
	}
	inbox, err := nc.SubscribeSync(nats.NewInbox())
	if err == nil {
		err = nc.PublishRequest("$JS.API.CONSUMER.MSG.NEXT.TUNE_JOBS."+signature, inbox.Subject, []byte("1"))
	}
	w.excuse(t, err)
	until(t, "the coordinator says that it gives the stranger no games", func() bool {
		return w.coordinator.says("worker "+name+" gets no games") || w.coordinator.over()
	}, w.coordinator.said)
	if n, _, _ := inbox.Pending(); n > 0 {
		if m, err := inbox.NextMsg(time.Second); err == nil && len(m.Data) > 0 {
			t.Errorf("a worker of another version got %s", m.Data)
		}
	}
	return true
}

func (w *site) killCoordinator(t *testing.T) bool {
	kill(t, w.coordinator)
	w.startCoordinator(t)
	return true
}

func (w *site) interrupt(t *testing.T) bool {
	w.coordinator.Process.Signal(os.Interrupt)
	until(t, "the interrupted coordinator ends", w.coordinator.over, w.coordinator.said)
	if code := w.coordinator.ProcessState.ExitCode(); code != exitInterrupted && code != exitOK {
		t.Errorf("interrupted: exit code %d, stderr:\n%s", code, w.coordinator.said())
	}
	w.startCoordinator(t)
	return true
}

func (w *site) freezeCoordinator(t *testing.T) bool {
	const long = 12 * time.Second // until it takes all workers for gone
	w.coordinator.Process.Signal(syscall.SIGSTOP)
	if w.long {
		time.Sleep(long)
	}
	w.coordinator.Process.Signal(syscall.SIGCONT)
	return true
}

func (w *site) killServer(t *testing.T) bool {
	if !w.external {
		return false
	}
	kill(t, w.server)
	w.startServer(t)
	w.listenIn(t)
	return true
}

func (w *site) deleteStreams(t *testing.T) bool {
	nc, js := w.join(t)
	if nc == nil {
		return true
	}
	defer nc.Close()
	streams := [][]string{{"TUNE_JOBS", "TUNE_RESULTS"}, {"TUNE_JOBS"}, {"TUNE_RESULTS"}}[w.random.IntN(3)]
	for _, name := range streams {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		err := js.DeleteStream(ctx, name)
		cancel()
		if !errors.Is(err, jetstream.ErrStreamNotFound) && w.external != (err == nil) {
			t.Errorf("delete %s: %v", name, err) // whoever has but the workers' token may not
		}
		if !w.external {
			return true
		}
	}
	w.advance(t)
	return true
}

func (w *site) purgeStreams(t *testing.T) bool {
	if !w.external || !w.long {
		return false
	}
	nc, js := w.join(t)
	if nc == nil {
		return true
	}
	defer nc.Close()
	for _, name := range []string{"TUNE_JOBS", "TUNE_RESULTS"} {
		if s, err := js.Stream(t.Context(), name); err != nil || s.Purge(t.Context()) != nil {
			t.Logf("purge %s: %v", name, err) // a killed coordinator has not made it yet
		}
	}
	w.advance(t)
	return true
}

func (w *site) hostileBytes(t *testing.T) bool {
	noise := make([]byte, 1<<20)
	for i := range noise {
		noise[i] = byte(w.random.Uint32())
	}
	for _, bytes := range []string{
		string(noise), "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "CONNECT {\r\n", strings.Repeat("PING", 1<<20), "PUB tune.jobs.x 99999999999999999999\r\n",
		"CONNECT {\"auth_token\": \"" + secret + "\"}\r\nPUB tune.workers -5\r\n", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
	} {
		c, err := net.Dial("tcp", w.address)
		if err != nil {
			w.excuse(t, err)
			return true
		}
		io.WriteString(c, bytes)
		c.Close()
	}
	return true
}

// runKey is the name of the run in subjects.
func (w *site) runKey(t *testing.T, nc *nats.Conn) string {
	heard, err := nc.SubscribeSync("tune.runs")
	if err != nil {
		t.Fatal(err)
	}
	var m *nats.Msg
	until(t, "a run says that it is there", func() bool {
		m, err = heard.NextMsg(500 * time.Millisecond)
		return err == nil || w.coordinator.over()
	}, w.coordinator.said)
	if m == nil {
		return "" // it has ended
	}
	var notice struct{ Run string }
	if err := json.Unmarshal(m.Data, &notice); err != nil || notice.Run == "" {
		t.Fatalf("a run says %s: %v", m.Data, err)
	}
	return notice.Run
}

func (w *site) garbage(t *testing.T) bool {
	nc, _ := w.join(t)
	if nc == nil {
		return true
	}
	defer nc.Close()
	run := w.runKey(t, nc)
	if run == "" {
		return true
	}
	largest := make([]byte, 1<<20-100)
	texts := []string{
		"", "{", "null", "[]", `"x"`, string(largest), `{"id": "x", "worker": "w", "signature": "` + simulator.Signature + `", "players": [{"seeds": [1], "games": [[1]]}]}`,
		strings.Repeat("[", 1<<19), `{"worker": "w1", "signature": "` + simulator.Signature + `", "players": [{"key": "x", "seeds": [1, 2], "games": []}]}`,
		`{"worker": "w1\u0000'); DROP TABLE games; --", "signature": "` + simulator.Signature + `", "players": []}`,
		`{"worker": "w", "cores": 1e99}`, `{"worker": "", "cores": 1}`, `{"worker": "g", "process": "g", "cores": 65537, "signature": "` + simulator.Signature + `"}`,
	}
	for _, text := range texts {
		for _, subject := range []string{"tune.results." + run, "tune.workers", "tune.results.other", "tune.results." + run + ".more"} {
			w.excuse(t, nc.Publish(subject, []byte(text)))
		}
	}
	w.excuse(t, nc.Flush())
	return true
}

// huge sends a message that the server must refuse before it has all of it.
func (w *site) huge(t *testing.T) bool {
	c, err := net.Dial("tcp", w.address)
	if err != nil {
		w.excuse(t, err)
		return true
	}
	defer c.Close()
	const size = 100_000_000
	fmt.Fprintf(c, "CONNECT {\"auth_token\": %q, \"verbose\": false}\r\nPUB tune.results.x %d\r\n", secret, size)
	part, sent := make([]byte, 1<<16), 0
	for sent < size {
		n, err := c.Write(part)
		if sent += n; err != nil {
			break
		}
	}
	if sent >= size/2 {
		t.Errorf("the server took %d bytes of a message", sent)
	}
	return true
}

// takeJobs takes some jobs out of the queue, as a worker does.
func (w *site) takeJobs(t *testing.T, most int) (nc *nats.Conn, js jetstream.JetStream, jobs []jetstream.Msg) {
	if nc, js = w.join(t); nc == nil {
		return nil, nil, nil
	}
	until(t, "there are jobs to take", func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		c, err := js.Consumer(ctx, "TUNE_JOBS", simulator.Signature)
		if err != nil {
			return w.coordinator.over()
		}
		batch, err := c.Fetch(most, jetstream.FetchMaxWait(500*time.Millisecond))
		if err != nil {
			return w.coordinator.over()
		}
		for m := range batch.Messages() {
			jobs = append(jobs, m)
		}
		return len(jobs) > 0 || w.coordinator.over()
	}, w.coordinator.said)
	return nc, js, jobs
}

// forge tells games of a real job that no game can be.
func (w *site) forge(t *testing.T) bool {
	nc, js, jobs := w.takeJobs(t, 1)
	if nc == nil {
		return true
	}
	defer nc.Close()
	w.named++
	name := fmt.Sprint("forger", w.named)
	for _, m := range jobs {
		var job struct {
			ID, Run string
			Players []struct {
				Key   string
				Seeds []uint64
			}
		}
		if err := json.Unmarshal(m.Data(), &job); err != nil {
			t.Error(err)
		}
		type player struct {
			Key   string      `json:"key"`
			Seeds []uint64    `json:"seeds"`
			Games [][7]uint64 `json:"games"`
		}
		told := map[string]any{"id": job.ID, "worker": name, "signature": simulator.Signature}
		var players []player
		for _, p := range job.Players {
			forged := player{Key: p.Key, Seeds: p.Seeds}
			for range p.Seeds {
				n := uint64(1) << w.random.IntN(62)
				forged.Games = append(forged.Games, [7]uint64{n, n, n, n, w.random.Uint64(), n & 1, n})
			}
			players = append(players, forged)
		}
		told["players"] = players
		text, _ := json.Marshal(told)
		if _, err := js.Publish(t.Context(), "tune.results."+job.Run, text); err != nil && !errors.Is(err, nats.ErrConnectionClosed) {
			t.Logf("tell a forged result: %v", err)
		}
		m.Ack()
	}
	return true
}

// steal acknowledges jobs that it does not play.
func (w *site) steal(t *testing.T) bool {
	nc, _, jobs := w.takeJobs(t, 3)
	if nc == nil {
		return true
	}
	defer nc.Close()
	for _, m := range jobs {
		m.Ack()
	}
	nc.Flush()
	return true
}

// listenIn counts the games that are told over the server.
func (w *site) listenIn(t *testing.T) {
	nc, _ := w.join(t)
	if nc == nil {
		return
	}
	t.Cleanup(nc.Close)
	server := w.server
	go func() { <-server.ended; nc.Close() }()
	_, err := nc.Subscribe("tune.results.*", func(m *nats.Msg) {
		var told struct {
			Players []struct{ Games [][7]uint64 }
		}
		if json.Unmarshal(m.Data, &told) == nil {
			for _, p := range told.Players {
				w.told.Add(int64(len(p.Games)))
			}
		}
	})
	if err == nil {
		err = nc.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// manner is how a way treats what comes along.
type manner int

const (
	passing  manner = iota
	stalling        // nothing arrives, and nobody is told
	refusing        // connections are ended, and new ones, too
)

// way is a machine's network: a TCP proxy.
type way struct {
	net.Listener
	to      string
	mutex   sync.Mutex
	changed *sync.Cond
	how     manner
	open    map[net.Conn]bool
}

func newWay(t *testing.T, to string) *way {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	y := &way{Listener: l, to: to, open: map[net.Conn]bool{}}
	y.changed = sync.NewCond(&y.mutex)
	t.Cleanup(func() { l.Close(); y.be(refusing) })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go y.carry(c)
		}
	}()
	return y
}

func (y *way) be(how manner) {
	y.mutex.Lock()
	defer y.mutex.Unlock()
	if y.how = how; how == refusing {
		for c := range y.open {
			c.Close()
		}
	}
	y.changed.Broadcast()
}

// ready waits until something may pass. It tells whether it may.
func (y *way) ready(c net.Conn) bool {
	y.mutex.Lock()
	defer y.mutex.Unlock()
	for y.how == stalling {
		y.changed.Wait()
	}
	y.open[c] = true
	return y.how == passing
}

func (y *way) carry(from net.Conn) {
	defer from.Close()
	if !y.ready(from) {
		return
	}
	to, err := net.Dial("tcp", y.to)
	if err != nil {
		return
	}
	defer to.Close()
	var both sync.WaitGroup
	for _, pair := range [][2]net.Conn{{from, to}, {to, from}} {
		both.Go(func() {
			defer from.Close()
			defer to.Close()
			part := make([]byte, 1<<16)
			for {
				n, err := pair[0].Read(part)
				if !y.ready(from) {
					return
				}
				if _, e := pair[1].Write(part[:n]); err != nil || e != nil {
					return
				}
			}
		})
	}
	both.Wait()
	y.mutex.Lock()
	delete(y.open, from)
	y.mutex.Unlock()
}
