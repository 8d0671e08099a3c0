package main

import (
	"context"
	"net"
	"os"
	"strings"

	"tune2048/experiments"
	"tune2048/experiments/cluster"
	"tune2048/results/dashboard"
)

// readToken reads the file of -token-file, or "" if it was not given.
func readToken(path string) (token string, err error) {
	if path == "" {
		return "", nil
	}
	token, err = dashboard.ReadToken(path)
	if err != nil {
		return "", usageError{err}
	}
	return token, nil
}

// gather gives the experiment a simulator: this machine's processors and, if they are asked for,
// workers. leave is called when the run has ended.
func (in *invocation) gather(ctx context.Context, x *experiments.Experiment, r *runFlags, d *display) (leave func(),
	err error) {
	if !r.access.Given() {
		pool := in.pool(r.workers)
		x.Simulator = pool
		return pool.Close, nil // of several searches, each ends its own bots
	}
	if err := cluster.Fits(x.Config.Form()); err != nil {
		return nil, usagef("run: %w", err)
	}
	o := cluster.Options{
		Access: r.access, Cores: r.workers, Name: x.Config.Name, Identity: x.Config.Name + " " + x.Config.Hash,
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
	host, _, _ := net.SplitHostPort(r.access.Listen)
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		if name, err := os.Hostname(); err == nil {
			host = name
		}
	}
	return "workers may join; on each machine: tune worker -server nats://" + net.JoinHostPort(host, port) +
		typed(r.given, "token-file")
}
