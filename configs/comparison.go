package configs

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"tune2048/engine"
	"tune2048/engine/heuristic"
)

// Comparison is which games a comparison plays: all that identifies it.
type Comparison struct {
	Seed    uint64 // of everything random, in [0, 2^53)
	Rules   engine.Rules
	Search  engine.Settings
	Players []Player // in an order that does not depend on who asks, see [NewComparison]
}

// Player is who plays in a comparison: a heuristic all of whose numbers are fixed.
type Player struct {
	Name   string // what whoever asked first calls it; it identifies nothing
	Family heuristic.Family
}

// MaxPlayers is the most players of a comparison.
const MaxPlayers = 64

// NewPlayer returns the heuristic with these values of its numbers, in the order of Family.Numbers.
func NewPlayer(name string, family heuristic.Family, values []float64, dead heuristic.Dead) Player {
	family.Features = slices.Clone(family.Features)
	family.Dead = dead
	fix := func(n *heuristic.Number) {
		*n = heuristic.Fixed(values[0] + 0) // -0 is the same number as 0, and no database keeps it apart
		values = values[1:]
	}
	for i := range family.Features {
		f := &family.Features[i]
		fix(&f.Weight)
		settings, _ := heuristic.Uses(f.Kind)
		for _, setting := range settings {
			switch setting {
			case "power":
				fix(&f.Power)
			case "decay":
				fix(&f.Decay)
			case "matrix":
				for k := range 16 {
					fix(&f.Matrix[k/4][k%4])
				}
			}
		}
	}
	return Player{Name: name, Family: family}
}

// Text is the canonical text of the player without its name: equal texts are equal players.
func (p Player) Text() string {
	w := new(writer)
	w.line("dead: %s", dead(p.Family.Dead))
	w.line("symmetry: %s", p.Family.Symmetry)
	w.line("features:")
	for _, f := range p.Family.Features {
		w.line("  - {%s}", feature(f))
	}
	return w.String()
}

// NewComparison sorts the players by their texts: the same players make the same comparison in whatever order they
// are named. order has the index among the comparison's players of each of those given.
func NewComparison(seed uint64, rules engine.Rules, search engine.Settings, players []Player) (c *Comparison, order []int) {
	index := make([]int, len(players))
	for i := range index {
		index[i] = i
	}
	slices.SortStableFunc(index, func(a, b int) int { return cmp.Compare(players[a].Text(), players[b].Text()) })
	c = &Comparison{Seed: seed, Rules: rules, Search: search}
	order = make([]int, len(players))
	for at, i := range index {
		order[i] = at
		c.Players = append(c.Players, players[i])
	}
	return c, order
}

// YAML returns the comparison as [ParseComparison] reads it.
func (c *Comparison) YAML() []byte { return []byte(c.text(true)) }

// Hash is the SHA-256 of the comparison without the players' names, hexadecimal.
func (c *Comparison) Hash() string {
	sum := sha256.Sum256([]byte(c.text(false)))
	return hex.EncodeToString(sum[:])
}

func (c *Comparison) text(names bool) string {
	w := new(writer)
	w.line("seed: %d", c.Seed)
	w.line("game: {four_probability: %s}", number(c.Rules.FourProbability))
	w.line("search: %s", search(c.Search))
	w.line("players:")
	for _, p := range c.Players {
		start := "  - "
		if names {
			w.line("%sname: %q", start, p.Name)
			start = "    "
		}
		w.line("%sheuristic:", start)
		for line := range strings.Lines(p.Text()) {
			w.WriteString("      " + line)
		}
	}
	return w.String()
}

// ParseComparison reads what [Comparison.YAML] writes. The path is for messages; the error is [Problems].
func ParseComparison(data []byte, path string) (*Comparison, error) {
	doc := openDocument(data, path)
	if err := doc.err(); err != nil {
		return nil, err
	}
	c := new(Comparison)
	doc.root.comparison(c)
	if err := doc.err(); err != nil {
		return nil, err
	}
	return c, nil
}

func (v value) comparison(c *Comparison) {
	f, ok := v.fields("seed", "game", "search", "players")
	if !ok {
		return
	}
	if seed, ok := f.required("seed", "seed: 2048"); ok {
		n, _ := seed.whole(0, 1<<53-1)
		c.Seed = uint64(n)
	}
	c.Rules = f.rules()
	if s, ok := f.required("search", "search: {depth: 3}"); ok {
		c.Search, _ = s.search()
	}
	players, ok := f.required("players", "players: [{name: a, heuristic: {family: snake}}]")
	if !ok {
		return
	}
	items, _ := players.items("players", 1, MaxPlayers)
	for _, item := range items {
		p, ok := item.fields("name", "heuristic")
		if !ok {
			continue
		}
		var of Config
		if h, ok := p.required("heuristic", "heuristic: {family: snake}"); ok {
			h.heuristic(&of)
		}
		player := Player{Family: of.Family}
		if name, ok := p.required("name", "name: a"); ok {
			player.Name, _ = name.text()
		}
		c.Players = append(c.Players, player)
	}
}
