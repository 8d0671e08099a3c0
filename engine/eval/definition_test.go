package eval

import (
	"strings"
	"testing"
)

// TestEveryKindHasADefinition: every kind can be exported, and a kind without a definition is
// refused by name. An unknown kind was once exported as monotonicity.
func TestEveryKindHasADefinition(t *testing.T) {
	for _, kind := range Kinds() {
		f := Defaults(kind.Name)
		f.Formula = "a" // of the kind formula
		if _, err := f.Define(); err != nil {
			t.Errorf("%s: %v", kind.Name, err)
		}
	}
	defer func(n int) { kinds = kinds[:n] }(len(kinds))
	kinds = append(kinds, &Kind{Name: "middle", corner: KindOf(Corner).corner})
	f := Term{Kind: "middle", Name: "mine", Weight: Fixed(1)}
	if d, err := f.Define(); err == nil || !strings.Contains(err.Error(), "mine: no definition is known of features of the kind middle") {
		t.Errorf("an unknown kind: %+v, %v", d, err)
	}
}
