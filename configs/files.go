package configs

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

//go:embed *.yaml champions/*.json
var embedded embed.FS

// Names lists the shipped configs, sorted.
func Names() []string { return shipped("*.yaml") }

// Champions lists the shipped champions, sorted: the record of each is champions/NAME.json.
func Champions() []string { return shipped("champions/*.json") }

// shipped lists the base names of the embedded files that match a pattern.
func shipped(pattern string) (names []string) {
	files, err := fs.Glob(embedded, pattern)
	if err != nil {
		panic(err) // of a pattern in the program itself
	}
	for _, file := range files {
		names = append(names, strings.TrimSuffix(path.Base(file), path.Ext(file)))
	}
	return names
}

// Embedded returns the file of a shipped config, comments and all. An unknown name is a [*NotFound] error.
func Embedded(name string) ([]byte, error) {
	data, err := embedded.ReadFile(strings.TrimSuffix(name, ".yaml") + ".yaml")
	if err != nil {
		return nil, &NotFound{Path: name}
	}
	return data, nil
}

// LoadEmbedded returns a shipped config. An unknown name is a [*NotFound] error.
func LoadEmbedded(name string) (*Config, error) {
	data, err := Embedded(name)
	if err != nil {
		return nil, err
	}
	return Parse(data, "embedded:"+strings.TrimSuffix(name, ".yaml")+".yaml")
}

// NotFound is the error for a config that does not exist. It is an [fs.ErrNotExist].
type NotFound struct{ Path string }

// Error says which configs are shipped and how to get one.
func (e *NotFound) Error() string {
	base := filepath.Base(e.Path)
	name := Nearest(strings.TrimSuffix(base, filepath.Ext(base)), Names())
	if name == "" {
		name = "NAME"
	}
	return fmt.Sprintf("%s: no such file; shipped configs: %s; write one here with: tune init %s",
		e.Path, strings.Join(Names(), ", "), name)
}

// Unwrap returns fs.ErrNotExist.
func (e *NotFound) Unwrap() error { return fs.ErrNotExist }

// champion returns the file of a shipped champion: champions/NAME, with or without .json.
func champion(name string) ([]byte, bool) {
	data, err := embedded.ReadFile(strings.TrimSuffix(filepath.ToSlash(name), ".json") + ".json")
	return data, err == nil
}

// ReadFile reads a file of at most maxBytes. A larger one comes back with one byte more than that, so that it is
// refused where its problems are reported. champions/NAME is the shipped champion where there is no such file.
func ReadFile(path string) ([]byte, error) {
	// Before it is opened: to open a pipe is to wait for who writes into it.
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if data, ok := champion(path); ok {
			return data, nil
		}
		if folder, name := filepath.Split(path); filepath.ToSlash(folder) == "champions/" {
			return nil, fmt.Errorf("%s: no such file; shipped champions: %s%s", path, strings.Join(Champions(), ", "), didYouMean(name, Champions()))
		}
		return nil, err
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s: is a directory, want a file", path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: is a pipe or a device, want a regular file: write its contents to one first", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return data, nil
}
