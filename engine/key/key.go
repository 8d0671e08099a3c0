// Package key declares what a config may say: each key once, with its meaning, limits and place.
//
// A [Section] lists its [Key]s, and each key points into the section. So one list serves the reader
// of configs, the [Writer], the JSON Schema, and the tables of the READMEs.
package key

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"time"
)

// Section is a mapping of a config. Its keys point to its values.
type Section interface{ Keys() []Key }

// Key is one key of a section.
type Key struct {
	Name string
	Doc  string // in Markdown
	To   any    // a pointer to the value

	// Default is the value of a key that may be left out: of the type that To points to, a number if
	// the key is Tuned, or nil if its absence has a meaning of its own. Example is what a config
	// writes for a key that must be given; only such a key has one.
	Default any
	Example string
	Auto    any // the value that a config writes as auto: it follows from other keys; nil: none

	Range   Range    // of a number, or of the length of a list; the zero Range is no limit
	Items   string   // of a list: what the items are
	Choices []string // of a word
	Named   bool     // the text is a name, such as a file may have
	Tuned   bool     // in place of the number a config may give a range
	Label   bool     // it changes no result
	Quiet   bool     // at its default it is not written: so old texts stay as they are where a key is new
	Block   bool     // YAML shows it on lines of its own
}

// Range is a range of numbers. The zero Range holds all finite numbers.
type Range struct {
	Low, High       float64
	LowOut, HighOut bool // the end itself is out of the range
}

// Between, Above and AtLeast return ranges. Above excludes its end.
func Between(low, high float64) Range { return Range{Low: low, High: high} }
func Above(low float64) Range         { return Range{Low: low, High: math.MaxFloat64, LowOut: true} }
func AtLeast(low float64) Range       { return Range{Low: low, High: math.MaxFloat64} }

// Contains reports whether the number is within the range. NaN and infinity never are.
func (r Range) Contains(x float64) bool {
	if r == (Range{}) {
		return x-x == 0
	}
	return x >= r.Low && x <= r.High && !(r.LowOut && x == r.Low) && !(r.HighOut && x == r.High)
}

// String returns the range in words: "from 0 to 1" or "more than 0 and at most 1".
func (r Range) String() string {
	low, high := "at least "+Number(r.Low), "at most "+Number(r.High)
	if r.LowOut {
		low = "more than " + Number(r.Low)
	}
	if r.HighOut {
		high = "less than " + Number(r.High)
	}
	switch {
	case r == Range{}:
		return "that is finite"
	case r.High == math.MaxFloat64:
		return low
	case !r.LowOut && !r.HighOut:
		return "from " + Number(r.Low) + " to " + Number(r.High)
	}
	return low + " and " + high
}

// Number writes a number without an exponent.
func Number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// SetDefaults gives each key that has a default this value, in their order: a default may follow
// from the keys before it.
func SetDefaults(s Section) {
	for i := range s.Keys() {
		s.Keys()[i].SetDefault()
	}
}

// SetDefault gives the key its default, if it has one. A number of a vector gets it from those who
// make the vector.
func (k Key) SetDefault() {
	if k.Default != nil && !k.Tuned {
		reflect.ValueOf(k.To).Elem().Set(reflect.ValueOf(k.Default))
	}
}

// SetNumber gives the key a number.
func (k Key) SetNumber(x float64) {
	to := reflect.ValueOf(k.To).Elem()
	to.Set(reflect.ValueOf(x).Convert(to.Type()))
}

// Value returns the value as a number.
func (k Key) Value() float64 {
	return reflect.ValueOf(k.To).Elem().Convert(reflect.TypeFor[float64]()).Float()
}

// Find returns the key of a name.
func Find(s Section, name string) (Key, bool) {
	for _, k := range s.Keys() {
		if k.Name == name {
			return k, true
		}
	}
	return Key{}, false
}

// Names returns the names of keys.
func Names(keys []Key) (names []string) {
	for _, k := range keys {
		names = append(names, k.Name)
	}
	return names
}

// Writer writes sections as JSON, which is YAML, too.
type Writer struct {
	Number func(at int) any // a number of a vector, or its range; nil: each is 1
	lines  bool             // as YAML for people, which has the keys that change no result, too
}

// Text returns the section as one line of JSON: its keys in their order, but for those that change
// no result. A key without a default whose value is the zero value is left out.
func (w Writer) Text(s Section) string {
	var b bytes.Buffer
	w.Section(&b, s)
	return b.String()
}

// YAML returns the section as a config for people: the keys of the root, and Block keys, have lines
// of their own.
func (w Writer) YAML(s Section) string {
	var b bytes.Buffer
	w.lines = true
	w.block(&b, s, "")
	return b.String()
}

