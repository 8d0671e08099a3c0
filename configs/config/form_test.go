package config

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/eval"
)

// pick returns one of some values.
func pick[T any](r *rand.Rand, all ...T) T { return all[r.IntN(len(all))] }

// randomHeuristic draws a heuristic of up to five features of any kind and setting, or a bot.
func randomHeuristic(r *rand.Rand) *eval.Heuristic {
	h := &eval.Heuristic{Symmetry: eval.SymmetryNone}
	if r.IntN(5) == 0 {
		h.Bot = &bot.Program{Command: pick(r, []string{"./bot"}, []string{"python3", "a b\n", `"7"`, "true", "1e3"}), Answers: pick(r, bot.Moves, bot.Games, bot.Score)}
		h.Bot.Hashes = pick(r, nil, map[string]string{}, map[string]string{"./bot": "ab12", "7 : {": "0"})
		for i := range r.IntN(4) {
			h.Features = append(h.Features, eval.Term{Kind: eval.BotWeight, Name: fmt.Sprint("w", i)})
		}
	} else {
		h.Dead, h.Symmetry = pick(r, eval.Dead{Worst: true}, eval.Dead{}, eval.Dead{Value: math.Ldexp(r.Float64()-0.5, 40)}), pick(r, eval.SymmetryNone, eval.SymmetryBest)
		for i := range 1 + r.IntN(5) {
			h.Features = append(h.Features, randomTerm(r, fmt.Sprint("f", i)))
		}
	}
	for _, slot := range h.Slots() {
		*slot.Value = math.Ldexp(r.Float64(), r.IntN(40)-20)
	}
	return h
}

func randomTerm(r *rand.Rand, name string) eval.Term {
	t := eval.Defaults(pick(r, eval.Kinds()...).Name)
	t.Name = name
	for _, k := range t.Keys()[2:] {
		if k.Choices != nil {
			*k.To.(*string) = pick(r, k.Choices...)
		}
	}
	if t.Kind == eval.Formula {
		t.Over = pick(r, "", "line", "row", "column", "square", "board")
		t.Formula = pick(r, "2 < %s && %[1]s <= 7 || !(%[1]s == 3)", "choose(%s > p, 1 / %[1]s, -%[1]s)", "\n%s\t+ 1")
		tile := "a"
		if t.Over == "board" {
			tile = pick(r, "empty", "rough", "points")
		} else if r.IntN(2) == 0 {
			tile, t.Let = "two", eval.Lets{{Name: "zero", Formula: "a - a"}, {Name: "two", Formula: "zero + max(a, b)"}}
		}
		if tile == "rough" {
			t.Sums = eval.Sums{{Name: "rough", Over: pick(r, eval.Parts()[:4]...), Formula: "abs(a - b)"}}
		}
		if strings.Contains(t.Formula, "p") {
			t.Numbers = eval.Numbers{{Symbol: "p"}}
		}
		t.Formula = fmt.Sprintf(t.Formula, tile)
	}
	return t
}

// TestFormIsReadAsItIsWritten: another machine plays the very same players.
func TestFormIsReadAsItIsWritten(t *testing.T) {
	r := rand.New(rand.NewPCG(2048, 4))
	for range 300 {
		h := randomHeuristic(r)
		form := eval.NewForm(engine.Rules{FourProbability: pick(r, 0.1, 0, 1, r.Float64())}, h)
		again, err := ParseForm([]byte(form.Text))
		if err != nil {
			t.Fatalf("%v\nof\n%s", err, form.Text)
		}
		player, same := form.Player(h.Values()), again.Player(h.Values())
		if again.Text != form.Text || same.Hash() != player.Hash() || same.Text() != player.Text() {
			t.Fatalf("got\n%s\nwant\n%s", again.Text, form.Text)
		}
		if again.Rules != form.Rules || again.Heuristic.Dead != h.Dead || again.Heuristic.Symmetry != h.Symmetry {
			t.Fatalf("got %+v, want %+v of\n%s", again.Heuristic, h, form.Text)
		}
		if h.Bot != nil {
			continue
		}
		got, want := *again.Heuristic, *h
		for _, of := range []*eval.Heuristic{&got, &want} { // no game depends on the names
			*of = of.With(h.Values())
			for i := range of.Features {
				if of.Features[i].Name = ""; of.Features[i].Over == "line" {
					of.Features[i].Over = ""
				}
			}
		}
		if !reflect.DeepEqual(got.Features, want.Features) {
			t.Fatalf("got\n%+v\nwant\n%+v", got.Features, want.Features)
		}
	}
}
