package cluster

import (
	"errors"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
)

const secret = "0123456789abcdef"

// TestSecretsAreNotTold: what a URL holds beside the place is in no error.
func TestSecretsAreNotTold(t *testing.T) {
	e := serve(t, Access{Token: secret})
	_, refused := Access{Server: strings.Replace(e.ClientURL(), "nats://", "nats://tellnobody@", 1)}.connect("test")
	for _, err := range []error{refused, Access{Server: "nats://tellnobody:x@ b%%"}.Check(),
		Access{Server: "http://tellnobody@h"}.Check()} {
		if err == nil || strings.Contains(err.Error(), "tellnobody") {
			t.Errorf("got %v", err)
		}
	}
}

// TestWorkerWithoutID: a connection that gives no id of its own may say nothing.
func TestWorkerWithoutID(t *testing.T) {
	e := serve(t, Access{})
	for _, id := range []string{"", "w", "*." + newID("")[1:], "w.*", "w.>", "w." + strings.Repeat("*", 26), ">", "*.*"} {
		nc := must(Access{Server: e.ClientURL()}.connect(clientPrefix + id))
		must(nc.SubscribeSync(inboxPrefix + "*.>"))
		must(0, nc.Publish(helloPrefix+"w.x", nil))
		must(0, nc.Flush())
		if err := nc.LastError(); !errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("id %q: %v", id, err)
		}
		nc.Close()
	}
}
