package config

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"gopkg.in/yaml.v3"

	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/key"
	"tune2048/experiments/fitness"
	"tune2048/tuner"
)

// node is a YAML node of a document, with the file and key that messages name.
type node struct {
	doc        *document
	*yaml.Node            // what it says
	at         *yaml.Node // what messages point at: the value's key or, in a list, the value itself
	key        string     // full name, such as "stages[1].games"; empty for the root
}

// problem notes a problem with the value.
func (n node) problem(format string, args ...any) {
	n.doc.add(n.at.Line, n.at.Column, n.key, format, args...)
}

// want notes that the value is not what was wanted.
func (n node) want(what string) { n.problem("want %s, got %s", what, n.describe()) }

// describe names the value in messages.
func (n node) describe() string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.isNull():
		return "nothing: indent what belongs to it"
	case n.unquoted() && commaForm.MatchString(n.Value):
		return `the text "` + clip(n.Value) + `": ` + noComma
	case n.isText():
		return `the text "` + clip(n.Value) + `"`
	default:
		return clip(n.Value)
	}
}

// refuseReuse notes each alias, merge key and tag as a problem: a config says everything where it
// counts. What other tools keep in keys of their own is not looked at.
func (n node) refuseReuse() {
	switch {
	case n.Kind == yaml.AliasNode:
		n.problem("aliases are not read: write the value in place of *%s", clip(n.Value))
	case n.Style&yaml.TaggedStyle != 0 && !slices.Contains(plainTags, n.ShortTag()):
		n.problem("tags are not read: leave out %s, or put a text that begins with ! in quotes", clip(n.Tag))
	case n.isNull() && n.Anchor != "":
		n.problem("the anchor &%s has no value: put a text that begins with & in quotes", clip(n.Anchor))
	case n.isMapping():
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			child := node{n.doc, n.Content[i+1], key, n.nameOf(key.Value)}
			if key.ShortTag() == "!!merge" {
				child.problem("merge keys are not read: write the keys themselves in place of <<")
			} else if !strings.HasPrefix(key.Value, foreign) {
				child.refuseReuse()
			}
		}
	case n.Kind == yaml.SequenceNode:
		for i, item := range n.Content {
			node{n.doc, item, item, fmt.Sprintf("%s[%d]", n.key, i)}.refuseReuse()
		}
	}
}

// plainTags are the tags that change nothing that a reader of the config could mistake.
var plainTags = []string{"!!str", "!!int", "!!float", "!!bool", "!!null", "!!map", "!!seq"}

// foreign begins the keys of a section that are for other tools: nobody reads their values.
const foreign = "x-"

func (n node) isMapping() bool { return n.Kind == yaml.MappingNode }

// unquoted reports whether the value is a scalar written without quotes.
func (n node) unquoted() bool {
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	return n.Kind == yaml.ScalarNode && n.Style&quoted == 0
}

func (n node) isNull() bool { return n.unquoted() && n.ShortTag() == "!!null" }

func (n node) isText() bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" }

// isEscape reports whether a character of a text comes from an escape that nobody means: lines and
// tabs may be meant.
func isEscape(c rune) bool { return unicode.IsControl(c) && !strings.ContainsRune("\n\r\t", c) }

