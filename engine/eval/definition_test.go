package eval

import "testing"

// TestEveryKindHasADefinition: every kind can be exported. An unknown kind was once exported as
// monotonicity.
func TestEveryKindHasADefinition(t *testing.T) {
	for _, kind := range Kinds() {
		f := Defaults(kind.Name)
		f.Formula = "a" // of the kind formula
		if d, err := f.Define(); err != nil || d.Line == nil && d.Cells == nil && d.Corner == nil {
			t.Errorf("%s: %+v, %v", kind.Name, d, err)
		}
	}
}
