package main

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"

	"tune2048/configs"
)

// encodings are how the same text may lie in a file. PowerShell's > writes UTF-16 with CRLF.
var encodings = map[string]func(text string) string{
	"UTF-8 with a mark": func(text string) string { return "\ufeff" + text },
	"UTF-16LE":          func(text string) string { return utf16(unicode.LittleEndian, text) },
	"UTF-16BE":          func(text string) string { return utf16(unicode.BigEndian, text) },
	"CRLF":              func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") },
	"UTF-16LE, CRLF": func(text string) string {
		return utf16(unicode.LittleEndian,
			strings.ReplaceAll(text, "\n", "\r\n"))
	},
}

func utf16(e unicode.Endianness, text string) string {
	encoded, err := unicode.UTF16(e, unicode.UseBOM).NewEncoder().String(text)
	if err != nil {
		panic(err)
	}
	return encoded
}

// TestEncodings: each kind of file that the program reads says the same in each encoding.
func TestEncodings(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many small runs")
	}
	t.Parallel()
	record, err := configs.Files.ReadFile("champions/best-depth3.json")
	must(t, err)
	const token = "0123456789abcdef"
	files := map[string]string{
		"config.yaml":  suggestedConfig + "# größer\nreferences: {other: weights.yaml}\n",
		"weights.json": "{\n\"empty\": 300,\n\"merges\": 5}\n",
		"weights.yaml": "empty: 300\nmerges: 5\n", "record.json": string(record), "token.txt": token + "\n",
		"lines": "{\"id\": \"ä\", \"weights\": {\"empty\": 300}}\n{\"id\": \"b\", \"games\": 3}\n",
	}
	small, db := filepath.Join(t.TempDir(), "small.yaml"), filepath.Join(t.TempDir(), "tune.db")
	write(t, small, suggestedConfig)
	if code, _, stderr := invoke(context.Background(), "-config", small, "-db", db); code != exitOK {
		t.Fatal(stderr)
	}
	move := []string{"move", "-json", "-board", suggestedBoard}
	kinds := map[string][]string{
		"config":              append(move, "-config", "config.yaml"),
		"weights in JSON":     append(move, "-config", small, "-weights", "weights.json"),
		"weights in YAML":     append(move, "-config", small, "-weights", "weights.yaml"),
		"weights of a record": append(move, "-weights", "record.json"),
		"record":              {"export", "record.json", "-format", "flat"},
		"lines of eval":       {"eval", "-config", small, "-games", "2"},
	}
	output := func(folder string, args []string) string {
		t.Helper()
		command := exec.Command("tune", args...)
		command.Dir = folder
		var stderr strings.Builder
		lines, err := os.Open(filepath.Join(folder, "lines"))
		must(t, err)
		defer lines.Close()
		command.Stdin, command.Stderr = lines, &stderr
		out, err := command.Output()
		if err != nil {
			return err.Error() + ": " + stderr.String()
		}
		return string(out)
	}
	plain := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(plain, name), text)
	}
	wanted := map[string]string{}
	for kind, args := range kinds {
		wanted[kind] = output(plain, args)
	}
	for encoding, encode := range encodings {
		folder := t.TempDir()
		for name, text := range files {
			write(t, filepath.Join(folder, name), encode(text))
		}
		for kind, args := range kinds {
			if got, want := output(folder, args), wanted[kind]; got != want || want == "" || strings.Contains(got, "error") {
				t.Errorf("%s in %s: got %q, want %q", kind, encoding, got, want)
			}
		}
		server := start(t, folder, "serve", "-addr", "127.0.0.1:0", "-token-file", "token.txt", "-db", db)
		if status, _ := fetch(t, "http://"+server.served(t)+"/", token); status != http.StatusOK {
			t.Errorf("token in %s: status %d", encoding, status)
		}
	}
}
