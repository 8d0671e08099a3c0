package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"strings"

	"tune2048/experiments"
	"tune2048/experiments/cluster"
	"tune2048/results/dashboard"
	"tune2048/results/report"
)

// readToken reads the file of -token-file, or "" if it was not given.
func readToken(path string) (token string, err error) {
	if path == "" {
		return "", nil
	}
	if token, err = dashboard.ReadToken(path); err != nil {
		return "", usageError{err}
	}
	return token, nil
}

// clusterFlags are how a run and its workers find each other.
type clusterFlags struct{ cluster.Access }

func (k *clusterFlags) define(f *flag.FlagSet) {
	f.StringVar(&k.Listen, "listen", "",
		"let workers play too (tune worker): listen for them at `HOST:PORT`, such as 0.0.0.0:4222; beyond this machine it "+
			"needs -token-file")
	f.StringVar(&k.Server, "server", "",
		"let workers play too, and meet them at the NATS server at this `URL`, such as nats://host:4222")
}

// asked reports whether workers may play.
func (k *clusterFlags) asked() bool { return k.Listen != "" || k.Server != "" }

// checkCluster refuses flags that do not go together, and reads the token.
func checkCluster(k *clusterFlags, tokenFile string) (err error) {
	switch {
	case k.Listen != "" && k.Server != "":
		return usagef("run: -listen and -server: want one of them: be the NATS server, or use an existing one")
	case !k.asked():
		return nil
	}
	if k.Token, err = readToken(tokenFile); err != nil {
		return err
	}
	if err := k.Check(); err != nil {
		return usagef("run: %w", err)
	}
	return nil
}

// gather gives the experiment a simulator: this machine's processors and, if they are asked for,
// workers. leave is called when the run has ended.
func (in *invocation) gather(ctx context.Context, x *experiments.Experiment, r *runFlags, d *display) (leave func(),
	err error) {
	if !r.cluster.asked() {
		pool := in.pool(r.workers)
		x.Simulator = pool
		return pool.Close, nil // of several searches, each ends its own bots
	}
	o := cluster.Options{
		Access: r.cluster.Access, Cores: r.workers, Name: x.Config.Name, Identity: x.Config.Name + " " + x.Config.Hash,
		Version: release(), Warn: d.warn,
	}
	coordinator, err := cluster.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	x.Simulator, x.Settle = coordinator, coordinator.Settle
	d.say(r.invitation(coordinator.URL))
	d.update(func() { d.crew = coordinator.Crew })
	return coordinator.Close, nil
}

// invitation says how workers join.
func (r *runFlags) invitation(url string) string {
	if url == "" {
		return "waiting for workers; on each machine: tune worker" + typed(r.given, "server", "token-file")
	}
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(url, "nats://"))
	host, _, _ := net.SplitHostPort(r.cluster.Listen)
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		if name, err := os.Hostname(); err == nil {
			host = name
		}
	}
	return "workers may join; on each machine: tune worker -server nats://" + net.JoinHostPort(host, port) +
		typed(r.given, "token-file")
}

// crew says in a few words who plays beside this machine.
func crew(workers, cores int) string {
	if workers == 0 {
		return "no workers"
	}
	return fmt.Sprintf("%s with %s", report.Count(workers, "worker"), report.Count(cores, "core"))
}
