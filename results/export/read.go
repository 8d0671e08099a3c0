package export

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/experiments"
)

// IsRecord reports whether a file seems to be a record, of any version, whole or cut short.
func IsRecord(data []byte) bool {
	d := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true))
	for {
		token, err := d.ReadToken()
		if err != nil {
			return false
		}
		if d.StackPointer() == "/format" && token.String() == recordFormat {
			return true
		}
	}
}

// Read reads a record as [Record.JSON] writes it, in any layout and order. It refuses a key that is
// missing, unknown or given twice, and a value that does not follow from the config and the
// weights. An error names the key, and the place if the JSON or a type is wrong: "line 12, column
// 3: weights.empty: ...".
func Read(data []byte) (*Record, error) {
	var all any
	if len(data) > configs.MaxBytes {
		return nil, errors.New("the file is larger than 1 MB")
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, place(data, err)
	}
	head, _ := all.(map[string]any)
	if head["format"] != recordFormat {
		return nil, fmt.Errorf("format: want %q, which tune export writes, got %s", recordFormat, text(head["format"]))
	}
	if given, isNumber := head["version"].(float64); given != recordVersion {
		hint := ""
		if isNumber && given > recordVersion {
			hint = ": it was written by a newer version of tune, which can read it"
		}
		return nil, fmt.Errorf("version: want %d, got %s%s", recordVersion, text(head["version"]), hint)
	}
	read := new(Record)
	if err := json.Unmarshal(data, read, json.RejectUnknownMembers(true)); err != nil {
		return nil, place(data, err)
	}
	r, err := read.follow()
	if err != nil {
		return nil, err
	}
	own, err := json.Marshal(r, json.FormatNilSliceAsNull(true))
	var want any
	if err := errors.Join(err, json.Unmarshal(own, &want)); err != nil {
		return nil, err
	}
	return r, differ("", want, all)
}

// mostGames is the most held-out games of a record.
const mostGames = 4_000_000

// follow returns the record with all that follows from its config and weights.
func (r *Record) follow() (*Record, error) {
	if r.Config == "" {
		return nil, errors.New("config: missing")
	}
	c, err := configs.Parse([]byte(r.Config), "config")
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
	full, err := derive(c, r.Config, named, dead)
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	for _, w := range full.Weights {
		if _, given := named[w.Name]; !given {
			return nil, fmt.Errorf("weights.%s: missing", w.Name)
		}
	}
	if r.Candidate < 0 || r.Candidate >= experiments.MaxCandidates {
		return nil, fmt.Errorf("candidate: want 0 to %d, got %d", experiments.MaxCandidates-1, r.Candidate)
	}
	if r.HeldOut == nil {
		return nil, errors.New("held_out: want a list, got nothing")
	}
	full.Run, full.Candidate, full.Role, full.Origin = r.Run, r.Candidate, r.Role, r.Origin
	full.HeldOut, full.HeldOutSalt, full.Signature, full.Fingerprint, full.Unrepeatable = r.HeldOut, r.HeldOutSalt,
		r.Signature, r.Fingerprint, r.Unrepeatable
	for i, h := range r.HeldOut {
		at := fmt.Sprintf("held_out[%d].", i)
		if slices.ContainsFunc(r.HeldOut[:i], func(other HeldOut) bool { return other.Search == h.Search }) {
			return nil, fmt.Errorf("%ssearch: %s is given twice", at, text(h.Search))
		}
		if !slices.ContainsFunc(c.Validation.Searches(),
			func(s engine.Settings) bool { return s.String() == h.Search }) {
			return nil, fmt.Errorf("%ssearch: want one that the config validates, got %s", at, text(h.Search))
		}
		if h.Games < 1 || h.Games > mostGames {
			return nil, fmt.Errorf("%sgames: want 1 to %d, got %d", at, mostGames, h.Games)
		}
		shares := h.Reach.Map()
		full.HeldOut[i].Reach = nil // now in the order of the tiles
		for _, tile := range experiments.Tiles {
			if len(shares) == 0 && c.Family.Bot != nil {
				break
			}
			share, given := shares[strconv.Itoa(tile)]
			if !given || !(share >= 0 && share <= 1) || len(shares) != len(experiments.Tiles) {
				return nil, fmt.Errorf("%sreach: want a share, 0 to 1, for each tile from 128 to 65536", at)
			}
			full.HeldOut[i].Reach = append(full.HeldOut[i].Reach, member[float64]{strconv.Itoa(tile), share})
		}
		if n := min(h.Games, maxScores); h.Scores != nil && len(h.Scores) != n {
			return nil, fmt.Errorf("%sscores: want the scores of %d games, or null, got %d", at, n, len(h.Scores))
		}
		if len(h.Scores) > 0 && slices.Min(h.Scores) < 0 && c.Family.Bot == nil {
			return nil, fmt.Errorf("%sscores: want at least 0, got %v", at, slices.Min(h.Scores))
		}
	}
	return full, nil
}

