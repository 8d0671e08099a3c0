package configs

import (
	"path/filepath"
	"time"

	"tune2048/engine/bot"
	"tune2048/engine/eval"
	"tune2048/engine/portable"
)

// playerKeys are the keys of a bot in place of heuristic and search.
type playerKeys struct {
	Command []argument     `yaml:"command" want:"[1,100] a program and its arguments" example:"[python3, bot.py]"`
	Answers string         `yaml:"answers" want:"moves|games|score" example:"moves"`
	Timeout *time.Duration `yaml:"timeout"`
	Weights node           `yaml:"weights"`
}

// argument of a command is a scalar as it is written.
type argument string

// readPlayer reads the section player.
func (c *Config) readPlayer(n node) {
	f, ok := n.fields()
	if !ok {
		return
	}
	var keys playerKeys
	f.decode(&keys)
	p := c.Family.Bot
	p.Answers = keys.Answers
	for _, x := range keys.Command {
		p.Command = append(p.Command, string(x))
	}
	if keys.Timeout != nil {
		p.Timeout = *keys.Timeout
	} else if p.Answers == bot.Moves {
		p.Timeout = time.Minute
	}
	var names []string
	if keys.Weights.Node != nil {
		keys.Weights.each(false, func(name string, n node) {
			if !nameForm.MatchString(name) {
				n.problem("want %s", nameRule)
			}
			t := eval.Term{Kind: eval.BotWeight, Name: name}
			n.weight(&t.Weight, portable.LinearScale, 0)
			c.Family.Features = append(c.Family.Features, t)
			names = append(names, name)
		})
	}
	f.done()
	folder, err := filepath.Abs(filepath.Dir(c.Path))
	if n.doc.wrong(n.key) || !n.doc.own || err != nil { // nothing runs that the user did not name
		return
	}
	p.Folder = folder
	if err := p.Check(names); err != nil {
		n.doc.refuse(n.key+".command", "%v", err)
	}
}
