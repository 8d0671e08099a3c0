package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// served awaits the line that says where a process serves, and returns the address.
func (p *process) served(t *testing.T) string {
	t.Helper()
	_, rest, _ := strings.Cut(p.await(t, " at http://"), " at http://")
	address, _, _ := strings.Cut(rest, "/")
	return address
}

func fetch(t *testing.T, address string, token string) (status int, body string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, address, nil)
	must(t, err)
	if token != "" {
		r.SetBasicAuth("", token)
	}
	answer, err := http.DefaultClient.Do(r)
	must(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(bufio.NewReader(answer.Body))
	must(t, err)
	return answer.StatusCode, string(text)
}

// TestServe: beside a run and by itself, until it is interrupted.
func TestServe(t *testing.T) {
	t.Parallel()
	folder := folderWith(t, long)
	beside := start(t, folder, "-config", "long.yaml", "-serve", "-addr", "127.0.0.1:0")
	address := beside.served(t)
	beside.await(t, ", generation ")
	if status, page := fetch(t, "http://"+address+"/runs/long", ""); status != http.StatusOK ||
		!strings.Contains(page, "long") {
		t.Errorf("beside the run: status %d: %.300s", status, page)
	}

	// The address is taken: said before a run begins.
	other := start(t, folder, "-config", "long.yaml", "-db", "other.db", "-serve", "-addr", address)
	if code, stderr := other.end(t); code != exitFailed || !strings.Contains(stderr, "another program does") ||
		!strings.Contains(stderr, "choose another address") || strings.Contains(stderr, "new run") {
		t.Errorf("exit code %d, stderr:\n%s", code, stderr)
	}

	const token = "0123456789abcdef"
	must(t, os.WriteFile(filepath.Join(folder, "token.txt"), []byte(token+"\n"), 0o600))
	alone := start(t, folder, "serve", "-addr", ":0", "-token-file", "token.txt")
	_, port, _ := strings.Cut(alone.served(t), "localhost:")
	if status, _ := fetch(t, "http://127.0.0.1:"+port+"/", ""); status != http.StatusUnauthorized {
		t.Errorf("without the token: status %d", status)
	}
	if status, page := fetch(t, "http://127.0.0.1:"+port+"/", token); status != http.StatusOK ||
		!strings.Contains(page, "running") {
		t.Errorf("with the token: status %d: %.300s", status, page)
	}

	beside.Process.Signal(os.Interrupt)
	if code, stderr := beside.end(t); code != exitInterrupted || !strings.Contains(stderr, "-addr 127.0.0.1:0 -serve") {
		t.Errorf("the run: exit code %d, stderr:\n%s", code, stderr)
	}
	if status, _ := fetch(t, "http://127.0.0.1:"+port+"/", token); status != http.StatusOK {
		t.Errorf("after the run: status %d", status)
	}
	alone.Process.Signal(syscall.SIGTERM)
	if code, stderr := alone.end(t); code != exitOK {
		t.Errorf("the server: exit code %d, stderr:\n%s", code, stderr)
	}
}
