package configs

import (
	"errors"
	"os"
)

// Load reads the config file at path, and the weights files it refers to. A missing file is a [*NotFound] error,
// which says how to get a shipped config; what is wrong with the file's contents is [Problems].
func Load(path string) (*Config, error) {
	data, err := ReadFile(path)
	if err != nil {
		if os.IsNotExist(err) {
			return nil, &NotFound{Path: path}
		}
		return nil, err
	}
	return parse(data, path, false, ReadFile)
}

// Parse reads a config that names no files. Only [Load] opens the files that a config names. The
// path is for messages and for the default of the name. The error is [Problems]: all that is
// wrong, each with its place.
func Parse(data []byte, path string) (*Config, error) { return parse(data, path, false, noFile) }

// ParseStored is [Parse] for a config of a database or a record, as [Config.YAML] writes it. Its
// max_games may be too small for a generation: older versions played one all the same.
func ParseStored(data []byte, path string) (*Config, error) { return parse(data, path, true, noFile) }

// noFile refuses to read a file for a config that may be somebody else's.
func noFile(string) ([]byte, error) {
	return nil, errors.New("want the weights themselves: a stored config refers to no files")
}

// parse reads a config with a way to read the files that it refers to.
func parse(data []byte, path string, stored bool, read func(path string) ([]byte, error)) (*Config, error) {
	c := &Config{Path: path}
	if err := readDocument(data, path, func(n node) {
		n.doc.stored = stored
		n.section(func(s *section) { c.describe(s, read) })
	}); err != nil {
		return nil, err
	}
	c.identify()
	return c, nil
}
