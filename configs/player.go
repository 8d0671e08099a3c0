package configs

import (
	"path/filepath"
	"time"

	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/eval"
	"tune2048/engine/portable"
)

// maxArguments bounds a command line.
const maxArguments = 100

// describePlayer describes the section player: a bot in place of heuristic and search.
func (c *Config) describePlayer(s *section) {
	p := c.Family.Bot
	required(s, "command", &p.Command, "[python3, bot.py]", list("a program and its arguments", 1, maxArguments, same(argument())))
	required(s, "answers", &p.Answers, bot.Moves, word(bot.Moves, bot.Games, bot.Score))
	if !s.identity() {
		standard := time.Duration(0)
		if p.Answers == bot.Moves {
			standard = time.Minute
		}
		s.doc = "of one answer, the first one with the start of the program: 10s or 2m; by default 60s for moves, and none, 0s, for games and score"
		entry(s, "timeout", &p.Timeout, standard, duration())
	}
	optional(s, "weights", &c.Family.Features, nil, botWeights())
	if !s.sound() {
		return
	}
	folder, err := filepath.Abs(filepath.Dir(c.Path))
	if !s.mapping.doc.own || err != nil { // nothing runs that the user did not name
		return
	}
	p.Folder = folder
	var names []string
	for _, f := range c.Family.Features {
		names = append(names, f.Name)
	}
	if err := p.Check(names); err != nil {
		s.refuse("command", "%v", err)
	}
}

// describeWho describes the player: a heuristic that this program plays, or a bot.
func (c *Config) describeWho(s *section) {
	if s.by == maker {
		c.describeHeuristic(s)
		player := Config{Family: eval.Heuristic{Bot: new(bot.Program)}}
		s.note("player", schemaOf(player.describePlayer))
		delete(s.schema, "required")
		s.oneOf("heuristic", "player")
		return
	}
	if c.Family.Bot == nil && !s.has("player") {
		c.describeHeuristic(s)
		s.known = append(s.known, "player")
		return
	}
	if s.by == reader {
		c.Family = eval.Heuristic{Bot: new(bot.Program), Symmetry: eval.SymmetryNone}
		if s.known = append(s.known, "heuristic"); s.has("heuristic") {
			s.refuse("heuristic", "want heuristic or player, got both")
		}
	}
	required(s, "player", c, "{command: [python3, bot.py], answers: moves}", kind[Config]{
		read: func(n node) (Config, bool) {
			n.section(c.describePlayer)
			return *c, true
		},
		text: func(_ Config, full bool) string { return indented(full, c.describePlayer) },
	})
}

// botWeights are the numbers that a bot gets, by their names and in the order of the file.
func botWeights() kind[[]eval.Term] {
	number := weight(portable.LinearScale)
	return named(kind[eval.Term]{
		read: func(n node) (eval.Term, bool) {
			if !nameForm.MatchString(n.at.Value) {
				n.problem("want %s", nameRule)
			}
			w, ok := number.read(n)
			return eval.Term{Kind: eval.BotWeight, Weight: w}, ok
		},
		text:   func(f eval.Term, full bool) string { return number.text(f.Weight, full) },
		schema: number.schema,
	}, false, func(f *eval.Term) *string { return &f.Name })
}

// argument is a scalar as it is written.
func argument() kind[string] {
	k := text()
	read := k.read
	k.read = func(n node) (string, bool) {
		if n.unquoted() && !n.isNull() && !n.isText() {
			return n.yaml.Value, true
		}
		return read(n)
	}
	k.schema = func() object { return object{"type": []string{"string", "number", "boolean"}} }
	return k
}

// duration is a time such as 10s, 500ms or 2m.
func duration() kind[time.Duration] {
	return kind[time.Duration]{
		read: func(n node) (time.Duration, bool) {
			d, err := time.ParseDuration(n.yaml.Value)
			if !n.isScalar() || err != nil || d < 0 {
				n.want("a time such as 10s, 500ms or 2m; 0s: no limit")
				return 0, false
			}
			return d, true
		},
		text:   func(d time.Duration, _ bool) string { return d.String() },
		schema: func() object { return object{"type": "string"} },
	}
}

// searchOf describes the search of a phase. A bot searches in its own way.
func (c *Config) searchOf(s *section, to *engine.Settings, standard engine.Settings) {
	if c.Family.Bot == nil {
		entry(s, "search", to, standard, search())
		return
	}
	if *to = engine.BotSettings(); s.has("search") {
		s.known = append(s.known, "search")
		s.refuse("search", "want none: a player searches in its own way")
	}
}
