package cluster

import (
	"net"
	"strings"
	"testing"
)

const secret = "0123456789abcdef"

// TestWhoIsLetIn: each mistake is named together with a remedy.
func TestWhoIsLetIn(t *testing.T) {
	t.Parallel()
	open, closed := serve(t, Access{}), serve(t, Access{Token: secret})
	free := must(net.Listen("tcp", "127.0.0.1:0"))
	nobody := "nats://" + free.Addr().String()
	free.Close()
	for name, test := range map[string]struct {
		access Access
		want   string // in the error; empty: it is let in
	}{
		"open":               {Access{Server: open.ClientURL()}, ""},
		"open, with a token": {Access{Server: open.ClientURL(), Token: "any"}, ""},
		"right token":        {Access{Server: closed.ClientURL(), Token: secret}, ""},
		"wrong token":        {Access{Server: closed.ClientURL(), Token: secret + "0"}, "refuses the token"},
		"no token":           {Access{Server: closed.ClientURL()}, "-token-file"},
		"scheme":             {Access{Server: "http://127.0.0.1:1"}, "nats://host:4222"},
		"no host":            {Access{Server: "nats://:4222"}, "no host"},
		"no URL":             {Access{Server: "nats://a b%%"}, "want a URL"},
		"nobody":             {Access{Server: nobody}, "nobody listens at " + nobody},
		"no such host":       {Access{Server: "nats://no.such.host.invalid:4222"}, "no.such.host.invalid"},
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
	e := serve(t, Access{Token: secret})
	for _, server := range []string{strings.Replace(e.ClientURL(), "nats://", "nats://tellnobody@", 1), "nats://tellnobody:x@ b%%", "http://tellnobody@h"} {
		if _, err := (Access{Server: server}).connect("test"); err == nil || strings.Contains(err.Error(), "tellnobody") {
			t.Errorf("got %v", err)
		}
	}
}

func TestListen(t *testing.T) {
	t.Parallel()
	taken := serve(t, Access{})
	for name, test := range map[string]struct {
		listener Access
		want     string
	}{
		"all addresses":    {Access{Listen: ":0"}, "without a token"},
		"all IPv4":         {Access{Listen: "0.0.0.0:0"}, "without a token"},
		"with a token":     {Access{Listen: "0.0.0.0:0", Token: secret}, ""},
		"a name":           {Access{Listen: "localhost:0"}, ""},
		"port in use":      {Access{Listen: strings.TrimPrefix(taken.ClientURL(), "nats://")}, "another program does"},
		"no port":          {Access{Listen: "127.0.0.1"}, "want HOST:PORT"},
		"not this machine": {Access{Listen: "192.0.2.1:0", Token: secret}, "192.0.2.1"},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := test.listener.listen()
			if err == nil {
				defer e.close()
				nc, err := e.connect("test")
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
	e := serve(t, Access{})
	c, err := Open(t.Context(), Options{Access: Access{Server: e.ClientURL()}, Name: "test", Version: "test", Warn: func(string) {}}) // the rights of a worker
	if err == nil || !strings.Contains(err.Error(), "lacks the rights") {
		t.Errorf("got %v, %v", c, err)
	}
}
