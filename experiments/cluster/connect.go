package cluster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"tune2048/engine/simulator"
)

// Access is how a NATS server is reached.
type Access struct {
	Server      string // its URL, such as nats://host:4222 or tls://host:4222; several of one cluster with commas
	Token       string // empty: none
	Credentials string // the file of a NATS user's credentials; empty: none
	Authority   string // a file of certificates that sign the server's; empty: those of the system
}

// answerWithin is how long a server may take to answer.
const answerWithin = 5 * time.Second

// unreachable is the error of a server that may be there later: a name that is not known yet, nobody who listens, no answer.
type unreachable struct{ error }

func (u unreachable) Unwrap() error { return u.error }

// connect reaches the server. The connection mends itself for ever. what is the name of the connection, for the server's operator.
// Nothing is kept for later while it is broken: what is sent then is an error, since an acknowledgement that arrives at a server
// that was started anew would be of another message.
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

// Check finds mistakes before anybody is asked: in the URL and in the files.
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
	if a.Credentials != "" {
		text, err := os.ReadFile(a.Credentials)
		if err != nil {
			return fmt.Errorf("cannot read the NATS credentials: %w (-creds)", err)
		}
		if _, err = nkeys.ParseDecoratedJWT(text); err == nil {
			_, err = nkeys.ParseDecoratedUserNKey(text)
		}
		if err != nil {
			return fmt.Errorf("there are no NATS credentials in %s: %w (-creds wants the file that nsc makes, with a JWT and a seed)", a.Credentials, err)
		}
	}
	if a.Authority != "" {
		text, err := os.ReadFile(a.Authority)
		if err != nil {
			return fmt.Errorf("cannot read the certificates for the server: %w (-tls-ca)", err)
		}
		if !x509.NewCertPool().AppendCertsFromPEM(text) {
			return fmt.Errorf("there is no certificate in %s (-tls-ca wants PEM: lines that begin with -----BEGIN CERTIFICATE-----)", a.Authority)
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

// lasting are the options of a connection that notices within about 20 seconds that the network is cut, and mends itself.
func lasting(what string) []nats.Option {
	const slowest = 10 * time.Second
	return []nats.Option{
		nats.Name(what), nats.MaxReconnects(-1), nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2), nats.ReconnectBufSize(-1),
		nats.CustomReconnectDelay(func(attempts int) time.Duration {
			wait := min(slowest, 100*time.Millisecond<<min(attempts, 10))
			return wait/2 + rand.N(wait/2)
		}),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // otherwise it writes to stderr; see Conn.LastError
	}
}

// explain says in plain words why a server cannot be reached, and what to try.
func (a Access) explain(err error) error {
	place := a.place()
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	var host x509.HostnameError
	var record tls.RecordHeaderError
	var timeout net.Error
	dialing := new(net.OpError)
	inDial := errors.As(err, &dialing) && dialing.Op == "dial"
	switch {
	case err == nil:
		return nil
	case refusesUser(err):
		switch {
		case a.Credentials != "":
			return fmt.Errorf("%s refuses the credentials in %s (%w)", place, a.Credentials, err)
		case a.Token != "":
			return fmt.Errorf("%s refuses the token: it has another one (%w)", place, err)
		}
		return fmt.Errorf("%s wants to know who connects (%w): give -token-file FILE with the token that it was started with, or -creds FILE", place, err)
	case errors.Is(err, nats.ErrNoServers), errors.Is(err, syscall.ECONNREFUSED):
		return unreachable{fmt.Errorf("nobody listens at %s (connection refused): is a tune with -listen, or a NATS server, running there, and is the port right?", place)}
	case errors.As(err, &name):
		return unreachable{fmt.Errorf("%s cannot be found: %w; is the host's name right?", place, err)}
	case errors.Is(err, nats.ErrSecureConnWanted):
		return fmt.Errorf("the server at %s speaks no TLS (%w): use nats:// and leave -tls-ca out, or start it with -tls-cert and -tls-key", place, err)
	case errors.As(err, &host):
		return fmt.Errorf("the certificate of %s is of another host: %w", place, host)
	case errors.As(err, &certificate):
		return fmt.Errorf("the certificate of %s is not known here: %w; give the file of who signed it, or of itself if it signed itself, with -tls-ca FILE",
			place, certificate.Err)
	case errors.As(err, &record), errors.Is(err, nats.ErrNoInfoReceived), errors.Is(err, nats.ErrJsonParse):
		return fmt.Errorf("what listens at %s is no NATS server (%w): is the port right?", place, err)
	case errors.As(err, &timeout) && timeout.Timeout() && !inDial:
		return unreachable{fmt.Errorf("what listens at %s does not greet as a NATS server does (%w): is the port right?", place, err)}
	case inDial:
		return unreachable{fmt.Errorf("cannot connect to %s: %w; is the host up, and does a firewall let its port through?", place, err)}
	case errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, os.ErrDeadlineExceeded):
		return unreachable{fmt.Errorf("%s ended the connection at once (%w): is it a NATS server, and is it in good health?", place, err)}
	}
	return fmt.Errorf("cannot connect to %s: %w", place, err)
}