var (
	// YAML's other notations are refused: 010 is 8 to some readers and 10 to others.
	wholeForm  = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)$`)
	numberForm = regexp.MustCompile(`^[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$`)
	nameForm   = regexp.MustCompile(`^[A-Za-z0-9._][A-Za-z0-9._-]{0,63}$`) // not -x, as a flag is
	commaForm  = regexp.MustCompile(`^[-+]?[0-9]+(,[0-9]+)+$`)
)

const noComma = "write the number without a comma, with a point before a fraction"

// nameRule puts nameForm into words.
const nameRule = "1 to 64 characters of A-Z, a-z, 0-9, '.', '_' and '-', the first not '-'"

// value reads the value of a key. The variable keeps what it has if the value is wrong.
func (n node) value(k key.Key) {
	if k.Auto != nil && n.Kind == yaml.ScalarNode && n.Value == "auto" {
		reflect.ValueOf(k.To).Elem().Set(reflect.ValueOf(k.Auto))
		return
	}
	switch to := k.To.(type) {
	case *int:
		n.whole(to, k.Range)
	case *uint64:
		x := int(*to)
		n.whole(&x, k.Range)
		*to = uint64(x)
	case *float64:
		n.number(to, k.Range)
	case *bool:
		if word := n.text(key.Key{Choices: []string{"true", "false"}}); word != "" {
			*to = word == "true"
		}
	case *string:
		*to = cmp.Or(n.text(k), *to)
	case *[]string:
		*to = nil
		for i, item := range n.items(k) {
			switch {
			case k.Name == "command" && i == 0 && strings.ContainsFunc(item.Value, unicode.IsControl): // "C:\tools"
				item.refuseControl()
			case k.Name == "command" && item.unquoted() && !item.isNull():
				*to = append(*to, item.Value) // an argument of a command may also be a number, as it is written
			case k.Name == "command" && item.isMapping() && len(item.Content) == 2 && item.Content[1].Tag == "!!null":
				item.problem("want a text, got a mapping: write \"%s\" in quotes", "{"+clip(item.Content[0].Value)+"}")
			default:
				*to = append(*to, item.text(key.Key{}))
			}
		}
	case *map[string]float64:
		*to = map[string]float64{}
		n.each(false, func(name string, n node) { (*to)[name], _ = n.numberOr("a number in decimal digits") })
	case *map[string]string:
		*to = map[string]string{}
		n.each(true, func(name string, n node) { (*to)[name] = n.text(key.Key{}) })
	case *time.Duration:
		if d, err := time.ParseDuration(n.Value); n.Kind != yaml.ScalarNode || err != nil || d < 0 {
			n.want("a time such as 10s, 500ms or 2m; 0s: no limit")
		} else {
			*to = d
		}
	case *fitness.Objective:
		n.objective(to)
	case *eval.Dead:
		n.dead(to)
	case *eval.Number:
		if to.Symbol == "" {
			n.weight(to, tuner.RatioScale, 0, reward, penalty)
		} else {
			n.weight(to, tuner.LinearScale, 0)
		}
	case *eval.Matrix:
		n.matrix(*to)
	case *eval.Lets:
		n.each(false, func(name string, n node) {
			*to = append(*to, eval.NamedPart{Name: name, Formula: n.text(key.Key{})})
		})
	case *eval.Sums:
		n.each(true, func(name string, n node) { *to = append(*to, n.sum(name)) })
	case *eval.Numbers:
		n.each(true, func(name string, n node) {
			x := eval.Number{Symbol: name}
			n.weight(&x, tuner.LinearScale, 0)
			*to = append(*to, x)
		})
	case *eval.Shared:
		if got := len(n.Content) / 2; got > eval.MaxFeatures {
			n.problem("want at most %d, got %d", eval.MaxFeatures, got)
			return
		}
		k.To = (*eval.Numbers)(to)
		n.value(k)
		n.doc.shared = eval.Numbers(*to)
	case *eval.BotWeights:
		n.each(false, func(name string, n node) {
			if !nameForm.MatchString(name) {
				n.problem("want %s", nameRule)
			}
			x := eval.Term{Kind: eval.BotWeight, Name: name}
			n.weight(&x.Weight, tuner.LinearScale, 0)
			*to = append(*to, x)
		})
	case key.Section:
		n.section(to)
	default:
		switch v := reflect.ValueOf(to).Elem(); v.Kind() {
		case reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
			n.section(v.Interface().(key.Section))
		default: // a list of sections
			items := n.items(k)
			v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
			for i, item := range items {
				item.section(v.Index(i).Addr().Interface().(key.Section))
			}
		}
	}
}

// section reads a mapping.
func (n node) section(s key.Section) {
	switch to := s.(type) {
	case *engine.Settings:
		n.search(to, to)
	case *ValidatedSearch:
		n.search(&to.Settings, to)
	case *eval.Term:
		n.feature(to)
	case *Player:
		n.mapping(to)
		to.Values = n.doc.start()
	case *optimizer:
		n.optimizer(to.of)
	default:
		n.mapping(to)
	}
}

// mapping reads the keys of a section that has no other ones.
func (n node) mapping(s key.Section) {
	_, ends := key.Find(s, "min")
	if n.Kind == yaml.ScalarNode && !n.isNull() || ends && n.Kind == yaml.SequenceNode {
		n.problem("want a mapping such as %s, got %s%s", mappingLike(s, n.Value), n.describe(), n.asRange())
	} else if f, ok := n.fields(); ok {
		f.section(s)
		f.done()
	}
}

// whole reads a whole number of a range.
func (n node) whole(to *int, within key.Range) {
	x, err := strconv.ParseInt(n.Value, 10, 64) // out of its range it is the nearest number
	switch {
	case !n.unquoted() || !wholeForm.MatchString(n.Value):
		n.problem("want a whole number in decimal digits, got %s%s%s", n.describe(), n.unquote(), n.inDigits(true))
	case x < int64(within.Low):
		n.problem("want at least %d, got %s", int64(within.Low), clip(n.Value))
	case x > int64(within.High) || err != nil:
		n.problem("want at most %d, got %s", int64(within.High), clip(n.Value))
	default:
		*to = int(x)
	}
}

// number reads a finite number of a range.
func (n node) number(to *float64, within key.Range) {
	if x, ok := n.numberOr("a number in decimal digits"); ok && !within.Contains(x) {
		n.want("a number " + within.String())
	} else if ok {
		*to = x
	}
}

// numberOr returns any finite number. wanted is the text of the values wanted. Zero has no sign: -0
// would be another config than 0.
func (n node) numberOr(wanted string) (float64, bool) {
	x, err := strconv.ParseFloat(n.Value, 64)
	switch {
	case !n.unquoted() || !numberForm.MatchString(n.Value):
		n.problem("want %s, got %s%s", wanted, n.describe(), n.rewrite(strings.Contains(wanted, "{min")))
	case err != nil: // out of its range, and a text to YAML
		n.problem("want a number within ±1.8e+308, got %s", clip(n.Value))
	default:
		return x + 0, true
	}
	return 0, false
}

// text returns any text but the empty one, a name or one of several words. It is empty after a
// problem.
func (n node) text(k key.Key) string {
	switch {
	case k.Choices != nil && n.Kind == yaml.ScalarNode && slices.Contains(k.Choices, n.Value):
		return n.Value
	case k.Choices != nil && n.isText():
		n.problem("want %s, got %s%s", either(k.Choices), n.describe(), DidYouMean(n.Value, k.Choices))
	case k.Choices != nil:
		n.want(either(k.Choices))
	case n.isText() && strings.ContainsFunc(n.Value, isEscape):
		n.refuseControl()
	case n.isText() && n.Value != "" && (!k.Named || nameForm.MatchString(n.Value)):
		return n.Value
	case n.isText() && k.Named:
		n.want(nameRule)
	case n.isText() && n.Value == "":
		n.problem("want a text, got an empty one: leave it out")
	default:
		n.want("a text, in quotes if it looks like a number")
	}
	return ""
}

func (n node) refuseControl() {
	n.problem("want no control characters, got \"%s\": %s", clip(n.Value), noEscape)
}

// items returns the values of a list. A search may stand alone in place of a list of searches.
func (n node) items(k key.Key) (items []node) {
	switch count := len(n.Content); {
	case k.Items == searches && n.isMapping():
		return []node{n}
	case n.isMapping() && n.Style&yaml.FlowStyle == 0:
		n.want("a list of " + k.Items + ", each beginning with a - and a space")
	case n.isMapping() && k.Items == "stages":
		n.want("a list of stages: put [ ] around it")
	case n.Kind != yaml.SequenceNode:
		example := cmp.Or(k.Example,
			map[string]string{"stages": "[{generations: 20}]", "weights files": "[old.json, {weights: {empty: 270}}]"}[k.Items])
		n.want(strings.TrimSuffix("a list of "+k.Items+", such as "+example, ", such as "))
	case count != int(k.Range.Low) && k.Range.Low == k.Range.High:
		n.problem("want %s, got %d", k.Items, count)
	case count < int(k.Range.Low):
		n.problem("want at least %v, got %d", k.Range.Low, count)
	case count > int(k.Range.High):
		n.problem("want at most %v, got %d", k.Range.High, count)
	default:
		for i, item := range n.Content {
			items = append(items, node{n.doc, item, item, fmt.Sprintf("%s[%d]", n.key, i)})
			n.doc.places[items[i].key] = item
		}
	}
	return items
}

// fields are the entries of a mapping.
type fields struct {
	node
	entries map[string]node
	keys    []string  // in the order of the file, each once
	known   []string  // the keys that there are
	missing []key.Key // that must be given and are not
}

// fields returns the entries of a mapping, whatever their keys. Keys that come twice are problems.
func (n node) fields() (*fields, bool) {
	f := &fields{node: n, entries: map[string]node{}}
	if !n.isMapping() {
		n.want("a mapping (key: value)")
		return f, false
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, content := n.Content[i], n.Content[i+1]
		entry := node{n.doc, content, key, n.nameOf(key.Value)}
		switch first, twice := f.entries[key.Value]; {
		case key.Kind != yaml.ScalarNode:
			n.doc.add(key.Line, key.Column, n.key, "want a word as key, got a list or mapping as key")
		case twice:
			entry.problem("duplicate key, first on line %d: leave one of them out", first.at.Line)
		default:
			f.entries[key.Value] = entry
			f.keys = append(f.keys, key.Value)
			n.doc.places[entry.key] = key
		}
	}
	return f, true
}

// nameOf returns the full name of a key of this mapping.
func (n node) nameOf(key string) string {
	if !nameForm.MatchString(key) {
		key = `"` + clip(key) + `"`
	}
	return strings.TrimPrefix(n.key+"."+key, ".")
}

// has reports whether a key is given, however wrong its value.
func (f *fields) has(key string) bool {
	_, given := f.entries[key]
	return given
}

// section reads the keys of a section, but for those that the caller reads. A key that is left out
// gets its default. That, and which keys there are, may follow from the keys before it.
func (f *fields) section(s key.Section, others ...string) {
	for i := 0; i < len(s.Keys()); i++ {
		k := s.Keys()[i]
		f.known = append(f.known, k.Name)
		player, isPlayer := k.To.(*eval.Heuristic)
		switch given, ok := f.entries[k.Name]; {
		case slices.Contains(others, k.Name):
		case isPlayer:
			f.player(player)
		case ok:
			k.SetDefault()
			given.value(k)
		case k.Example != "":
			f.missing = append(f.missing, k)
		case k.Auto != nil:
			reflect.ValueOf(k.To).Elem().Set(reflect.ValueOf(k.Auto))
		default:
			k.SetDefault()
			if number, is := k.To.(*eval.Number); is {
				f.doc.number(number, tuner.Fixed(k.Default.(float64)))
			}
		}
	}
}

// need notes a problem if a key is missing.
func (f *fields) need(k key.Key) {
	if !f.has(k.Name) {
		f.doc.refuse(f.nameOf(k.Name), "missing: give it, such as %s: %s", k.Name, k.Example)
	}
}

// oneOf notes a problem unless exactly one of the keys is given.
func (f *fields) oneOf(keys ...string) {
	given := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !f.has(key) })
	switch {
	case len(given) == 0:
		f.doc.refuse(f.key, "want one of %s, got none of them", either(keys))
	case len(given) > 1:
		f.entries[given[1]].problem("want only one of %s, got %s", either(keys), strings.Join(given, " and "))
	}
}

// done notes each key that is missing, and each one that nobody read, but for keys of other tools.
// It does not note a missing key that the remedy of another one names.
func (f *fields) done() {
	named := map[string]bool{} // keys that are missing, by their names
	for _, key := range f.keys {
		if slices.Contains(f.known, key) || strings.HasPrefix(key, foreign) {
			continue
		}
		hint := f.remedy(key)
		for _, k := range f.missing {
			if strings.Contains(hint, "did you mean "+k.Name+"?") || strings.Contains(hint, k.Name+": ") {
				named[k.Name] = true
			}
		}
		f.entries[key].problem("unknown key%s; want %s", hint, either(f.known))
	}
	for _, k := range f.missing {
		if !named[k.Name] {
			f.need(k)
		}
	}
}

// either lists words: "a, b or c".
func either(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
