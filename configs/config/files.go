package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"tune2048/configs"
)

// SchemaFile is the name of the schema in the first line of a shipped config: it lies beside the
// config. SchemaTitle distinguishes it from other files of that name.
const (
	SchemaFile  = "schema.json"
	SchemaTitle = "A config of tune"
)

// Names lists the shipped configs, sorted.
func Names() []string { return shipped("*.yaml") }

// Champions lists the shipped champions, sorted: the record of each is champions/NAME.json.
func Champions() []string { return shipped("champions/*.json") }

// shipped lists the base names of the embedded files that match a pattern.
func shipped(pattern string) (names []string) {
	files, _ := fs.Glob(configs.Files, pattern) // the pattern is right
	for _, file := range files {
		names = append(names, strings.TrimSuffix(path.Base(file), path.Ext(file)))
	}
	return names
}

// Load reads the config file at path, and the weights files it refers to. The error for a missing
// file says how to get a shipped config. The error for wrong contents lists all problems.
func Load(path string) (*Config, error) {
	data, err := ReadFile(path)
	if os.IsNotExist(err) {
		return nil, notFound(path)
	}
	if err != nil {
		return nil, err
	}
	return parse(data, &document{path: path, open: ReadFile, own: true})
}

// Parse reads a config that names no files. Only [Load] opens the files that a config names. The
// path is for messages and for the default of the name. The error lists all that is wrong,
// each with its place.
func Parse(data []byte, path string) (*Config, error) {
	open := func(string) ([]byte, error) { // the config may be somebody else's
		return nil, errors.New("want the weights themselves: a stored config refers to no files")
	}
	return parse(data, &document{path: path, open: open})
}

// parse reads a config of a document.
func parse(data []byte, d *document) (*Config, error) {
	c := &Config{Path: d.path}
	if err := d.read(data, func(n node) { c.read(n) }); err != nil {
		return nil, err
	}
	c.identify()
	return c, nil
}

// Embedded returns the file of a shipped config, comments and all.
func Embedded(name string) ([]byte, error) {
	data, err := configs.Files.ReadFile(name + ".yaml")
	if err != nil {
		return nil, notFound(name)
	}
	return data, nil
}

// LoadEmbedded returns a shipped config.
func LoadEmbedded(name string) (*Config, error) {
	data, err := Embedded(name)
	if err != nil {
		return nil, err
	}
	return Parse(data, "embedded:"+name+".yaml")
}

// notFound says which configs are shipped and how to get one.
func notFound(path string) error {
	if _, err := os.Stat(path + ".yaml"); err == nil {
		return fmt.Errorf("%s: no such file; did you mean %[1]s.yaml?", path)
	}
	base := filepath.Base(path)
	name := Nearest(strings.TrimSuffix(base, filepath.Ext(base)), Names())
	if name == "" {
		name = "NAME"
	}
	return fmt.Errorf("%s: no such file; shipped configs: %s; write one here with: tune init %s",
		path, strings.Join(Names(), ", "), name)
}

// HasFileEnding reports whether a name ends as a file does that commands read or write. A run has
// no such name: a command could not distinguish it from the file.
func HasFileEnding(name string) bool {
	return slices.Contains([]string{".json", ".yaml", ".yml", ".csv", ".txt", ".html", ".db"},
		strings.ToLower(path.Ext(name)))
}

// CheckName refuses a name that no run can have. Only dots name a folder, so a run of that name has
// no page.
func CheckName(name string) error {
	if name != "" && strings.Trim(name, ".") == "" {
		return fmt.Errorf("want a name that is not only dots, got %s", clip(name))
	}
	if !nameForm.MatchString(name) || HasFileEnding(name) {
		return fmt.Errorf("want a name of %s, and not of a file, got %s", nameRule, clip(name))
	}
	return nil
}

// ReadFile reads a file of at most MaxBytes. A larger one comes back with one byte more, and is
// refused where its problems are noted. champions/NAME, with or without .json, is the shipped
// champion where there is no such file.
func ReadFile(path string) ([]byte, error) {
	// Before it is opened: opening a pipe waits until somebody writes to it.
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if data, err := configs.Files.ReadFile(strings.TrimSuffix(filepath.ToSlash(path), ".json") + ".json"); err == nil {
			return data, nil
		}
		if folder, name := filepath.Split(path); filepath.ToSlash(folder) == "champions/" {
			return nil, fmt.Errorf("%s: no such file; shipped champions: %s%s",
				path, strings.Join(Champions(), ", "), DidYouMean(name, Champions()))
		}
	}
	switch {
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
	data, err := io.ReadAll(io.LimitReader(Text(file), MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return data, nil
}

// Text returns a text of the user's in UTF-8 without a byte order mark. The text may be in UTF-16
// if it begins with the mark, as PowerShell's > writes it. Some editors begin UTF-8 with one, too.
func Text(r io.Reader) io.Reader {
	return transform.NewReader(r, unicode.BOMOverride(transform.Nop))
}
