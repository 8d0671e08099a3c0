package cluster

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Access is how a NATS server is reached.
type Access struct {
	Server string // its URL, such as nats://host:4222 or tls://host:4222; several with commas
	Token  string // empty: none
}

// answerWithin is how long a server may take to answer.
const answerWithin = 5 * time.Second

// connect reaches the server. The connection mends itself. what names it to the server's operator.
func (a Access) connect(what string, options ...nats.Option) (*nats.Conn, error) {
	if err := a.Check(); err != nil {
		return nil, err
	}
	all := append(lasting(what), nats.Timeout(answerWithin), nats.Token(a.Token))
	nc, err := nats.Connect(a.Server, append(all, options...)...)
	return nc, a.explain(err)
}

// Check finds mistakes in the URL.
func (a Access) Check() error {
	const want = "want a URL such as nats://host:4222 or tls://host:4222"
	for _, text := range a.servers() {
		u, err := url.Parse(text)
		switch {
		case err != nil:
			return fmt.Errorf("server: %s", want) // the text may hold a password
		case u.Scheme != "nats" && u.Scheme != "tls" && u.Scheme != "ws" && u.Scheme != "wss":
			return fmt.Errorf("server: %s, got the scheme %s", want, u.Scheme)
		case u.Hostname() == "":
			return fmt.Errorf("server: %s; there is no host in it", want)
		}
	}
	return nil
}

func (a Access) servers() (list []string) {
	for text := range strings.SplitSeq(a.Server, ",") {
		text = strings.TrimSpace(text)
		if !strings.Contains(text, "://") {
			text = "nats://" + text
		}
		list = append(list, text)
	}
	return list
}

// place is the server's URL, after Check, without the secrets that may be in it.
func (a Access) place() string {
	list := a.servers()
	for i, text := range list {
		if u, err := url.Parse(text); err == nil {
			u.User = nil
			list[i] = u.String()
		}
	}
	return strings.Join(list, ",")
}

// lasting are the options of a connection that mends itself, and notices within about 20 seconds
// that the network is cut. To send while it is broken is an error: nothing is kept for later.
func lasting(what string) []nats.Option {
	return []nats.Option{
		nats.Name(what), nats.MaxReconnects(-1), nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2), nats.ReconnectBufSize(-1),
		nats.ReconnectWait(100 * time.Millisecond), nats.ReconnectJitter(100*time.Millisecond, 100*time.Millisecond),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // otherwise to stderr
	}
}

// explain adds the place to an error of a connection, and advice where there is any.
func (a Access) explain(err error) error {
	place := a.place()
	var name *net.DNSError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, nats.ErrAuthorization) && a.Token != "":
		return fmt.Errorf("%s refuses the token: it has another one (%w)", place, err)
	case errors.Is(err, nats.ErrAuthorization):
		return fmt.Errorf("%s requires authentication (%w): pass -token-file FILE with its token", place, err)
	case errors.Is(err, nats.ErrPermissionViolation):
		return fmt.Errorf("this user lacks the rights that experiments/cluster/README.md lists (%w)", err)
	case errors.Is(err, nats.ErrNoServers), errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("nobody listens at %s (connection refused): does a tune with -listen, or a NATS server, run there, at this port?", place)
	case errors.As(err, &name):
		return fmt.Errorf("%s cannot be found: %w; is the host's name right?", place, err)
	}
	return fmt.Errorf("cannot connect to %s: %w; is it a NATS server, and does a firewall let its port through?", place, err)
}

// Listener is the NATS server within this process.
type Listener struct {
	Address string // HOST:PORT; port 0 takes a free one
	Token   string // that workers must have; beyond loopback it is required
}

// embedded is a NATS server within this process.
type embedded struct {
	server  *server.Server
	owner   string // the token of this process
	workers string // the token of workers; empty: everybody is a worker
}

// listen starts the server.
func (l Listener) listen() (*embedded, error) {
	if err := l.Check(); err != nil {
		return nil, err
	}
	free, err := net.Listen("tcp", l.Address) // the server would only log that it is not
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("cannot listen at %s: another program does (perhaps another run: choose another port, or take part in what "+
			"is there: -server nats://%[1]s)", l.Address)
	case err != nil:
		return nil, fmt.Errorf("cannot listen at %s: %w (want HOST:PORT of this machine, such as -listen 127.0.0.1:4222)", l.Address, err)
	}
	free.Close()
	address := free.Addr().(*net.TCPAddr)
	e := &embedded{owner: rand.Text(), workers: l.Token}
	options := &server.Options{
		ServerName: "tune", Host: address.IP.String(), Port: address.Port,
		MaxPayload: maxMessage, MaxSubs: 16, NoLog: true, NoSigs: true,
		CustomClientAuthentication: e,
	}
	if e.server, err = server.NewServer(options); err != nil {
		return nil, fmt.Errorf("cannot start the NATS server at %s: %w", l.Address, err)
	}
	e.server.Start()
	if !e.server.ReadyForConnections(answerWithin) {
		e.close()
		return nil, fmt.Errorf("the NATS server at %s does not start: is the address free?", l.Address)
	}
	return e, nil
}

// Check finds mistakes in the address, and a missing token.
func (l Listener) Check() error {
	address, err := net.ResolveTCPAddr("tcp", l.Address)
	switch {
	case err != nil:
		return fmt.Errorf("want HOST:PORT of this machine, such as -listen 127.0.0.1:4222, got %q", l.Address)
	case l.Token == "" && !address.IP.IsLoopback():
		return fmt.Errorf("cannot listen at %s without a token: other machines reach it (give -token-file FILE, here and to the workers; "+
			"openssl rand -hex 16 > FILE makes one; or choose 127.0.0.1)", l.Address)
	}
	return nil
}

// url is where workers on this machine reach it.
func (e *embedded) url() string { return e.server.ClientURL() }

// connect returns a connection of this process, which may do anything.
func (e *embedded) connect(what string, options ...nats.Option) (*nats.Conn, error) {
	return nats.Connect("", append(append(lasting(what), nats.InProcessServer(e.server), nats.Token(e.owner)), options...)...)
}

// close ends it.
func (e *embedded) close() {
	e.server.Shutdown()
	e.server.WaitForShutdown()
}

// Check implements server.Authentication: it checks the token of a connection. A worker's rights
// name the id that its connection gives.
func (e *embedded) Check(c server.ClientAuthentication) bool {
	same := func(token string) bool {
		return subtle.ConstantTimeCompare([]byte(c.GetOpts().Token), []byte(token)) == 1
	}
	switch {
	case same(e.owner):
		c.RegisterUser(&server.User{Username: "run"})
	case e.workers == "" || same(e.workers):
		id := strings.TrimPrefix(c.GetOpts().Name, clientPrefix)
		if _, err := nameOf(id); err != nil {
			id = newID("none")
		}
		c.RegisterUser(&server.User{Username: "worker", Permissions: &server.Permissions{
			Publish:   &server.SubjectPermission{Allow: []string{helloPrefix + id, askPrefix + "*." + id, playedPrefix + "*." + id}},
			Subscribe: &server.SubjectPermission{Allow: []string{runsSubject, inboxPrefix + id + ".>"}},
		}})
	default:
		return false
	}
	return true
}
