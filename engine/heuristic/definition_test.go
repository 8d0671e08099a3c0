package heuristic

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestEveryKindHasItsOwnDefinition: the formula by which a line feature is exported has the values
// of its definition, for every kind and every word that it takes. A kind without a definition is
// refused by name.
func TestEveryKindHasItsOwnDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var boards [200][4][4]int
	for i := range boards {
		for cell := range 16 {
			boards[i][cell/4][cell%4] = random.IntN(6) * random.IntN(2) // half of the cells are blank, many tiles are equal
		}
	}
	for _, kind := range Kinds() {
		if kind.line == nil {
			f := Defaults(kind.Name)
			f.Formula = "a" // of the kind formula
			if _, err := f.Define(); err != nil {
				t.Errorf("%s: %v", kind.Name, err)
			}
			continue
		}
		variants := []Feature{Defaults(kind.Name)}
		for _, s := range kind.Settings {
			if s.Word == nil {
				continue
			}
			for _, word := range s.Choices {
				f := Defaults(kind.Name)
				*s.Word(&f) = word
				variants = append(variants, f)
			}
		}
		for _, f := range variants {
			f.Weight, f.Power = Fixed(1), Fixed(1)
			if _, err := f.Define(); err != nil {
				t.Errorf("%s: %v", kind.Name, err)
				continue
			}
			written := Defaults(Formula)
			written.Formula = f.asFormula()
			if kind.uses("tile") {
				written.Tile = f.Tile
			}
			for _, board := range boards {
				if got, want := written.byDefinition(&board), f.byDefinition(&board); got != want {
					t.Fatalf("%+v of %v: %q has %v, the definition %v", f, board, written.Formula, got, want)
				}
			}
		}
	}

	defer func(n int) { kinds = kinds[:n] }(len(kinds))
	kinds = append(kinds, &Kind{Name: "ridge", line: KindOf(Line).line}, &Kind{Name: "middle", corner: KindOf(Corner).corner})
	for _, name := range []string{"ridge", "middle"} {
		f := Feature{Kind: name, Name: "mine", Weight: Fixed(1)}
		if d, err := f.Define(); err == nil || !strings.Contains(err.Error(), "mine: no definition is known of features of the kind "+name) {
			t.Errorf("an unknown kind: %+v, %v", d, err)
		}
	}
}
