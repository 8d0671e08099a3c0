package cluster

import (
	"errors"

	"github.com/nats-io/nats.go"
)

// Access is how a NATS server is reached.
type Access struct {
	Server      string // its URL, such as nats://host:4222 or tls://host:4222
	Token       string // empty: none
	Credentials string // the file of a NATS user's credentials; empty: none
	Authority   string // a file of certificates that sign the server's; empty: those of the system
}

// connect reaches the server. The connection mends itself for ever. what is the name of the connection, for the server's operator.
func (a Access) connect(what string, options ...nats.Option) (*nats.Conn, error) {
	return nil, errors.ErrUnsupported
}
