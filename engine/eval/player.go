package eval

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"strconv"

	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/key"
)

// A player is a form and a vector. The form has all that its games depend on beside its numbers,
// the search and the seed. So equal forms and vectors play equal games, in whatever run.

// Form is a heuristic without its numbers, or a bot with its command and the hashes of its files;
// with the rules, and with the worth of a position without a legal move. It does not change, and
// goroutines may share it.
type Form struct {
	Rules     engine.Rules
	Heuristic *Heuristic

	// Text is canonical: JSON that the reader of configs reads, with each number 1. Features have
	// the name of their kind, with _2, _3 and so on behind it where the kind comes again.
	Text string
	hash []byte
}

// Player is a form with the values of its weights.
type Player struct {
	*Form
	Values Vector
}

// NewForm returns the form of a heuristic at these rules.
func NewForm(rules engine.Rules, h *Heuristic) *Form {
	shared := *h
	shared.Order = nil
	f := &Form{Rules: rules, Heuristic: &shared}
	f.Text = f.text(key.Writer{})
	text := f.Text
	for i := 0; shared.Bot == nil && i < len(shared.Features); i++ { // rounded otherwise once: those games are another player's
		if p, problem := shared.Features[i].parse(); problem == nil && p.split {
			text += "\nlinear formulas over the board are formulas over lines"
			break
		}
	}
	sum := sha256.Sum256([]byte(text))
	f.hash = sum[:]
	return f
}

// Player returns the form with these values of its weights, and keeps them. -0 becomes 0: they are
// the same weight, and no database distinguishes them.
func (f *Form) Player(values Vector) Player {
	for i, x := range values {
		if x == 0 && math.Signbit(x) { // others may read a vector without it at the same time
			values[i] = 0
		}
	}
	return Player{f, values}
}

// WithDead returns the form with another worth of a position without a legal move.
func (f *Form) WithDead(dead Dead) *Form {
	if dead == f.Heuristic.Dead {
		return f
	}
	other := *f.Heuristic
	other.Dead = dead
	return NewForm(f.Rules, &other)
}

// Text is the player as the form's text, with the numbers.
func (p Player) Text() string { return p.text(p.Values.Writer()) }

// Writer returns a writer of heuristics that writes these numbers.
func (v Vector) Writer() key.Writer { return key.Writer{Number: func(at int) any { return v[at] }} }

