package cluster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
)

// Access is how a NATS server is reached.
type Access struct {
	Server      string // its URL, such as nats://host:4222 or tls://host:4222; several with commas
	Token       string // empty: none
	Credentials string // the file of a NATS user's credentials; empty: none
	Authority   string // a file of certificates that sign the server's; empty: the system's
}

// answerWithin is how long a server may take to answer.
const answerWithin = 5 * time.Second

// connect reaches the server. The connection mends itself. what names it to the server's operator.
func (a Access) connect(what string, options ...nats.Option) (*nats.Conn, error) {
	if err := a.Check(); err != nil {
		return nil, err
	}
	all := append(lasting(what), nats.Timeout(answerWithin))
	if a.Token != "" {
		all = append(all, nats.Token(a.Token))
	}
	if a.Credentials != "" {
		all = append(all, nats.UserCredentials(a.Credentials))
	}
	if a.Authority != "" {
		all = append(all, nats.RootCAs(a.Authority))
	}
	nc, err := nats.Connect(a.Server, append(all, options...)...)
	return nc, a.explain(err)
}

// Check finds mistakes in the URL and in the files.
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
	for _, file := range []struct {
		path, want string
		holds      func([]byte) bool
	}{
		{a.Credentials, "NATS credentials, a JWT and a seed (-creds)", func(text []byte) bool {
			_, noJWT := nkeys.ParseDecoratedJWT(text)
			_, noSeed := nkeys.ParseDecoratedUserNKey(text)
			return noJWT == nil && noSeed == nil
		}},
		{a.Authority, "a certificate in PEM (-tls-ca)", x509.NewCertPool().AppendCertsFromPEM},
	} {
		if file.path == "" {
			continue
		}
		if text, err := os.ReadFile(file.path); err != nil {
			return fmt.Errorf("want %s: %w", file.want, err)
		} else if !file.holds(text) {
			return fmt.Errorf("want %s in %s", file.want, file.path)
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
	var certificate *tls.CertificateVerificationError
	switch {
	case err == nil:
		return nil
	case refusesUser(err) && a.Credentials != "":
		return fmt.Errorf("%s refuses the credentials in %s (%w)", place, a.Credentials, err)
	case refusesUser(err) && a.Token != "":
		return fmt.Errorf("%s refuses the token: it has another one (%w)", place, err)
	case refusesUser(err):
		return fmt.Errorf("%s requires authentication (%w): pass -token-file FILE with its token, or -creds FILE", place, err)
	case errors.Is(err, nats.ErrNoServers), errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("nobody listens at %s (connection refused): does a tune with -listen, or a NATS server, run there, at this port?", place)
	case errors.As(err, &name):
		return fmt.Errorf("%s cannot be found: %w; is the host's name right?", place, err)
	case errors.Is(err, nats.ErrSecureConnWanted):
		return fmt.Errorf("the server at %s speaks no TLS (%w): use nats:// without -tls-ca, or start it with -tls-cert and -tls-key",
			place, err)
	case errors.As(err, &certificate):
		return fmt.Errorf("the certificate of %s is not valid here: %w; if it signed itself, or its authority is unknown here, pass -tls-ca FILE",
			place, certificate.Err)
	}
	return fmt.Errorf("cannot connect to %s: %w; is it a NATS server, and does a firewall let its port through?", place, err)
}

// inVain reports whether another attempt to connect has the same error.
func inVain(err error) bool {
	return refusesUser(err) || errors.Is(err, nats.ErrSecureConnWanted) || errors.As(err, new(*tls.CertificateVerificationError))
}

// refusesUser reports whether the server does not let this user in.
func refusesUser(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrAuthRevoked) ||
		errors.Is(err, nats.ErrAccountAuthExpired)
}

// explainJetStream adds the place to an error of JetStream, and advice where there is any.
func explainJetStream(js jetstream.JetStream, what string, err error) error {
	place, last := js.Conn().ConnectedAddr(), js.Conn().LastError() // the URL may hold a token
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount),
		errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("cannot %s at %s: JetStream is off there, at least for this account (%w); its operator turns it on with "+
			"jetstream {} in the server's configuration, and for an account with limits", what, place, err)
	case errors.Is(last, nats.ErrPermissionViolation) && errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("cannot %s at %s: this user lacks the rights that experiments/cluster/README.md lists (%w)", what, place, last)
	}
	return fmt.Errorf("cannot %s at %s: %w", what, place, err)
}
