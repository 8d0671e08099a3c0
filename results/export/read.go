package export

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/experiments"
)

var recordMark = regexp.MustCompile(`^\s*\{(?s:.*)"format"\s*:\s*"` + recordFormat + `"`)

// IsRecord reports whether a file seems to be a record, of any version, whole or cut short.
func IsRecord(data []byte) bool { return recordMark.Match(data) }

// Read reads a record as [Record.JSON] writes it, in any layout and order. It refuses a key that is
// missing, unknown or given twice, and a value that does not follow from the config and the
// weights. An error names the key, and the place if the JSON or a type is wrong: "line 12, column
// 3: ...".
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
	read := new(Record)
	if err := json.Unmarshal(data, read, json.RejectUnknownMembers(true)); err != nil {
		return nil, place(data, err)
	}
	r, err := read.follow()
	if err != nil {
		return nil, err
	}
	own, err := json.Marshal(r, json.FormatNilSliceAsNull(true))
	return r, errors.Join(err, differ(own, data))
}

// mostGames is the most held-out games of a record.
const mostGames = 4_000_000

// follow returns the record with all that follows from its config and weights.
func (r *Record) follow() (*Record, error) {
	if r.Config == "" {
		return nil, errors.New("config: missing")
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
	if r.Config != string(c.YAML()) { // an older program wrote it, with its own hash
		full.ConfigHash = r.ConfigHash
	}
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
			if len(shares) == 0 && c.Heuristic.Bot != nil {
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
		if len(h.Scores) > 0 && slices.Min(h.Scores) < 0 && c.Heuristic.Bot == nil {
			return nil, fmt.Errorf("%sscores: want at least 0, got %v", at, slices.Min(h.Scores))
		}
	}
	return full, nil
}

// differ returns the first difference between two JSON objects, by the order of their names.
func differ(own, data jsontext.Value) error {
	var want, got map[string]jsontext.Value
	own, data = own.Clone(), data.Clone()
	if err := errors.Join(own.Canonicalize(), data.Canonicalize(), json.Unmarshal(own, &want),
		json.Unmarshal(data, &got)); err != nil {
		return err
	}
	all := maps.Clone(want)
	maps.Copy(all, got)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		w, g, same := string(want[name]), string(got[name]), 0
		if w == g {
			continue
		}
		for same < min(len(w), len(g)) && w[same] == g[same] {
			same++
		}
		from := max(0, same-30)
		return fmt.Errorf("%s: want %s, as config and weights say, got %s (to try other weights, give their names and numbers alone, "+
			"as tune export -format flat does)", name, short(w[from:]), short(g[from:]))
	}
	return nil
}

// text writes a JSON value for a message.
func text(v any) string {
	data, _ := json.Marshal(v, json.Deterministic(true)) // it was read from JSON
	return short(string(data))
}

// short makes a text of somebody else's harmless within a message, 60 characters of it at most.
func short(text string) string {
	if text == "" || text == "null" {
		return "nothing"
	}
	if runes := []rune(text); len(runes) > 60 {
		text = string(runes[:60]) + "..."
	}
	return escape(text)
}

// escape makes a text of somebody else's harmless within a message.
func escape(text string) string {
	quoted := strconv.Quote(text)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// place says where in the data an error of the JSON parser is, by line and column.
func place(data []byte, err error) error {
	var syntactic *jsontext.SyntacticError
	var semantic *json.SemanticError
	offset := int64(len(data))
	if errors.As(err, &syntactic) {
		offset = syntactic.ByteOffset
	} else if errors.As(err, &semantic) {
		offset = semantic.ByteOffset
	}
	before := data[:min(max(offset, 0), int64(len(data)))]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	reason := strings.Replace(err.Error(), "json: unable to", "json: cannot", 1) // it draws lots for the word
	return fmt.Errorf("line %d, column %d: %s", bytes.Count(before, []byte("\n"))+1, len([]rune(string(line)))+1, escape(reason))
}
