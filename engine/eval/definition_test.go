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

// TestLimitsOfRepeatedParts: an exporter asks of each node whether it is certain to have a result.
// Each part has the one before eight times, so its tree has more nodes than anybody can visit.
func TestLimitsOfRepeatedParts(t *testing.T) {
	f := Defaults(Formula)
	f.Formula, f.Weight = "p0", 1
	f.Let = []NamedPart{{Name: "p0", Formula: "pow(b, a)"}}
	d, err := f.Define()
	if err != nil {
		t.Fatal(err)
	}
	e := d.Line
	for range 16 {
		for range 3 {
			e = &Expression{Name: "max", Operands: []*Expression{e, e}, of: e.of, set: e.set}
		}
	}
	if d.Certain("line", e) != d.Certain("line", d.Line) {
		t.Error("a part is certain, and its repetition is not")
	}
}
