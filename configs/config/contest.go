package config

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/eval"
	"tune2048/engine/key"
	"tune2048/experiments/fitness"
)

// Contest is the config of a comparison: it identifies its games.
type Contest struct {
	Seed      uint64 // of everything random
	Rules     engine.Rules
	Searches  []engine.Settings // the deepest is the last one, see [NewContest]
	Objective fitness.Objective // of their games, by which they are compared
	Players   []Player          // in an order that does not depend on who asks, see [NewContest]
}

func (c *Contest) Keys() []key.Key {
	return []key.Key{
		{Name: "seed", To: &c.Seed, Default: uint64(2048), Range: key.Between(0, float64(maxSeed))},
		{Name: "game", To: &c.Rules, Default: engine.DefaultRules()},
		{Name: "search", To: shown(&c.Searches, c.Searches...), Range: key.Between(1, 100), Items: searches}, // none: bots, which search in their own way
		{Name: "objective", To: &c.Objective, Default: fitness.MeanScore},
		{Name: "players", To: &c.Players, Range: key.Between(1, MaxPlayers), Items: "players", Block: true,
			Example: "[{name: a, heuristic: {family: snake}}]"},
	}
}

// Player is a heuristic or a bot, with the values of its weights.
type Player struct {
	Name      string // the first user's; it identifies nothing
	Heuristic eval.Heuristic
	Values    eval.Vector
}

func (p *Player) Keys() []key.Key {
	return []key.Key{{Name: "name", To: &p.Name, Example: "a", Label: true}, eval.PlayerKey(&p.Heuristic)}
}

// WriteTo writes the player with its numbers.
func (p *Player) WriteTo(b *bytes.Buffer, w key.Writer) {
	w.Number = p.Values.Writer().Number
	w.Section(b, p)
}

// MaxPlayers is the largest number of players of a contest.
const MaxPlayers = 64

// NewPlayer returns the heuristic with these values of its weights. A bot has the files that are
// there now.
func NewPlayer(name string, heuristic eval.Heuristic, values eval.Vector, dead eval.Dead) Player {
	heuristic.Dead, heuristic.Order = dead, nil
	if heuristic.Bot != nil && heuristic.Bot.Hashes == nil {
		heuristic.Bot = new(bot.Program(*heuristic.Bot))
		heuristic.Bot.Hashes, _ = heuristic.Bot.Files() // the run of the contest begins with its error
	}
	return Player{name, heuristic, slices.Clone(values)}
}

// At returns the player at these rules.
func (p Player) At(rules engine.Rules) eval.Player {
	return eval.NewForm(rules, &p.Heuristic).Player(p.Values)
}

// NewContest sorts the players by their hashes, and the searches by their depth: the same players
// and searches make the same contest in any order. They are compared by the mean score.
func NewContest(seed uint64, rules engine.Rules, searches []engine.Settings, players []Player) *Contest {
	c := &Contest{Seed: seed, Rules: rules, Searches: slices.Clone(searches), Objective: fitness.MeanScore,
		Players: slices.Clone(players)}
	slices.SortFunc(c.Searches, func(a, b engine.Settings) int {
		return cmp.Or(cmp.Compare(a.Rule.Deepest(), b.Rule.Deepest()), strings.Compare(a.String(), b.String()))
	})
	slices.SortStableFunc(c.Players, func(a, b Player) int { return cmp.Compare(a.At(rules).Hash(), b.At(rules).Hash()) })
	c.By(c.Objective)
	return c
}

// By sets the objective, within the bounds of all players' scores: if those of one are not known,
// none are.
func (c *Contest) By(objective fitness.Objective) {
	hull := bot.Bounds{Min: math.Inf(1), Max: math.Inf(-1)}
	for _, p := range c.Players {
		var own bot.Bounds
		if p.Heuristic.Bot != nil {
			own = p.Heuristic.Bot.Score
		}
		if !own.Known() {
			hull = bot.Bounds{}
			break
		}
		hull.Min, hull.Max = min(hull.Min, own.Min), max(hull.Max, own.Max)
	}
	c.Objective = objective.Within(hull)
}

// YAML returns the contest as [ParseContest] reads it.
func (c *Contest) YAML() []byte { return []byte(key.Writer{}.YAML(c)) }

// Hash is the SHA-256 of the contest, in hexadecimal digits. The players' names are left out.
func (c *Contest) Hash() string {
	text := fmt.Sprintf("%d\n%s\n%s", c.Seed, c.Objective, c.Set())
	if b := c.Objective.Bounds(); b.Known() {
		text += fmt.Sprintf("\nscore %v to %v", b.Min, b.Max)
	}
	for _, s := range c.Searches {
		text += "\n" + s.String()
	}
	return hash(text)
}

// Set is the SHA-256 of the players, in hexadecimal digits. It salts the seeds of their games:
// games that chose a player in another set do not judge it in this one.
func (c *Contest) Set() string {
	var text []string
	for _, p := range c.Players {
		text = append(text, p.At(c.Rules).Hash())
	}
	return hash(strings.Join(text, "\n"))
}

// ParseContest reads the text of [Contest.YAML]. The path is for messages. The error lists
// all problems.
func ParseContest(data []byte, path string) (*Contest, error) {
	c := new(Contest)
	err := (&document{path: path}).read(data, func(n node) { n.section(c) })
	if err != nil {
		return nil, err
	}
	if c.By(c.Objective); len(c.Searches) == 0 {
		c.Searches = []engine.Settings{{Bot: true}}
	}
	return c, nil
}

// ParseForm reads the text of a form, and checks it. A worker reads it of another machine.
func ParseForm(data []byte) (*eval.Form, error) {
	f := &eval.Form{Heuristic: new(eval.Heuristic)}
	if err := (&document{path: "form"}).read(data, func(n node) { n.section(f) }); err != nil {
		return nil, err
	}
	return eval.NewForm(f.Rules, f.Heuristic), nil
}
