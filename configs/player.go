package configs

import (
	"path/filepath"
	"time"

	"tune2048/engine/bot"
	"tune2048/engine/eval"
	"tune2048/engine/portable"
)

// readPlayer reads the section player: a bot in place of heuristic and search.
func (c *Config) readPlayer(n node) {
	f, ok := n.fields()
	if !ok {
		return
	}
	p := c.Family.Bot
	f.known = []string{"command", "answers", "timeout", "weights"}
	f.need("command", "[python3, bot.py]")
	if given, ok := f.entries["command"]; ok {
		for _, item := range given.items("[1,100] a program and its arguments") {
			argument := ""
			item.read(&argument, "argument")
			p.Command = append(p.Command, argument)
		}
	}
	f.need("answers", "moves")
	p.Answers = bot.Moves
	f.read("answers", &p.Answers, "moves|games|score")
	p.Timeout = timeoutOf(p.Answers)
	f.read("timeout", &p.Timeout, "")
	var names []string
	if given, ok := f.entries["weights"]; ok {
		given.each(false, func(name string, n node) {
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

// timeoutOf is the default time of one answer.
func timeoutOf(answers string) time.Duration {
	if answers == bot.Moves {
		return time.Minute
	}
	return 0
}
