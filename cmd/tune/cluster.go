package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"time"

	"tune2048/configs"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/cluster"
	"tune2048/results"
	"tune2048/results/dashboard"
)

// clusterFlags are how a run and its workers reach each other.
type clusterFlags struct {
	listen, server, credentials string
	certificate, key, authority string
	audit                       float64
}

// usualAudit is the share of the workers' games that are played twice.
const usualAudit = 0.01

func (k *clusterFlags) define(f *flag.FlagSet) {
	f.StringVar(&k.listen, "listen", "", "let workers play too (tune worker): listen for them at `HOST:PORT`, such as 0.0.0.0:4222; beyond this machine it needs -token-file")
	f.StringVar(&k.certificate, "tls-cert", "", "with -listen, encrypt connections: the certificate `FILE`, in PEM")
	f.StringVar(&k.key, "tls-key", "", "with -listen: the `FILE` of the certificate's key, in PEM")
	f.Float64Var(&k.audit, "audit", usualAudit, "with workers, play this `SHARE` of their games twice, on different workers, 0 to 1; some of each worker at least")
	k.defineServer(f, "let workers play too, by the NATS server at this `URL`, with JetStream, such as nats://host:4222")
}

// defineServer defines the flags of whoever connects to a server.
func (k *clusterFlags) defineServer(f *flag.FlagSet, usage string) {
	f.StringVar(&k.server, "server", "", usage)
	f.StringVar(&k.credentials, "creds", "", "with -server: the `FILE` of a NATS user's credentials")
	f.StringVar(&k.authority, "tls-ca", "", "with -server: trust the certificates in this `FILE`, in PEM, instead of the system's")
}

// asked tells whether workers may play.
func (k *clusterFlags) asked() bool { return k.listen != "" || k.server != "" }

// check refuses flags that do not go together.
func (k *clusterFlags) check(f *flag.FlagSet) error {
	switch {
	case k.listen != "" && k.server != "":
		return usagef("run: -listen and -server: want one of them: be the NATS server, or use an existing one")
	case k.listen == "" && (given(f, "tls-cert") || given(f, "tls-key")):
		return usagef("run: -tls-cert and -tls-key go with -listen; for a server with TLS: -server tls://HOST:PORT")
	case (k.certificate == "") != (k.key == ""):
		return usagef("run: -tls-cert and -tls-key: want both, or none")
	case k.server == "" && (given(f, "creds") || given(f, "tls-ca")):
		return usagef("run: -creds and -tls-ca go with -server")
	case !k.asked() && given(f, "audit"):
		return usagef("run: -audit goes with -listen or -server: without workers there is nothing to doubt")
	case !(k.audit >= 0 && k.audit <= 1):
		return usagef("run: -audit: want a share from 0 to 1, got %v", k.audit)
	}
	return nil
}

// flags are what to type for them.
func (k *clusterFlags) flags() (text string) {
	for _, one := range []struct{ name, value string }{
		{"listen", k.listen}, {"server", k.server}, {"creds", k.credentials}, {"tls-cert", k.certificate}, {"tls-key", k.key}, {"tls-ca", k.authority},
	} {
		if one.value != "" {
			text += " -" + one.name + " " + quote(one.value)
		}
	}
	if k.audit != usualAudit && k.asked() {
		text += fmt.Sprintf(" -audit %v", k.audit)
	}
	return text
}

// access is how the server is reached.
func (k *clusterFlags) access(tokenFile string) (a cluster.Access, err error) {
	a = cluster.Access{Server: k.server, Credentials: k.credentials, Authority: k.authority}
	if tokenFile != "" {
		if a.Token, err = dashboard.ReadToken(tokenFile); err != nil {
			return a, usageError{err}
		}
	}
	return a, nil
}

// gather makes what plays the games of a run: this machine's processors and, if they are asked for, workers. leave is called when the run has
// ended.
func (in *invocation) gather(ctx context.Context, c *configs.Config, r *runFlags, store *results.Store, d *display) (s experiments.Simulator, leave func(), err error) {
	if !r.cluster.asked() {
		return simulator.NewPool(r.workers), func() {}, nil
	}
	access, err := r.cluster.access(r.at.tokenFile)
	if err != nil {
		return nil, nil, err
	}
	o := cluster.Options{
		Access: access, Cores: r.workers, Name: c.Name, Identity: c.Name + " " + c.Hash, Version: release(), Audit: r.cluster.audit, Warn: d.warn,
	}
	if r.cluster.listen != "" {
		o.Listen = &cluster.Listener{Address: r.cluster.listen, Token: access.Token, Certificate: r.cluster.certificate, Key: r.cluster.key}
	}
	coordinator, err := cluster.Open(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	d.tell(r.invitation(coordinator.URL()))
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.workers = coordinator.Workers
	d.cost.cores = func() int { return max(1, r.workers+coresOf(coordinator.Workers())) }
	d.begun = func(run experiments.Run) {
		before, err := store.Reader().Workers(ctx, run.ID)
		if err != nil {
			d.line(slog.LevelWarn, err.Error())
		}
		coordinator.Resume(before)
	}
	store.Roster(coordinator.Workers)
	return coordinator, coordinator.Close, nil
}

// invitation says how workers join.
func (r *runFlags) invitation(url string) string {
	if url == "" {
		return "waiting for workers; on each machine: tune worker -server " + quote(r.cluster.server) + " ..."
	}
	host, port, _ := net.SplitHostPort(strings.TrimPrefix(strings.TrimPrefix(url, "nats://"), "tls://"))
	if given, _, err := net.SplitHostPort(r.cluster.listen); err == nil {
		host = given
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		if name, err := os.Hostname(); err == nil {
			host = name
		}
	}
	command := "tune worker -server nats://" + net.JoinHostPort(host, port)
	if r.at.tokenFile != "" {
		command += " -token-file " + quote(r.at.tokenFile)
	}
	return "workers may join; on each machine: " + command
}

// coresOf returns how many games workers play at once.
func coresOf(workers []experiments.Worker) (n int) {
	for _, w := range workers {
		n += w.Cores
	}
	return n
}

// crew says in a few words who plays beside this machine.
func crew(workers []experiments.Worker) string {
	playing, others, cut := 0, 0, 0
	for _, w := range workers {
		switch {
		case w.CutOff != "":
			cut++
		case w.Cores > 0:
			playing++
		case w.Signature != simulator.Signature && time.Since(w.LastSeen) < time.Minute:
			others++
		}
	}
	text := "no workers"
	if playing > 0 {
		text = fmt.Sprintf("%s with %s", plural(playing, "worker"), plural(coresOf(workers), "core"))
	}
	if others > 0 {
		text += fmt.Sprintf(", %d of another version", others)
	}
	if cut > 0 {
		text += fmt.Sprintf(", %d cut off", cut)
	}
	return text
}

// share says what workers did for a run that has ended; "" if there were none.
func shareOf(workers []experiments.Worker) string {
	var games, repeated, audited int64
	for _, w := range workers {
		games, repeated, audited = games+w.Games, repeated+w.Repeated, audited+w.Audited
	}
	if games == 0 {
		return ""
	}
	return fmt.Sprintf("%s played %s of this run; %d of them were audited, %d were played twice because somebody was late or lost",
		plural(len(workers), "worker"), plural(int(games), "game"), audited, repeated)
}