// differ returns the first difference between two JSON values, by the order of the names.
func differ(at string, want, got any) error {
	switch want := want.(type) {
	case map[string]any:
		got, isObject := got.(map[string]any)
		if !isObject {
			return fmt.Errorf("%s: want an object", at)
		}
		names := slices.Sorted(maps.Keys(want))
		for _, name := range names {
			value, given := got[name]
			if !given {
				return fmt.Errorf("%s: missing", join(at, name))
			}
			if err := differ(join(at, name), want[name], value); err != nil {
				return err
			}
		}
		for _, name := range slices.Sorted(maps.Keys(got)) {
			if _, known := want[name]; !known {
				return fmt.Errorf("%s: unknown; want %s", join(at, name), strings.Join(names, ", "))
			}
		}
		return nil
	case []any:
		got, isList := got.([]any)
		if !isList || len(got) != len(want) {
			return fmt.Errorf("%s: want a list of %d", at, len(want))
		}
		for i := range want {
			if err := differ(fmt.Sprintf("%s[%d]", at, i), want[i], got[i]); err != nil {
				return err
			}
		}
		return nil
	}
	if !reflect.DeepEqual(want, got) {
		return fmt.Errorf("%s: want %s, as config and weights say, got %s (to try other weights, give their names and numbers alone, "+
			"as tune export -format flat does)", at, text(want), text(got))
	}
	return nil
}

func join(at, name string) string {
	name = escape(name)
	if at == "" {
		return name
	}
	return at + "." + name
}

// text writes a JSON value for a message, 60 characters of it at most.
func text(v any) string {
	if v == nil {
		return "nothing"
	}
	data, _ := json.Marshal(v, json.Deterministic(true)) // it was read from JSON
	short := []rune(string(data))
	if len(short) > 60 {
		short = append(short[:60], []rune("...")...)
	}
	return escape(string(short))
}

// escape makes a text of somebody else's harmless within a message.
func escape(text string) string {
	quoted := strconv.Quote(text)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// place says where in the data an error of the JSON parser is, by line, column and name.
func place(data []byte, err error) error {
	var (
		syntactic *jsontext.SyntacticError
		semantic  *json.SemanticError
		offset    int64
		pointer   jsontext.Pointer
		reason    string
	)
	switch {
	case errors.As(err, &syntactic):
		offset, pointer, reason = syntactic.ByteOffset, syntactic.JSONPointer, syntactic.Err.Error()
		switch {
		case errors.Is(err, jsontext.ErrDuplicateName):
			reason = "given twice"
		case strings.Contains(reason, "unexpected EOF"):
			reason = "the file is cut short"
		}
	case errors.As(err, &semantic):
		offset, pointer = semantic.ByteOffset, semantic.JSONPointer
		switch {
		case errors.Is(err, json.ErrUnknownName):
			reason = "unknown"
		case errors.Is(err, strconv.ErrRange):
			reason = "want a number within ±1.8e+308"
		case semantic.JSONValue != nil:
			reason = fmt.Sprintf("want %s, got %s", wanted(semantic.GoType), escape(string(semantic.JSONValue)))
		case semantic.JSONKind != 0:
			reason = fmt.Sprintf("want %s, got %s", wanted(semantic.GoType), kinds[semantic.JSONKind])
		default:
			reason = semantic.Err.Error()
		}
	default:
		offset, reason = int64(len(data)), "the file is cut short"
	}
	before := data[:min(max(offset, 0), int64(len(data)))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len([]rune(string(before[bytes.LastIndexByte(before, '\n')+1:]))) + 1
	name := ""
	for token := range pointer.Tokens() {
		if _, err := strconv.Atoi(token); err == nil { // of a list
			name += "[" + token + "]"
		} else {
			name = join(name, token)
		}
	}
	if name != "" {
		name += ": "
	}
	return fmt.Errorf("line %d, column %d: %s%s", line, column, name, reason)
}

var kinds = map[jsontext.Kind]string{'n': "null", 't': "true", 'f': "false", '"': "a text", '0': "a number",
	'{': "an object", '[': "a list"}

// wanted says which JSON a Go type is.
func wanted(t reflect.Type) string {
	if t != nil {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		switch t.Kind() {
		case reflect.Int:
			return "a whole number"
		case reflect.Float64:
			return "a number"
		case reflect.String:
			return "a text"
		case reflect.Slice, reflect.Array:
			return "a list"
		}
	}
	return "an object"
}
