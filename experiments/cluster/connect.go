package cluster

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Access is how a NATS server is reached: it is within this process, or elsewhere.
type Access struct {
	Listen string // HOST:PORT of the one within; port 0 takes a free one
	Server string // the URL of the other one, such as nats://host:4222 or tls://host:4222
	Token  string // that a client shows; where other machines reach Listen it is required
}

// connect reaches the server. The connection mends itself. what names it to the server's operator.
func (a Access) connect(what string, options ...nats.Option) (*nats.Conn, error) {
	all := append(lasting(what), nats.Timeout(patience), nats.Token(a.Token))
	nc, err := nats.Connect(a.Server, append(all, options...)...)
	return nc, a.explain(err)
}

// Given reports whether there is a server.
func (a Access) Given() bool { return a.Listen != "" || a.Server != "" }

// Check finds mistakes in the address or the URL, and a missing token.
func (a Access) Check() error {
	switch {
	case a.Listen == "":
		_, err := a.url()
		return err
	case a.Server != "":
		return errors.New("-listen and -server: want one of them: be the NATS server, or use an existing one")
	}
	address, err := net.ResolveTCPAddr("tcp", a.Listen)
	switch {
	case err != nil:
		return fmt.Errorf("-listen: want HOST:PORT of this machine, such as 127.0.0.1:4222, got %q", a.Listen)
	case a.Token == "" && !address.IP.IsLoopback():
		return fmt.Errorf("cannot listen at %s without a token: other machines reach it (give -token-file FILE, here and "+
			"to the workers; "+
			"openssl rand -hex 16 > FILE makes one; or choose 127.0.0.1)", a.Listen)
	}
	return nil
}

// url returns the server's URL. An error does not show what may be a password.
func (a Access) url() (*url.URL, error) {
	const want = "want a URL such as nats://host:4222 or tls://host:4222"
	text := a.Server
	if !strings.Contains(text, "://") {
		text = "nats://" + text
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("server: %s", want)
	case u.Scheme != "nats" && u.Scheme != "tls":
		return nil, fmt.Errorf("server: %s, got the scheme %s", want, u.Scheme)
	case u.Hostname() == "":
		return nil, fmt.Errorf("server: %s; there is no host in it", want)
	}
	return u, nil
}

// lasting are the options of a connection that mends itself, and notices within about 20 seconds
// that the network is cut. To send while it is broken is an error: nothing is kept for later.
func lasting(what string) []nats.Option {
	return []nats.Option{
		nats.Name(what), nats.MaxReconnects(-1), nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2),
		nats.ReconnectBufSize(-1),
		nats.ReconnectWait(100 * time.Millisecond), nats.ReconnectJitter(100*time.Millisecond, 100*time.Millisecond),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // otherwise to stderr
	}
}

// explain adds the place to an error of a connection, and advice where there is any.
func (a Access) explain(err error) error {
	place := "the server"
	if u, bad := a.url(); bad == nil {
		u.User = nil
		if u.Port() == "" { // it may hold a secret
			u.Host = net.JoinHostPort(u.Hostname(), strconv.Itoa(nats.DefaultPort))
		}
		place = u.String()
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, nats.ErrAuthorization) && a.Token != "":
		return fmt.Errorf("%s refuses the token: it has another one (%w)", place, err)
	case errors.Is(err, nats.ErrAuthorization):
		return fmt.Errorf("%s requires authentication (%w): pass -token-file FILE with its token, or name a user "+
			"and the password in the URL", place, err)
	case errors.Is(err, nats.ErrPermissionViolation):
		return fmt.Errorf("this user lacks the rights that experiments/cluster/README.md lists (%w)", err)
	case errors.Is(err, nats.ErrNoServers), errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("nobody listens at %s (connection refused): does a tune with -listen, or a NATS server, run "+
			"there, at this port?", place)
	}
	return fmt.Errorf("cannot connect to %s: %w; is it a NATS server, and does a firewall let its port through?",
		place, err)
}

// embedded is a NATS server within this process.
type embedded struct {
	*server.Server
	workers string // the token of workers; empty: everybody is a worker
}

// listen starts the server.
func (a Access) listen() (*embedded, error) {
	free, err := net.Listen("tcp", a.Listen) // the server would only log that it is not
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("cannot listen at %s: another program does (perhaps another run: choose another port, or "+
			"take part in what "+
			"is there: -server nats://%[1]s)", a.Listen)
	case err != nil:
		return nil, fmt.Errorf("cannot listen at %s: %w (want HOST:PORT of this machine, such as -listen 127.0.0.1:4222)",
			a.Listen, err)
	}
	free.Close()
	address := free.Addr().(*net.TCPAddr)
	e := &embedded{workers: a.Token}
	options := &server.Options{
		ServerName: "tune", Host: address.IP.String(), Port: address.Port,
		MaxPayload: maxMessage, MaxSubs: 16, MaxConn: 1024, MaxPending: 16 << 20, MaxClosedClients: 16,
		NoLog: true, NoSigs: true,
		CustomClientAuthentication: e,
	}
	e.Server, err = server.NewServer(options)
	if err != nil {
		return nil, err
	}
	if e.Server.Start(); !e.Server.ReadyForConnections(patience) {
		e.close()
		return nil, fmt.Errorf("the NATS server at %s does not start: is the address free?", a.Listen)
	}
	return e, nil
}

// connect returns a connection of this process, which may do anything.
func (e *embedded) connect(what string, options ...nats.Option) (*nats.Conn, error) {
	return nats.Connect("", append(append(lasting(what), nats.InProcessServer(e.Server)), options...)...)
}

// close ends it.
func (e *embedded) close() {
	e.Server.Shutdown()
	e.Server.WaitForShutdown()
}

// Check implements server.Authentication: it checks the token of a connection from elsewhere. A
// worker's rights name the id that its connection gives.
func (e *embedded) Check(c server.ClientAuthentication) bool {
	from := c.RemoteAddress() // nil: it has gone
	switch {
	case from == nil:
		return false
	case from.Network() == "pipe": // of net.Pipe, within this process
		c.RegisterUser(&server.User{Username: "run"})
	case e.workers == "" || subtle.ConstantTimeCompare([]byte(c.GetOpts().Token), []byte(e.workers)) == 1:
		id := strings.TrimPrefix(c.GetOpts().Name, clientPrefix)
		if _, err := nameOf(id); err != nil {
			id = newID("none")
		}
		c.RegisterUser(&server.User{Username: "worker", Permissions: &server.Permissions{
			Publish: &server.SubjectPermission{Allow: []string{helloPrefix + id, askPrefix + "*." + id,
				playedPrefix + "*." + id}},
			Subscribe: &server.SubjectPermission{Allow: []string{runsSubject, inboxPrefix + id + ".>"}},
		}})
	default:
		return false
	}
	return true
}
