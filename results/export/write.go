package export

import (
	"bytes"
	"errors"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// JSON returns the record as a file. A key of the top level begins a line. A deeper value is on one
// line if it fits.
func (r *Record) JSON() ([]byte, error) {
	data, err := json.Marshal(r, json.Deterministic(true), json.FormatNilSliceAsNull(true))
	if err != nil {
		return nil, err
	}
	return []byte(layout(data, "") + "\n"), nil
}

// Flat returns the weights alone, as a file of name: number.
func (r *Record) Flat() ([]byte, error) {
	data, err := json.Marshal(r.Weights, jsontext.WithIndent("  "))
	return append(data, '\n'), err
}

// lineWidth is the greatest length of a line of JSON. A list of numbers is one line of any length.
const lineWidth = 130

// layout writes a value that is valid JSON in the style of JSON, so no error is possible.
func layout(value jsontext.Value, indent string) string {
	line := value.Clone()
	_ = line.Format(jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true))
	deep := len(indent) > 2
	numbers := line.Kind() == '[' && !bytes.ContainsAny(line[1:], `["{`)
	if kind := line.Kind(); kind != '{' && kind != '[' || len(line) == 2 || numbers || deep && len(line) <= lineWidth {
		return string(line)
	}
	d := jsontext.NewDecoder(bytes.NewReader(value))
	open, _ := d.ReadToken()
	var lines []string
	for d.PeekKind() != '}' && d.PeekKind() != ']' {
		name := ""
		if open.Kind() == '{' {
			key, _ := d.ReadValue()
			name = string(key) + ": "
		}
		element, _ := d.ReadValue()
		lines = append(lines, indent+"  "+name+layout(element.Clone(), indent+"  "))
	}
	end, _ := d.ReadToken()
	return open.String() + "\n" + strings.Join(lines, ",\n") + "\n" + indent + end.String()
}

// Ordered is a JSON object whose members keep their order.
type Ordered[V any] []member[V]

type member[V any] struct {
	Name  string
	Value V
}

// Map returns the values by name.
func (o Ordered[V]) Map() map[string]V {
	values := map[string]V{}
	for _, m := range o {
		values[m.Name] = m.Value
	}
	return values
}

// MarshalJSONTo writes the object.
func (o Ordered[V]) MarshalJSONTo(e *jsontext.Encoder) error {
	err := e.WriteToken(jsontext.BeginObject)
	for _, m := range o {
		err = errors.Join(err, e.WriteToken(jsontext.String(m.Name)),
			json.MarshalEncode(e, m.Value, json.Deterministic(true)))
	}
	return errors.Join(err, e.WriteToken(jsontext.EndObject))
}

// UnmarshalJSONFrom reads an object. null has no members.
func (o *Ordered[V]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*o = nil
	if d.PeekKind() != '{' {
		return json.UnmarshalDecode(d, new(map[string]V))
	}
	_, err := d.ReadToken()
	for err == nil && d.PeekKind() != '}' {
		var m member[V]
		err = json.UnmarshalDecode(d, &m.Name)
		if err == nil {
			err = json.UnmarshalDecode(d, &m.Value)
		}
		*o = append(*o, m)
	}
	if err == nil {
		_, err = d.ReadToken()
	}
	return err
}
