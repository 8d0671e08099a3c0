package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"net"

	"tune2048/results/dashboard"
)

// serveFlags are where and to whom pages are served.
type serveFlags struct{ address, tokenFile string }

func (s *serveFlags) define(f *flag.FlagSet) {
	f.StringVar(&s.address, "addr", dashboard.DefaultAddress, "serve the pages at `HOST:PORT`; port 0 takes a free one")
	f.StringVar(&s.tokenFile, "token-file", "", "ask for the token in this `FILE`, of 16 characters at least")
}

// begin serves the database until the context is done. wait returns how that ended.
func (in *invocation) begin(ctx context.Context, s serveFlags, until string) (wait func() error, err error) {
	token, err := readToken(s.tokenFile)
	if err != nil {
		return nil, err
	}
	listener, err := dashboard.Listen(s.address, token)
	if err != nil {
		return nil, err
	}
	host, _, _ := net.SplitHostPort(s.address) // empty for all addresses of this machine
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	at := net.JoinHostPort(cmp.Or(host, "localhost"), port)
	fmt.Fprintf(in.stderr, "serving %s at http://%s/ %s\n", in.database, at, until)
	warn := func(text string) { fmt.Fprintln(in.stderr, text) }
	pages := dashboard.New(in.database, dashboard.Options{Address: at, Token: token, Warn: warn})
	ended := make(chan error, 1)
	go func() { ended <- dashboard.Serve(ctx, listener, pages) }()
	return func() error { return <-ended }, nil
}

// serve shows the runs of a database to browsers until it is interrupted.
func serve(ctx context.Context, in *invocation) error {
	f := in.flags()
	var s serveFlags
	in.databaseFlag(f)
	s.define(f)
	if _, err := in.parse(f, 0); err != nil {
		return err
	}
	if _, err := in.reader(); err != nil { // a wrong name ends the command before it serves
		return err
	}
	wait, err := in.begin(ctx, s, "(Ctrl-C ends it)")
	if err != nil {
		return err
	}
	return wait()
}

// serveBeside serves the pages beside a run, until end is called.
func (in *invocation) serveBeside(ctx context.Context, r *runFlags) (end func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	until := fmt.Sprintf("until the run ends; tune serve%s goes on", in.databaseOption())
	wait, err := in.begin(ctx, r.at, until)
	if err != nil {
		cancel()
		return nil, err
	}
	return func() {
		cancel()
		if err := wait(); err != nil { // the run went on
			fmt.Fprintln(in.stderr, err)
		}
	}, nil
}
