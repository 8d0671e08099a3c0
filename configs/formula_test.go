package configs

import (
	"math/rand/v2"
	"strings"
	"testing"

	"tune2048/engine/heuristic"
)

// nneonneoAsFormulas are nneonneo.yaml's features, with p for the power in what the tables of the README say of the built-in ones.
const nneonneoAsFormulas = `
heuristic:
  dead: 0
  features:
    - {feature: line, weight: 200000}
    - {feature: formula, name: empty, line: "(a == 0) + (b == 0) + (c == 0) + (d == 0)", weight: {min: 10, max: 10000, start: 270, scale: log}}
    - {feature: formula, name: merges, line: runs, weight: {min: 10, max: 10000, start: 700, scale: log}}
    - feature: formula
      name: monotonicity
      tile: rank
      line: "min(max(B-A, 0) + max(C-B, 0) + max(D-C, 0), max(A-B, 0) + max(B-C, 0) + max(C-D, 0))"
      weight: {min: -300, max: 0, start: -47}
      numbers: {power: {min: 2, max: 6, start: 4}}
    - feature: formula
      name: sum
      tile: rank
      line: A + B + C + D
      weight: {min: -400, max: 0, start: -11}
      numbers: {power: {min: 1.5, max: 5.5, start: 3.5}}
`

// TestFormulasOfNneonneo: as formulas the features have the same names and tables bit by bit, whatever the weights, so they play the
// same games.
func TestFormulasOfNneonneo(t *testing.T) {
	c, err := LoadEmbedded("nneonneo")
	if err != nil {
		t.Fatal(err)
	}
	powers := strings.NewReplacer("A", "pow(a, power)", "B", "pow(b, power)", "C", "pow(c, power)", "D", "pow(d, power)")
	built, formulas := &c.Family, &load(t, powers.Replace(nneonneoAsFormulas)).Family
	weights := built.Weights()
	for i, w := range formulas.Weights() {
		if w.Name != weights[i].Name {
			t.Fatalf("weight %d is called %s, want %s", i, w.Name, weights[i].Name)
		}
	}
	of, ofFormulas := heuristic.NewCompiler(built), heuristic.NewCompiler(formulas)
	random := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		v := built.Start()
		for i, w := range weights {
			if w.Tunable {
				v[i] = w.Min + random.Float64()*(w.Max-w.Min)
			}
		}
		want, err := of.Compile(v, built.Dead)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ofFormulas.Compile(v, formulas.Dead)
		if err != nil {
			t.Fatal(err)
		}
		if got.Bits != want.Bits || *got.Lines != *want.Lines || got.Dead != want.Dead {
			t.Fatalf("weights %v: %d fraction bits, want %d", v, got.Bits, want.Bits)
		}
	}
}
