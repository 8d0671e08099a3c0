package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const secret = "0123456789abcdef"

// certificate makes one for 127.0.0.1 that signs itself.
func certificate(t *testing.T) (certificate, key string) {
	t.Helper()
	private := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	signed := must(x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private))
	write := func(name, kind string, content []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("cert.pem", "CERTIFICATE", signed), write("key.pem", "PRIVATE KEY", must(x509.MarshalPKCS8PrivateKey(private)))
}

// TestWhoIsLetIn: each mistake is named together with a remedy.
func TestWhoIsLetIn(t *testing.T) {
	t.Parallel()
	cert, key := certificate(t)
	otherCert, _ := certificate(t)
	open, closed := serve(t, Listener{}), serve(t, Listener{Token: secret})
	coded := serve(t, Listener{Token: secret, Certificate: cert, Key: key})
	free := must(net.Listen("tcp", "127.0.0.1:0"))
	nobody := "nats://" + free.Addr().String()
	free.Close()
	noPEM := filepath.Join(t.TempDir(), "no.pem")
	if err := os.WriteFile(noPEM, []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	plain := func(url string) string { return strings.Replace(url, "tls://", "nats://", 1) }
	for name, test := range map[string]struct {
		access Access
		want   string // in the error; empty: it is let in
	}{
		"open":                 {Access{Server: open.url()}, ""},
		"open, with a token":   {Access{Server: open.url(), Token: "any"}, ""},
		"right token":          {Access{Server: closed.url(), Token: secret}, ""},
		"wrong token":          {Access{Server: closed.url(), Token: secret + "0"}, "refuses the token"},
		"no token":             {Access{Server: closed.url()}, "-token-file"},
		"TLS":                  {Access{Server: coded.url(), Token: secret, Authority: cert}, ""},
		"TLS asked by server":  {Access{Server: plain(coded.url()), Token: secret, Authority: cert}, ""},
		"TLS, wrong token":     {Access{Server: coded.url(), Token: "x", Authority: cert}, "refuses the token"},
		"unknown certificate":  {Access{Server: coded.url(), Token: secret}, "-tls-ca"},
		"another certificate":  {Access{Server: coded.url(), Token: secret, Authority: otherCert}, "-tls-ca"},
		"no TLS there":         {Access{Server: strings.Replace(closed.url(), "nats:", "tls:", 1), Token: secret}, "speaks no TLS"},
		"no TLS, authority":    {Access{Server: closed.url(), Token: secret, Authority: cert}, "speaks no TLS"},
		"no authority file":    {Access{Server: coded.url(), Authority: "absent.pem"}, "absent.pem"},
		"no certificate in it": {Access{Server: coded.url(), Authority: noPEM}, "a certificate in PEM (-tls-ca) in " + noPEM},
		"no credentials file":  {Access{Server: closed.url(), Credentials: "absent.creds"}, "absent.creds"},
		"no credentials in it": {Access{Server: closed.url(), Credentials: noPEM}, "NATS credentials, a JWT and a seed (-creds) in " + noPEM},
		"scheme":               {Access{Server: "http://127.0.0.1:1"}, "nats://host:4222"},
		"no host":              {Access{Server: "nats://:4222"}, "no host"},
		"no URL":               {Access{Server: "nats://a b%%"}, "want a URL"},
		"nobody":               {Access{Server: nobody}, "nobody listens at " + nobody},
		"no such host":         {Access{Server: "nats://no.such.host.invalid:4222"}, "no.such.host.invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			nc, err := test.access.connect("test")
			if err == nil {
				defer nc.Close()
			}
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Fatalf("got %v, want %q", err, test.want)
			}
		})
	}
}

// TestSecretsAreNotTold: what a URL holds beside the place is in no error.
func TestSecretsAreNotTold(t *testing.T) {
	e := serve(t, Listener{Token: secret})
	for _, server := range []string{strings.Replace(e.url(), "nats://", "nats://tellnobody@", 1), "nats://tellnobody:x@ b%%", "http://tellnobody@h"} {
		if _, err := (Access{Server: server}).connect("test"); err == nil || strings.Contains(err.Error(), "tellnobody") {
			t.Errorf("got %v", err)
		}
	}
}

func TestListen(t *testing.T) {
	t.Parallel()
	cert, key := certificate(t)
	taken := serve(t, Listener{})
	for name, test := range map[string]struct {
		listener Listener
		want     string
	}{
		"all addresses":     {Listener{Address: ":0"}, "without a token"},
		"all IPv4":          {Listener{Address: "0.0.0.0:0"}, "without a token"},
		"with a token":      {Listener{Address: "0.0.0.0:0", Token: secret}, ""},
		"a name":            {Listener{Address: "localhost:0"}, ""},
		"port in use":       {Listener{Address: strings.TrimPrefix(taken.url(), "nats://")}, "another program does"},
		"no port":           {Listener{Address: "127.0.0.1"}, "want HOST:PORT"},
		"not this machine":  {Listener{Address: "192.0.2.1:0", Token: secret}, "192.0.2.1"},
		"no key":            {Listener{Address: "127.0.0.1:0", Certificate: cert}, "-tls-key"},
		"key of nothing":    {Listener{Address: "127.0.0.1:0", Key: key}, "-tls-cert"},
		"key and no key":    {Listener{Address: "127.0.0.1:0", Certificate: cert, Key: cert}, "-tls-key"},
		"certificate's key": {Listener{Address: "127.0.0.1:0", Certificate: cert, Key: key}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := test.listener.listen()
			if err == nil {
				defer e.close()
				nc, err := e.connect("test") // this process needs no TLS
				if err != nil {
					t.Fatal(err)
				}
				nc.Close()
			}
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Fatalf("got %v, want %q", err, test.want)
			}
		})
	}
}

// TestOpenIsRefused: the error names the rights that a run's user lacks.
func TestOpenIsRefused(t *testing.T) {
	t.Parallel()
	e := serve(t, Listener{})
	c, err := Open(t.Context(), Options{Access: Access{Server: e.url()}, Name: "test", Version: "test", Warn: func(string) {}}) // the rights of a worker
	if err == nil || !strings.Contains(err.Error(), "lacks the rights") {
		t.Errorf("got %v, %v", c, err)
	}
}