// refusesUser tells whether the server does not let this user in.
func refusesUser(err error) bool {
	for _, refusal := range []error{
		nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked, nats.ErrAccountAuthExpired, nats.ErrNkeysNotSupported,
	} {
		if errors.Is(err, refusal) {
			return true
		}
	}
	return false
}

// Timing of jobs: one of which nobody has said for ackWait that it is played is handed to another worker.
const (
	ackWait    = 15 * time.Second
	stillEvery = 5 * time.Second
)

// prepare makes both streams, or brings them up to date.
func prepare(ctx context.Context, js jetstream.JetStream) error {
	const mostBytes = 256 << 20
	for _, stream := range []jetstream.StreamConfig{
		{Name: jobsStream, Description: "tune: games to play", Subjects: []string{jobsPrefix + ">"}, Retention: jetstream.WorkQueuePolicy},
		{Name: resultsStream, Description: "tune: what came of them", Subjects: []string{resultsPrefix + ">"}, MaxAge: 24 * time.Hour},
	} {
		stream.Storage, stream.MaxBytes, stream.Discard = jetstream.MemoryStorage, mostBytes, jetstream.DiscardNew
		stream.Duplicates = 2 * time.Minute
		within, cancel := context.WithTimeout(ctx, answerWithin)
		_, err := js.CreateOrUpdateStream(within, stream)
		cancel()
		if err != nil {
			return explainJetStream(js, "make the stream "+stream.Name, err)
		}
	}
	return nil
}

// consumerFor makes the consumer of the jobs of a signature, or brings it up to date.
func consumerFor(ctx context.Context, js jetstream.JetStream, signature string) (jetstream.Consumer, error) {
	within, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	consumer, err := js.CreateOrUpdateConsumer(within, jobsStream, jetstream.ConsumerConfig{
		Durable: signature, FilterSubject: jobsPrefix + signature + ".>", AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait,
		MaxDeliver: -1, MaxAckPending: -1, MaxWaiting: 1 << 16, // each core waits, and has a job or two
		MemoryStorage: true,
	})
	if err != nil {
		return nil, explainJetStream(js, "make the consumer of "+jobsStream, err)
	}
	return consumer, nil
}

// findConsumer finds the consumer of the jobs of this play. The error is nil and so is the consumer if there is none: no run has
// made it yet.
func findConsumer(ctx context.Context, js jetstream.JetStream) (jetstream.Consumer, error) {
	within, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	consumer, err := js.Consumer(within, jobsStream, simulator.Signature)
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound), errors.Is(err, jetstream.ErrConsumerNotFound):
		return nil, nil
	case err != nil:
		return nil, explainJetStream(js, "look for games in "+jobsStream, err)
	}
	return consumer, nil
}

// explainJetStream says in plain words why JetStream does not do what is asked, and what to try.
func explainJetStream(js jetstream.JetStream, what string, err error) error {
	place := js.Conn().ConnectedAddr() // the URL may hold a token
	var told *jetstream.APIError
	switch last := js.Conn().LastError(); {
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount), errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("cannot %s at %s: JetStream is off there, for this account at least; its operator turns it on with jetstream {} in the "+
			"server's configuration, and for an account with limits", what, place)
	case errors.Is(last, nats.ErrPermissionViolation) && errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("cannot %s at %s: this user has not the rights (%w); a run publishes and subscribes tune.>, $JS.API.>, $JS.ACK.> and _INBOX.>",
			what, place, last)
	case errors.As(err, &told) && (told.Code == 503 || told.ErrorCode == 10023 || told.ErrorCode == 10028):
		return fmt.Errorf("cannot %s at %s: %w; the account needs 512 MiB of memory for both streams", what, place, err)
	case errors.As(err, &told) && told.Code == 400:
		return fmt.Errorf("cannot %s at %s: %w; if another program, or an older tune, has made it: nats stream rm %s, while no run uses it",
			what, place, err, jobsStream)
	}
	return fmt.Errorf("cannot %s at %s: %w", what, place, err)
}
