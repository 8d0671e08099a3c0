package eval_test

import (
	"math"
	"slices"
	"testing"

	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/eval"
)

// manyKinds has a feature of each way to write one.
func manyKinds() *player {
	board := formula("log(1 + empty) - rough * p", eval.Rank, 2, 0.5)
	board.Over, board.Sums = "board", eval.Sums{{Name: "rough", Over: "line", Formula: "abs(a - b)"}}
	line := formula("rise + max(a, d)", eval.Rank, -3)
	line.Let = eval.Lets{{Name: "rise", Formula: "max(b - a, 0)"}}
	position := feature(eval.Position, 1, func(f *valued) { f.matrix[1][2] = 5 })
	snake := feature(eval.Snake, 1, func(f *valued) { f.decay = 0.25 })
	f := family(feature(eval.Merges, 700, nil), feature(eval.Monotonicity, -47, nil), board, line, position, snake)
	for i := range f.Features {
		f.Features[i].Name = string(rune('a' + i))
	}
	return f
}

// aBot is a bot with two weights and one file.
func aBot() *player {
	return &player{&eval.Heuristic{Bot: &bot.Program{Command: []string{"python3", "bot.py"}, Answers: bot.Games,
		Hashes: map[string]string{"bot.py": "12"}},
		Features: []eval.Term{{Kind: eval.BotWeight, Name: "w"},
			{Kind: eval.BotWeight, Name: "v", Weight: eval.Number{At: 1}}}}, eval.Vector{1, 2}}
}

// TestHash: players whose games may differ have different hashes. Names of features, the sign of
// zero and the place where a bot lies change no game and no hash.
func TestHash(t *testing.T) {
	rules := engine.DefaultRules()
	hash := func(of func() *player, edit func(p *player)) string {
		p := of()
		edit(p)
		return eval.NewForm(rules, p.Heuristic).Player(p.values).Hash()
	}
	seen := map[string]string{}
	for of, heuristic := range map[string]func() *player{"heuristic": manyKinds, "bot": aBot} {
		whole := hash(heuristic, func(*player) {})
		differ := func(what string, edit func(*player)) {
			t.Helper()
			got := hash(heuristic, edit)
			if other, taken := seen[got]; taken || got == whole || len(got) != 32 {
				t.Errorf("%s with another %s: the hash is %s, like %s", of, what, got, other)
			}
			seen[got] = what
		}
		same := func(what string, edit func(*player)) {
			t.Helper()
			if hash(heuristic, edit) != whole {
				t.Errorf("%s with another %s: the hash is another one", of, what)
			}
		}
		h := heuristic()
		for i, name := range h.Names() {
			differ(name, func(p *player) { p.values[i] = math.Nextafter(h.values[i], 9) })
			if h.values[i] == 0 {
				same("sign of "+name, func(p *player) { p.values[i] = math.Copysign(0, -1) })
			}
		}
		for i := range h.Features {
			name := h.Features[i].Name
			for k, setting := range h.Features[i].Keys()[2:] {
				for _, word := range setting.Choices {
					if text := *setting.To.(*string); text != word {
						differ(name+"'s "+setting.Name+" "+word, func(p *player) { *p.Features[i].Keys()[2+k].To.(*string) = word })
					}
				}
			}
			if h.Bot == nil {
				same("name of "+name, func(p *player) { p.Features[i].Name = "other" })
			} else {
				differ("name of "+name, func(p *player) { p.Features[i].Name = "other" + name })
			}
		}
		rules.FourProbability = 0.2
		differ("share of fours", func(*player) {})
		rules = engine.DefaultRules()
		same("name", func(p *player) { p.Name = "other" })
		same("order", func(p *player) { p.Order = slices.Clone(p.Names()[:2]) })
	}
	board, line := 2, 3 // features
	for what, edit := range map[string]func(h *player){
		"dead":            func(h *player) { h.Dead = eval.Dead{} },
		"value of dead":   func(h *player) { h.Dead = eval.Dead{Value: 1} },
		"symmetry":        func(h *player) { h.Symmetry = eval.SymmetryBest },
		"formula":         func(h *player) { h.Features[line].Formula = "rise + max(a, c)" },
		"part":            func(h *player) { h.Features[line].Over = "row" },
		"let":             func(h *player) { h.Features[line].Let[0].Formula = "max(b - c, 0)" },
		"sum":             func(h *player) { h.Features[board].Sums[0].Formula = "abs(a - c)" },
		"part of a sum":   func(h *player) { h.Features[board].Sums[0].Over = "row" },
		"symbol":          func(h *player) { h.Features[board].Numbers[0].Symbol = "q" },
		"kind":            func(h *player) { h.Features[0].Kind = eval.Empty },
		"order of two":    func(h *player) { h.Features[0], h.Features[1] = h.Features[1], h.Features[0] },
		"feature no more": func(h *player) { h.Features = h.Features[1:]; h.values = h.values[1:] },
	} {
		if got := hash(manyKinds, func(p *player) { edit(p) }); seen[got] != "" || got == hash(manyKinds, func(*player) {}) {
			t.Errorf("another %s: the hash is that of %q, or of the heuristic itself", what, seen[got])
		} else {
			seen[got] = what
		}
	}
	for what, edit := range map[string]func(p *bot.Program){
		"command":   func(p *bot.Program) { p.Command = []string{"python3", "-u", "bot.py"} },
		"answers":   func(p *bot.Program) { p.Answers = bot.Moves },
		"file":      func(p *bot.Program) { p.Hashes = map[string]string{"bot.py": "13"} },
		"more":      func(p *bot.Program) { p.Hashes = map[string]string{"bot.py": "12", "python3": "7"} },
		"no files":  func(p *bot.Program) { p.Hashes = nil },
		"one word":  func(p *bot.Program) { p.Command = []string{"python3 bot.py"} },
		"its space": func(p *bot.Program) { p.Command = []string{"python3", "bot.py "} },
	} {
		if got := hash(aBot, func(p *player) { edit(p.Bot) }); seen[got] != "" || got == hash(aBot, func(*player) {}) {
			t.Errorf("a bot of another %s: the hash is that of %q, or of the bot itself", what, seen[got])
		} else {
			seen[got] = what
		}
	}
	if hash(aBot, func(p *player) { p.Bot.Folder, p.Bot.Timeout = "elsewhere", 7 }) != hash(aBot, func(*player) {}) {
		t.Error("the folder of a bot or its timeout changes the hash")
	}
}
