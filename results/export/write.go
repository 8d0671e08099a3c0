package export

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"tune2048/engine/heuristic"
	"tune2048/experiments"
)

// JSON returns the record as a file: what the top level has is a line each, what lies deeper is on one line as far as it fits.
func (r *Record) JSON() ([]byte, error) {
	data, err := json.Marshal(r, json.Deterministic(true), json.FormatNilSliceAsNull(true))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := layout(&out, data, ""); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// Flat returns the weights alone, as a file of name: number.
func (r *Record) Flat() ([]byte, error) {
	data, err := json.Marshal(r.Weights)
	if err != nil {
		return nil, err
	}
	value := jsontext.Value(data)
	err = value.Indent(jsontext.WithIndent("  "))
	return append(value, '\n'), err
}

// lineWidth is how long a line of JSON may be; a list of numbers is one however long it is.
const lineWidth = 130

// layout writes a value in the style of JSON.
func layout(out *bytes.Buffer, value jsontext.Value, indent string) error {
	line := value.Clone()
	if err := line.Format(jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true)); err != nil {
		return err
	}
	deep := len(indent) > 2
	numbers := line.Kind() == '[' && !bytes.ContainsAny(line[1:], `["{`)
	if kind := line.Kind(); kind != '{' && kind != '[' || len(line) == 2 || numbers || deep && len(line) <= lineWidth {
		out.Write(line)
		return nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(value))
	open, err := d.ReadToken()
	if err != nil {
		return err
	}
	out.WriteString(open.String())
	for separator := "\n"; d.PeekKind() != '}' && d.PeekKind() != ']'; separator = ",\n" {
		out.WriteString(separator + indent + "  ")
		if open.Kind() == '{' {
			name, err := d.ReadValue()
			if err != nil {
				return err
			}
			out.Write(name)
			out.WriteString(": ")
		}
		element, err := d.ReadValue()
		if err == nil {
			err = layout(out, element.Clone(), indent+"  ")
		}
		if err != nil {
			return err
		}
	}
	end, err := d.ReadToken()
	out.WriteString("\n" + indent + end.String())
	return err
}

// MarshalJSONTo writes the weights as one object, in their order.
func (w Weights) MarshalJSONTo(e *jsontext.Encoder) error {
	if err := e.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, weight := range w {
		if err := member(e, weight.Name, weight.Value); err != nil {
			return err
		}
	}
	return e.WriteToken(jsontext.EndObject)
}

// UnmarshalJSONFrom reads what MarshalJSONTo writes.
func (w *Weights) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*w = nil
	return members(d, func(name string) error {
		var value float64
		err := json.UnmarshalDecode(d, &value)
		*w = append(*w, Weight{name, value})
		return err
	})
}

// MarshalJSONTo writes the feature as an object with its settings, in the order of its kind.
func (f Feature) MarshalJSONTo(e *jsontext.Encoder) error {
	if err := e.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	if err := member(e, "feature", f.Feature); err != nil {
		return err
	}
	if err := member(e, "name", f.Name); err != nil {
		return err
	}
	keys := slices.Sorted(maps.Keys(f.Settings))
	if kind := heuristic.KindOf(f.Feature); kind != nil {
		place := func(key string) int {
			return slices.IndexFunc(kind.Settings, func(s *heuristic.Setting) bool { return s.Key == key })
		}
		slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
	}
	for _, key := range keys {
		if err := member(e, key, f.Settings[key]); err != nil {
			return err
		}
	}
	return e.WriteToken(jsontext.EndObject)
}

// UnmarshalJSONFrom reads what MarshalJSONTo writes.
func (f *Feature) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*f = Feature{Settings: map[string]any{}}
	return members(d, func(name string) error {
		switch name {
		case "feature":
			return json.UnmarshalDecode(d, &f.Feature)
		case "name":
			return json.UnmarshalDecode(d, &f.Name)
		}
		var value any
		err := json.UnmarshalDecode(d, &value)
		f.Settings[name] = value
		return err
	})
}

// Reach is the share of games by the tile that they reach: "2048".
type Reach map[string]float64

// ReachOf turns counts of games, in the order of experiments.Tiles, into shares.
func ReachOf(reached [len(experiments.Tiles)]int, games int) Reach {
	r := Reach{}
	for i, tile := range experiments.Tiles {
		r[strconv.Itoa(tile)] = float64(reached[i]) / float64(games)
	}
	return r
}

// MarshalJSON writes the shares in the order of the tiles.
func (r Reach) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := jsontext.NewEncoder(&b)
	if err := e.WriteToken(jsontext.BeginObject); err != nil {
		return nil, err
	}
	tiles := slices.SortedFunc(maps.Keys(r), func(a, b string) int {
		x, _ := strconv.Atoi(a)
		y, _ := strconv.Atoi(b)
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
	})
	for _, tile := range tiles {
		if err := member(e, tile, r[tile]); err != nil {
			return nil, err
		}
	}
	err := e.WriteToken(jsontext.EndObject)
	return b.Bytes(), err
}

// member writes a member of an object.
func member(e *jsontext.Encoder, name string, value any) error {
	if err := e.WriteToken(jsontext.String(name)); err != nil {
		return err
	}
	return json.MarshalEncode(e, value, json.Deterministic(true))
}

// members reads an object; read reads the value of a name.
func members(d *jsontext.Decoder, read func(name string) error) error {
	if kind := d.PeekKind(); kind != '{' {
		if kind == 0 {
			_, err := d.ReadToken()
			return err
		}
		return &json.SemanticError{JSONKind: kind, JSONPointer: d.StackPointer(), ByteOffset: d.InputOffset(), Err: errNoObject}
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return err
		}
		if err := read(name.String()); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}
