package dashboard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"

	"tune2048/configs/config"
)

// DefaultAddress is where pages are served unless the user says otherwise.
const DefaultAddress = "127.0.0.1:8048"

const howToToken = "make one with: openssl rand -hex 16 > token.txt"

// ReadToken reads a token from a file.
func ReadToken(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("cannot read the token: %w (%s)", err, howToToken)
	}
	defer file.Close()
	text, err := io.ReadAll(config.Text(file))
	token := strings.TrimSpace(string(text))
	switch {
	case err != nil:
		return "", fmt.Errorf("cannot read the token: %w (%s)", err, howToToken)
	case strings.ContainsFunc(token, func(r rune) bool { return r < ' ' || r > '~' }):
		return "", fmt.Errorf("the token in %s has a character that is not printable ASCII: want letters and "+
			"digits on one line (%s)", path, howToToken)
	case len(token) < 16:
		return "", fmt.Errorf("the token in %s is too short: want at least 16 characters, got %d (%s)", path,
			len(token), howToToken)
	}
	return token, nil
}

// Listen takes an address. One that other machines reach needs a token.
func Listen(address, token string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("cannot serve at %s: another program does (perhaps another tune serve: stop it, or choose "+
			"another address: -addr 127.0.0.1:8049)", address)
	case err != nil:
		return nil, fmt.Errorf("cannot serve at %s: %w (want HOST:PORT, such as -addr %s)", address, err,
			DefaultAddress)
	}
	if at, isTCP := listener.Addr().(*net.TCPAddr); token == "" && !(isTCP && at.IP.IsLoopback()) {
		listener.Close()
		return nil, fmt.Errorf("cannot serve at %s without a token: other machines reach it (give -token-file FILE; %s; "+
			"or choose 127.0.0.1)", address, howToToken)
	}
	return listener, nil
}

// Serve answers requests until the context is done.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 2 * time.Minute,
		IdleTimeout:    2 * time.Minute,
		MaxHeaderBytes: 64 << 10,
		ErrorLog:       log.New(io.Discard, "", 0),                        // what clients do wrong is no news
		BaseContext:    func(net.Listener) context.Context { return ctx }, // ends games that are played again
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("cannot serve at %s any more: %w", listener.Addr(), err)
	case <-ctx.Done():
	}
	wait, done := context.WithTimeout(context.Background(), time.Second)
	defer done()
	if server.Shutdown(wait) != nil {
		server.Close()
	}
	return nil
}
