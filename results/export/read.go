package export

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"tune2048/configs/config"
	"tune2048/engine/eval"
	"tune2048/results"
)

var recordMark = regexp.MustCompile(`^\s*\{(?s:.*)"format"\s*:\s*"` + recordFormat + `"`)

// IsRecord reports whether a file seems to be a record, of any version, whole or cut short.
func IsRecord(data []byte) bool { return recordMark.Match(data) }

// Read reads a record as [Record.JSON] writes it, in any layout and order. It reads the config, the
// weights and the held-out games. Heuristic, game, search and objective follow from the config and
// the weights, so what the file says of them is ignored, and so are unknown keys. An error names
// the key, and the place if the JSON or a type is wrong: "line 12, column 3: ...".
func Read(data []byte) (*Record, error) {
	var head struct {
		Format  any `json:"format"`
		Version any `json:"version"`
	}
	if len(data) > config.MaxBytes {
		return nil, errors.New("the file is larger than 1 MB")
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, place(data, err)
	}
	if head.Format != recordFormat {
		return nil, fmt.Errorf("format: want %q, which tune export writes, got %s", recordFormat, text(head.Format))
	}
	if given, isNumber := head.Version.(float64); given != recordVersion {
		hint := ""
		if isNumber && given > recordVersion {
			hint = ": it was written by a newer version of tune, which can read it"
		}
		return nil, fmt.Errorf("version: want %d, got %s%s", recordVersion, text(head.Version), hint)
	}
	r := new(Record)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, place(data, err)
	}
	c, err := config.Parse([]byte(r.Config), "config")
	if err != nil {
		return nil, err
	}
	dead := eval.Dead{Worst: r.Dead == "worst"}
	if !dead.Worst {
		value, isNumber := r.Dead.(float64)
		if !isNumber {
			return nil, fmt.Errorf("dead: want \"worst\" or a number, got %s", text(r.Dead))
		}
		dead.Value = value + 0
	}
	named := r.Weights.Map()
	if err := r.derive(c, named, dead); err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	for _, w := range r.Weights {
		if _, given := named[w.Name]; !given {
			return nil, fmt.Errorf("weights.%s: missing", w.Name)
		}
	}
	for i, h := range r.HeldOut {
		if h.Games < 1 || h.Games > config.MaxGames {
			return nil, fmt.Errorf("held_out[%d].games: want 1 to %d, got %d", i, config.MaxGames, h.Games)
		}
	}
	return r, nil
}

// text writes a JSON value for a message, 60 characters of it at most.
func text(v any) string {
	if v == nil || v == "" {
		return "nothing"
	}
	data, _ := json.Marshal(v, json.Deterministic(true)) // it was read from JSON
	return results.Escape(fmt.Sprintf("%.60s", data), "")
}

// place says where in the data an error of the JSON parser is, by line and column.
func place(data []byte, err error) error {
	var syntactic *jsontext.SyntacticError
	var semantic *json.SemanticError
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the file is cut off: export it again")
	}
	offset := int64(len(data))
	if errors.As(err, &syntactic) {
		offset = syntactic.ByteOffset
	} else if errors.As(err, &semantic) {
		offset = semantic.ByteOffset
	}
	before := data[:min(max(offset, 0), int64(len(data)))]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	reason := strings.Replace(err.Error(), "json: unable to", "json: cannot", 1) // it draws lots for the word
	return fmt.Errorf("line %d, column %d: %s", bytes.Count(before, []byte("\n"))+1, len([]rune(string(line)))+1,
		results.Escape(reason, ""))
}