// Hash returns 32 hexadecimal digits that name the player.
func (p Player) Hash() string {
	data := append([]byte(nil), p.hash...)
	for _, x := range p.Values {
		data = binary.BigEndian.AppendUint64(data, math.Float64bits(x))
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// text is the form with canonical names and the writer's numbers. A bot knows its weights by their
// names, which stay. The bounds of its scores change no game.
func (f *Form) text(w key.Writer) string {
	h := *f.Heuristic
	h.Features = slices.Clone(h.Features)
	if h.Bot != nil {
		h.Bot = new(bot.Program(*h.Bot))
		h.Bot.Score = bot.Bounds{}
	}
	again := map[string]int{}
	for i := range h.Features {
		if f := &h.Features[i]; f.Kind != BotWeight {
			f.Name = f.Kind
			again[f.Kind]++
			if again[f.Kind] > 1 {
				f.Name += "_" + strconv.Itoa(again[f.Kind])
			}
		}
	}
	return w.Text(&Form{Rules: f.Rules, Heuristic: &h})
}

// Keys returns the keys of the form's text, which is a config of nothing but the player.
func (f *Form) Keys() []key.Key {
	all := []key.Key{{Name: "game", To: &f.Rules, Default: engine.DefaultRules()}, PlayerKey(f.Heuristic)}
	if f.Heuristic.Bot != nil {
		all = append(all, key.Key{Name: "files", Doc: "the SHA-256 of each file that the bot's command names",
			To: &f.Heuristic.Bot.Hashes})
	}
	return all
}

// PlayerKey returns the key heuristic, or the key player of a bot.
func PlayerKey(h *Heuristic) key.Key {
	if h.Bot != nil {
		return key.Key{Name: "player", Doc: "a bot, in place of heuristic and search", To: h, Block: true,
			Example: "{command: [python3, bot.py], answers: moves}"}
	}
	return key.Key{Name: "heuristic", Doc: "features with weights, which this program plays", To: h, Block: true,
		Example: "{family: nneonneo}"}
}

// Keys returns the keys of the section heuristic, or of the section player for a bot.
func (h *Heuristic) Keys() []key.Key {
	order := key.Key{Name: "order", Doc: "names of weights with one range and one scale: candidates have them in " +
		"ascending order",
		To: &h.Order, Range: key.Between(2, 256), Items: "names of weights"}
	if h.Bot != nil {
		return append(h.Bot.Keys(), key.Key{Name: "weights", Doc: "numbers that the bot gets, by name",
			To: (*BotWeights)(&h.Features), Tuned: true}, order)
	}
	return []key.Key{
		{Name: "family", Doc: "what the heuristic is called; without features, the shipped config whose heuristic is meant",
			To: &h.Name, Named: true, Label: true},
		{Name: "dead", Doc: "the value of a position without a legal move: a number, or `worst`, below all others",
			To: &h.Dead, Default: Dead{Worst: true}},
		{Name: "symmetry", Doc: "`best` takes the best of the board's 8 orientations", To: &h.Symmetry, Default: SymmetryNone,
			Choices: []string{SymmetryNone, SymmetryBest}},
		{Name: "numbers", Doc: "numbers that features share: write the name in place of a number", To: (*Shared)(&h.Numbers),
			Tuned: true},
		{Name: "features", Doc: "the terms of the sum", To: &h.Features, Example: "[{feature: empty}]",
			Range: key.Between(1, MaxFeatures), Items: "features", Block: true},
		order,
	}
}

// BotWeights are the features of a bot: its weights by name.
type BotWeights []Term

// WriteTo writes the value as a config has it.
func (d *Dead) WriteTo(b *bytes.Buffer, w key.Writer) {
	if d.Worst {
		b.WriteString(w.Word("worst"))
	} else {
		w.Value(b, d.Value)
	}
}

// Shared are the numbers that features share.
type Shared Numbers

func (n *Number) WriteTo(b *bytes.Buffer, w key.Writer) {
	if n.Shared != "" {
		w.Value(b, n.Shared)
	} else {
		w.WriteNumber(b, n.At)
	}
}

func (m *Matrix) WriteTo(b *bytes.Buffer, w key.Writer) {
	before := "[["
	for i := range *m {
		b.WriteString(before)
		(*m)[i].WriteTo(b, w)
		before = ", "
		if i%4 == 3 {
			before = "], ["
		}
	}
	b.WriteString("]]")
}

func (all *BotWeights) WriteTo(b *bytes.Buffer, w key.Writer) {
	w.Mapping(b, len(*all), func(i int) (string, any) { return (*all)[i].Name, &(*all)[i].Weight })
}

func (all *Numbers) WriteTo(b *bytes.Buffer, w key.Writer) {
	w.Mapping(b, len(*all), func(i int) (string, any) { return (*all)[i].Symbol, &(*all)[i] })
}

func (all *Shared) WriteTo(b *bytes.Buffer, w key.Writer) { (*Numbers)(all).WriteTo(b, w) }

func (all *Lets) WriteTo(b *bytes.Buffer, w key.Writer) {
	w.Mapping(b, len(*all), func(i int) (string, any) { return (*all)[i].Name, (*all)[i].Formula })
}

func (all *Sums) WriteTo(b *bytes.Buffer, w key.Writer) {
	w.Mapping(b, len(*all), func(i int) (string, any) {
		x := (*all)[i]
		return x.Name, map[string]string{x.Over: x.Formula}
	})
}
