package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/cluster"
	"tune2048/results"
	"tune2048/results/dashboard"
)

// accessFlags are how a NATS server is reached.
type accessFlags struct {
	cluster.Access
	tokenFile string
}

func (a *accessFlags) define(f *flag.FlagSet, server string) {
	f.StringVar(&a.Server, "server", "", server)
	f.StringVar(&a.Credentials, "creds", "", "with -server, show the NATS credentials in this `FILE`")
	f.StringVar(&a.Authority, "tls-ca", "", "with -server, trust the certificates in this `FILE`, instead of the system's: those of who signed the server's, or its own")
}

// check reads the token and looks for mistakes.
func (a *accessFlags) check(command string) (err error) {
	if a.tokenFile != "" && a.Credentials != "" {
		return usagef("%s: want -token-file or -creds, not both", command)
	}
	if a.tokenFile != "" {
		if a.Token, err = dashboard.ReadToken(a.tokenFile); err != nil {
			return usageError{err}
		}
	}
	if err := a.Check(); err != nil {
		return usagef("%s: %w", command, err)
	}
	return nil
}

// clusterFlags are how a run and its workers find each other.
type clusterFlags struct {
	accessFlags
	listener cluster.Listener
}

func (k *clusterFlags) define(f *flag.FlagSet) {
	f.StringVar(&k.listener.Address, "listen", "", "let workers play too (tune worker): listen for them at `HOST:PORT`, such as 0.0.0.0:4222; beyond this machine it needs -token-file")
	f.StringVar(&k.listener.Certificate, "tls-cert", "", "with -listen, encrypt connections: the certificate `FILE`, in PEM")
	f.StringVar(&k.listener.Key, "tls-key", "", "with -listen, the `FILE` of the certificate's key, in PEM")
	k.accessFlags.define(f, "let workers play too, and meet them at the NATS server at this `URL`, with JetStream, such as nats://host:4222")
}

// asked tells whether workers may play.
func (k *clusterFlags) asked() bool { return k.listener.Address != "" || k.Server != "" }

// check refuses flags that do not go together, and reads the token.
func (k *clusterFlags) check(f *flag.FlagSet, tokenFile string) (err error) {
	l := &k.listener
	switch {
	case l.Address != "" && k.Server != "":
		return usagef("run: -listen and -server: want one of them: be the NATS server, or use an existing one")
	case l.Address == "" && (given(f, "tls-cert") || given(f, "tls-key")):
		return usagef("run: -tls-cert and -tls-key go with -listen; for a server with TLS: -server tls://HOST:PORT")
	case (l.Certificate == "") != (l.Key == ""):
		return usagef("run: -tls-cert and -tls-key: want both, or none")
	case k.Server == "" && (given(f, "creds") || given(f, "tls-ca")):
		return usagef("run: -creds and -tls-ca go with -server")
	}
	k.tokenFile = tokenFile
	if k.Server != "" {
		return k.accessFlags.check("run")
	}
	if l.Address == "" {
		return nil
	}
	if tokenFile != "" {
		if l.Token, err = dashboard.ReadToken(tokenFile); err != nil {
			return usageError{err}
		}
	}
	if err := l.Check(); err != nil {
		return usagef("run: -listen: %w", err)
	}
	return nil
}

// gather gives the experiment a simulator: this machine's processors and, if they are asked for,
// workers. leave is called when the run has ended.
func (in *invocation) gather(ctx context.Context, x *experiments.Experiment, r *runFlags, store *results.Store, d *display) (leave func(), err error) {
	if !r.cluster.asked() {
		x.Simulator = simulator.NewPool(r.workers)
		return func() {}, nil
	}
	o := cluster.Options{
		Access: r.cluster.Access, Cores: r.workers, Name: x.Config.Name, Identity: x.Config.Name + " " + x.Config.Hash, Version: release(), Warn: d.warn,
	}
	if r.cluster.listener.Address != "" {
		o.Listen = &r.cluster.listener
	}
	coordinator, err := cluster.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	x.Simulator, x.Settle = coordinator, coordinator.Settle
	d.say(r.invitation(coordinator.URL()))
	d.update(func() {
		d.workers = coordinator.Workers
		d.left.cores = func() int { return max(1, r.workers+coresOf(coordinator.Workers())) }
	})
	store.Roster(coordinator.Workers)
	return func() {
		coordinator.Close()
		workers, err := store.Reader().Workers(context.WithoutCancel(ctx), d.last.Run.ID)
		if err != nil {
			d.warn(err.Error())
		} else if did := contribution(workers); did != "" {
			fmt.Fprintln(in.stderr, did)
		}
		if n := coordinator.Strange(); n > 0 {
			fmt.Fprintf(in.stderr, "%s that nobody could read came from workers or strangers, and were dropped\n", plural(n, "message"))
		}
	}, nil
}

// invitation says how workers join.
func (r *runFlags) invitation(url string) string {
	if url == "" {
		return "waiting for workers; on each machine: tune worker" + typed(r.given, func(name string) bool {
			return name == "server" || name == "token-file" || name == "creds" || name == "tls-ca"
		})
	}
	host, port, _ := net.SplitHostPort(strings.TrimPrefix(strings.TrimPrefix(url, "nats://"), "tls://"))
	if given, _, err := net.SplitHostPort(r.cluster.listener.Address); err == nil {
		host = given
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		if name, err := os.Hostname(); err == nil {
			host = name
		}
	}
	scheme := "nats://"
	if r.cluster.listener.Certificate != "" {
		scheme = "tls://"
	}
	command := "tune worker -server " + scheme + net.JoinHostPort(host, port)
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
	playing, others := 0, 0
	for _, w := range workers {
		switch {
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
	return text
}

// contribution says what workers did for a run; "" if they did nothing.
func contribution(workers []experiments.Worker) string {
	var games int64
	for _, w := range workers {
		games += w.Games
	}
	if games == 0 {
		return ""
	}
	return fmt.Sprintf("%s played %s of this run", plural(len(workers), "worker"), plural(int(games), "game"))
}
