package cluster

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Listener is the NATS server within this process.
type Listener struct {
	Address     string // HOST:PORT; port 0 takes a free one
	Token       string // that workers must have; beyond loopback it is required
	Certificate string // files of the certificate and the key, in PEM; empty: no TLS
	Key         string
}

// embedded is a NATS server within this process.
type embedded struct {
	server  *server.Server
	folder  string // where JetStream would keep what is not in memory
	owner   string // the token of this process
	workers string // the token of workers; empty: everybody is a worker
}

// listen starts the server.
func (l Listener) listen() (*embedded, error) {
	address, err := l.claim()
	if err != nil {
		return nil, err
	}
	e := &embedded{owner: rand.Text(), workers: l.Token}
	options := &server.Options{
		ServerName: "tune", Host: address.IP.String(), Port: address.Port,
		MaxPayload: maxMessage, JetStream: true, JetStreamMaxMemory: 1 << 30, JetStreamMaxStore: 1 << 20,
		NoLog: true, NoSigs: true,
		CustomClientAuthentication: e,
	}
	if l.Certificate != "" || l.Key != "" {
		pair, err := tls.LoadX509KeyPair(l.Certificate, l.Key)
		if err != nil {
			return nil, fmt.Errorf("cannot use the certificate %q with the key %q: %w (-tls-cert and -tls-key want PEM files)", l.Certificate, l.Key, err)
		}
		options.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
		options.TLSTimeout = answerWithin.Seconds()
	}
	if e.folder, err = os.MkdirTemp("", "tune-nats-"); err != nil {
		return nil, fmt.Errorf("cannot make a folder for the NATS server: %w", err)
	}
	options.StoreDir = e.folder
	if e.server, err = server.NewServer(options); err != nil {
		return nil, errors.Join(fmt.Errorf("cannot start the NATS server at %s: %w", l.Address, err), os.RemoveAll(e.folder))
	}
	e.server.Start()
	if !e.server.ReadyForConnections(answerWithin) || !e.server.JetStreamEnabled() {
		e.close()
		return nil, fmt.Errorf("the NATS server at %s does not start: is the address free, and can files be written in %s?", l.Address, os.TempDir())
	}
	return e, nil
}

// Check finds mistakes in the address, and a missing token.
func (l Listener) Check() error {
	host, _, err := net.SplitHostPort(l.Address)
	if err != nil {
		return fmt.Errorf("want HOST:PORT of this machine, such as -listen 127.0.0.1:4222, got %q", l.Address)
	}
	if ip := net.ParseIP(host); l.Token == "" && (host == "" || ip != nil && !ip.IsLoopback()) {
		return l.wantsToken()
	}
	return nil
}

func (l Listener) wantsToken() error {
	return fmt.Errorf("cannot listen at %s without a token: other machines reach it (give -token-file FILE, here and to the workers; "+
		"openssl rand -hex 16 > FILE makes one; or choose 127.0.0.1)", l.Address)
}

// claim finds out whether the address is free, and who can reach it. The server would only log it.
func (l Listener) claim() (*net.TCPAddr, error) {
	listener, err := net.Listen("tcp", l.Address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("cannot listen at %s: another program does (perhaps another run: choose another port, or take part in what "+
			"is there: -server nats://%[1]s)", l.Address)
	case err != nil:
		return nil, fmt.Errorf("cannot listen at %s: %w (want HOST:PORT of this machine, such as -listen 127.0.0.1:4222)", l.Address, err)
	}
	address := *listener.Addr().(*net.TCPAddr)
	if err := listener.Close(); err != nil {
		return nil, err
	}
	if !address.IP.IsLoopback() && l.Token == "" {
		return nil, l.wantsToken()
	}
	return &address, nil
}

// url is where workers on this machine reach it.
func (e *embedded) url() string { return e.server.ClientURL() }

// connect returns a connection of this process, which may do anything.
func (e *embedded) connect(what string, options ...nats.Option) (*nats.Conn, error) {
	all := append(lasting(what), nats.InProcessServer(e.server), nats.Token(e.owner))
	return nats.Connect("", append(all, options...)...)
}

// close ends it.
func (e *embedded) close() {
	e.server.Shutdown()
	e.server.WaitForShutdown()
	os.RemoveAll(e.folder)
}

// Check implements server.Authentication: it checks the token of a connection.
func (e *embedded) Check(c server.ClientAuthentication) bool {
	token := c.GetOpts().Token
	switch {
	case sameText(token, e.owner):
		c.RegisterUser(&server.User{Username: "run"})
	case e.workers == "" || sameText(token, e.workers):
		c.RegisterUser(&server.User{Username: "worker", Permissions: workerRights()})
	default:
		return false
	}
	return true
}

// sameText compares in a time that does not depend on the texts.
func sameText(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// workerRights let a worker take jobs, acknowledge them and publish results.
func workerRights() *server.Permissions {
	return &server.Permissions{
		Publish: &server.SubjectPermission{Allow: []string{
			resultsPrefix + ">", workersSubject,
			"$JS.API.CONSUMER.INFO." + jobsStream + ".*", "$JS.API.CONSUMER.MSG.NEXT." + jobsStream + ".*", "$JS.ACK." + jobsStream + ".>",
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{runsSubject, nats.InboxPrefix + ">"}},
	}
}