// written returns the keys of a section that are written.
func (w Writer) written(s Section) (keys []Key) {
	for _, k := range s.Keys() {
		v := reflect.ValueOf(k.To).Elem()
		absent := k.Default == nil && k.Example == "" && k.Auto == nil && v.IsZero() ||
			k.Quiet && reflect.DeepEqual(v.Interface(), k.Default)
		if !absent && (w.lines || !k.Label) {
			keys = append(keys, k)
		}
	}
	return keys
}

func (w Writer) block(b *bytes.Buffer, s Section, indent string) {
	for _, k := range w.written(s) {
		v := reflect.ValueOf(k.To).Elem()
		nested, isSection := v.Addr().Interface().(Section)
		switch b.WriteString(indent + k.Name + ":"); {
		case k.Block && isSection:
			b.WriteByte('\n')
			w.block(b, nested, indent+"  ")
		case k.Block && v.Kind() == reflect.Slice:
			b.WriteByte('\n')
			for i := range v.Len() {
				b.WriteString(indent + "  - ")
				w.value(b, v.Index(i), k)
				b.WriteByte('\n')
			}
		default:
			b.WriteByte(' ')
			w.value(b, v, k)
			b.WriteByte('\n')
		}
	}
}

// Section writes a section on one line.
func (w Writer) Section(b *bytes.Buffer, s Section) {
	b.WriteByte('{')
	for i, k := range w.written(s) {
		if i > 0 {
			b.WriteString(", ")
		}
		if w.lines {
			b.WriteString(k.Name)
		} else {
			w.Value(b, k.Name)
		}
		b.WriteString(": ")
		w.value(b, reflect.ValueOf(k.To).Elem(), k)
	}
	b.WriteByte('}')
}

// value writes a value of a key, which is addressable.
func (w Writer) value(b *bytes.Buffer, v reflect.Value, k Key) {
	switch x := v.Addr().Interface().(type) {
	case interface{ WriteTo(*bytes.Buffer, Writer) }, Section:
		w.any(b, x)
		return
	case *time.Duration:
		b.WriteString(w.Word(x.String()))
		return
	case *map[string]float64:
		names := slices.Sorted(maps.Keys(*x))
		w.Mapping(b, len(names), func(i int) (string, any) { return names[i], (*x)[names[i]] })
		return
	}
	switch {
	case k.Auto != nil && v.Interface() == k.Auto:
		b.WriteString(w.Word("auto"))
	case k.Choices != nil && v.Kind() == reflect.String:
		b.WriteString(w.Word(v.String()))
	case v.Kind() == reflect.Pointer:
		w.value(b, v.Elem(), k)
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
		b.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				b.WriteString(", ")
			}
			w.value(b, v.Index(i), k)
		}
		b.WriteByte(']')
	default:
		w.Value(b, v.Interface())
	}
}

// JSON returns the value of a key as JSON.
func (w Writer) JSON(k Key) []byte {
	var b bytes.Buffer
	w.value(&b, reflect.ValueOf(k.To).Elem(), k)
	return b.Bytes()
}

// Word returns a word of the language: YAML wants no quotes.
func (w Writer) Word(text string) string {
	if w.lines {
		return text
	}
	return strconv.Quote(text)
}

// Mapping writes n entries in their order. The value of an entry may write itself, be a section, or
// neither.
func (w Writer) Mapping(b *bytes.Buffer, n int, entry func(i int) (name string, value any)) {
	b.WriteByte('{')
	for i := range n {
		name, value := entry(i)
		if i > 0 {
			b.WriteString(", ")
		}
		w.Value(b, name)
		b.WriteString(": ")
		w.any(b, value)
	}
	b.WriteByte('}')
}

// WriteNumber writes a number of a vector.
func (w Writer) WriteNumber(b *bytes.Buffer, at int) {
	if w.Number == nil {
		w.Value(b, 1)
	} else {
		w.any(b, w.Number(at))
	}
}

func (w Writer) any(b *bytes.Buffer, value any) {
	switch x := value.(type) {
	case interface{ WriteTo(*bytes.Buffer, Writer) }:
		x.WriteTo(b, w)
	case Section:
		w.Section(b, x)
	default:
		w.Value(b, value)
	}
}

// Value writes a value that is no section as JSON. Its numbers are finite.
func (w Writer) Value(b *bytes.Buffer, x any) {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(x); err != nil {
		panic(fmt.Sprint("key: ", err))
	}
	b.Truncate(b.Len() - 1) // the end of the line
}
