package export

import (
	"bytes"
	"errors"

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
	var out bytes.Buffer
	if err := layout(&out, data, ""); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// Flat returns the weights alone, as a file of name: number.
func (r *Record) Flat() ([]byte, error) {
	data, err := json.Marshal(r.Weights, jsontext.WithIndent("  "))
	return append(data, '\n'), err
}

// lineWidth is the greatest length of a line of JSON. A list of numbers is one line of any length.
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
		if err = json.UnmarshalDecode(d, &m.Name); err == nil {
			err = json.UnmarshalDecode(d, &m.Value)
		}
		*o = append(*o, m)
	}
	if err == nil {
		_, err = d.ReadToken()
	}
	return err
}
