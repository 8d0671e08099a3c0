package cluster

import (
	"errors"

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
type embedded struct{ server *server.Server }

// listen starts the server.
func (l Listener) listen() (*embedded, error) { return nil, errors.ErrUnsupported }

// url is where workers on this machine reach it.
func (e *embedded) url() string { return e.server.ClientURL() }

// connect is a connection of this process, which may do anything.
func (e *embedded) connect(what string, options ...nats.Option) (*nats.Conn, error) {
	return nil, errors.ErrUnsupported
}

// close ends it.
func (e *embedded) close() {}
