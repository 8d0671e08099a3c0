package configs

import (
	"cmp"
	"slices"

	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/experiments/fitness"
)

// Contest is the config of a comparison: it identifies its games.
type Contest struct {
	Seed      uint64 // of everything random, in [0, 2^53)
	Rules     engine.Rules
	Search    engine.Settings
	Objective fitness.Objective // of their games, by which they are compared
	Players   []Player          // in an order that does not depend on who asks, see [NewContest]
}

// Player is a heuristic all of whose weights are fixed.
type Player struct {
	Name   string // the first user's; it identifies nothing
	Family eval.Heuristic
}

// MaxPlayers is the largest number of players of a contest.
const MaxPlayers = 64

// NewPlayer returns the heuristic with these values of its weights.
func NewPlayer(name string, family eval.Heuristic, values eval.Vector, dead eval.Dead) Player {
	family.Dead = dead
	return Player{Name: name, Family: family.Fix(values)}
}

// Text is the canonical text of the player without its name: equal texts are equal players.
func (p Player) Text() string { return p.text(false) }

func (p Player) text(full bool) string { return block(full, p.describe) }

func (p *Player) describe(s *section) {
	if !s.identity() {
		required(s, "name", &p.Name, "a", text())
	}
	c := Config{Family: p.Family}
	c.describeWho(s)
	p.Family = c.Family
}

// searchOrBot is a search, or the word bot.
func searchOrBot() kind[engine.Settings] {
	k, bots := search(), engine.BotSettings()
	read, text := k.read, k.text
	k.read = func(n node) (engine.Settings, bool) {
		if n.isWord(bots.String()) {
			return bots, true
		}
		return read(n)
	}
	k.text = func(x engine.Settings, full bool) string {
		if x.Bot {
			return bots.String()
		}
		return text(x, full)
	}
	return k
}

// NewContest sorts the players by their texts: the same players make the same contest in any
// order. They are compared by the mean score. order[i] is the index of players[i] in the contest.
func NewContest(seed uint64, rules engine.Rules, search engine.Settings, players []Player) (c *Contest, order []int) {
	index := make([]int, len(players))
	for i := range index {
		index[i] = i
	}
	slices.SortStableFunc(index, func(a, b int) int { return cmp.Compare(players[a].Text(), players[b].Text()) })
	c = &Contest{Seed: seed, Rules: rules, Search: search, Objective: fitness.MeanScore}
	order = make([]int, len(players))
	for at, i := range index {
		order[i] = at
		c.Players = append(c.Players, players[i])
	}
	return c, order
}

// YAML returns the contest as [ParseContest] reads it.
func (c *Contest) YAML() []byte { return []byte(block(true, c.describe) + "\n") }

// Hash is the SHA-256 of the contest, in hexadecimal digits. The players' names and keys at
// their default are left out.
func (c *Contest) Hash() string { return hash(block(false, c.describe)) }

func (c *Contest) describe(s *section) {
	entry(s, "seed", &c.Seed, 2048, whole(0, maxSeed))
	s.section("game", func(s *section) { describeRules(s, &c.Rules) })
	entry(s, "search", &c.Search, engine.FixedDepth(3), searchOrBot())
	optional(s, "objective", &c.Objective, fitness.MeanScore, objective())
	player := mapping(func(s *section, p *Player) { p.describe(s) })
	player.text = Player.text
	required(s, "players", &c.Players, "[{name: a, heuristic: {family: snake}}]", blocks("players", 1, MaxPlayers, same(player)))
}

// ParseContest reads the text of [Contest.YAML]. The path is for messages. The error lists
// all problems.
func ParseContest(data []byte, path string) (*Contest, error) {
	c := new(Contest)
	d := &document{path: path}
	if err := d.read(data, func(n node) { n.section(c.describe) }); err != nil {
		return nil, err
	}
	return c, nil
}
