package config

import (
	"cmp"
	"fmt"
	"slices"

	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/experiments/fitness"
)

// Contest is the config of a comparison: it identifies its games.
type Contest struct {
	Seed      uint64            `yaml:"seed" want:"[0,9007199254740991]"` // of everything random
	Rules     engine.Rules      `yaml:"game"`
	Search    engine.Settings   `yaml:"search"`
	Objective fitness.Objective `yaml:"objective"` // of their games, by which they are compared
	// Players are in an order that does not depend on who asks, see [NewContest].
	Players []Player `yaml:"players" want:"[1,64] players" example:"[{name: a, heuristic: {family: snake}}]"`
}

// Player is a heuristic all of whose weights are fixed.
type Player struct {
	Name   string `yaml:"name" example:"a"` // the first user's; it identifies nothing
	Family eval.Heuristic
}

// MaxPlayers is the largest number of players of a contest.
const MaxPlayers = 64

// NewPlayer returns the heuristic with these values of its weights.
func NewPlayer(name string, family eval.Heuristic, values eval.Vector, dead eval.Dead) Player {
	family.Dead = dead
	return Player{Name: name, Family: family.Fix(values)}
}

// Text is the canonical text of the player without its name.
func (p Player) Text() string { return p.text(false) }

// Identity is the text with the hashes of a bot's files: equal identities are equal players.
func (p Player) Identity() string {
	if p.Family.Bot == nil {
		return p.Text()
	}
	files, _ := p.Family.Bot.Files() // the contest's run begins with its error
	return p.Text() + fmt.Sprint(files)
}

// NewContest sorts the players by their identities: the same players make the same contest in any
// order. They are compared by the mean score.
func NewContest(seed uint64, rules engine.Rules, search engine.Settings, players []Player) *Contest {
	c := &Contest{Seed: seed, Rules: rules, Search: search, Objective: fitness.MeanScore, Players: slices.Clone(players)}
	slices.SortStableFunc(c.Players, func(a, b Player) int { return cmp.Compare(a.Identity(), b.Identity()) })
	return c
}

// YAML returns the contest as [ParseContest] reads it.
func (c *Contest) YAML() []byte { return []byte(c.text(true) + "\n") }

// Hash is the SHA-256 of the contest, in hexadecimal digits. The players' names and keys at
// their default are left out.
func (c *Contest) Hash() string { return hash(c.text(false)) }

// ParseContest reads the text of [Contest.YAML]. The path is for messages. The error lists
// all problems.
func ParseContest(data []byte, path string) (*Contest, error) {
	c := &Contest{Seed: 2048, Rules: engine.DefaultRules(), Search: engine.FixedDepth(3), Objective: fitness.MeanScore}
	err := (&document{path: path}).read(data, func(n node) {
		if f, ok := n.fields(); ok {
			if given := f.entries["search"]; given.Node != nil && given.isText() &&
				given.Value == engine.BotSettings().String() {
				c.Search = engine.BotSettings()
				delete(f.entries, "search")
			}
			f.decode(c)
			f.done()
		}
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}
