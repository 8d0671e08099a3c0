package tuner

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Parameter{Name: "p", Scale: rapid.SampledFrom([]string{"linear", "log", "ratio"}).Draw(t, "scale")}
		if p.Scale == "log" {
			p.Min = rapid.Float64Range(1e-6, 1e6).Draw(t, "min")
			p.Max = p.Min * rapid.Float64Range(1.001, 1e6).Draw(t, "ratio")
			if rapid.Bool().Draw(t, "below 0") {
				p.Min, p.Max = -p.Max, -p.Min
			}
		} else {
			p.Min = rapid.Float64Range(-1e6, 1e6).Draw(t, "min")
			p.Max = p.Min + rapid.Float64Range(1e-3, 1e6).Draw(t, "width")
		}
		p.Start = p.Min
		s := NewSpace([]Parameter{p})
		u := rapid.Float64Range(0, 1).Draw(t, "u")
		value := s.Values([]float64{u})[0]
		if value < p.Min || value > p.Max {
			t.Fatalf("value %v is outside [%v, %v]", value, p.Min, p.Max)
		}
		// Rounding moves a point by at most 1e-4 of the range, whatever the range.
		back := s.Unit([]float64{value})[0]
		if math.Abs(back-u) > 1e-4 {
			t.Fatalf("%v gave %v, which gave %v", u, value, back)
		}
		// Rounded values are fixed points, up to the rounding of the edges and of places.
		if again := s.Values([]float64{back})[0]; math.Abs(again-value) > 1.5e-5*math.Abs(value)+1e-15*(p.Max-p.Min) {
			t.Fatalf("%v gave %v and then %v", u, value, again)
		}
		for edge, want := range []float64{p.Min, p.Max} {
			if v := s.Values([]float64{float64(edge)})[0]; math.Abs(v-want) > 1e-5*math.Abs(want) {
				t.Fatalf("the edge %v is %v", want, v)
			}
		}
		// Coordinates outside are mirrored: even, of period 2, and nowhere steeper than the
		// identity.
		u = rapid.Float64Range(-1e6, 1e6).Draw(t, "outside")
		if r := mirrored(u); !(r >= 0 && r <= 1) || mirrored(-u) != r || math.Abs(mirrored(u+2)-r) > 1e-9 || math.Abs(mirrored(u+0.01)-r) > 0.01+1e-9 {
			t.Fatalf("mirrored(%v) = %v, of %v: %v, of %v: %v", u, r, u+2, mirrored(u+2), u+0.01, mirrored(u+0.01))
		}
	})
}

func TestValuesAreReadable(t *testing.T) {
	s := NewSpace([]Parameter{
		{Name: "linear", Min: 0, Max: 1, Start: 0},
		{Name: "log", Min: 1, Max: 1e6, Start: 1, Scale: "log"},
		{Name: "narrow", Min: 1_000_000, Max: 1_000_001, Start: 1_000_000},
		{Name: "a tenth", Min: 9, Max: 10, Start: 9},
		{Name: "below 0", Min: -10, Max: -9.5, Start: -10},
		{Name: "log below 0", Min: -1e6, Max: -1, Start: -1, Scale: "log"},
	})
	got := s.Values([]float64{1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 3})
	for i, want := range []string{"0.333333", "100", "1000000.33333", "9.33333", "-9.833333", "-10000"} {
		if text := strconv.FormatFloat(got[i], 'f', -1, 64); text != want {
			t.Errorf("%s: got %s, want %s", s.parameters[i].Name, text, want)
		}
	}
	if mid := s.Values([]float64{0.5, 0.5, 0.5, 0.5, 0.5, 0.5}); mid[1] != 1000 {
		t.Errorf("the middle of 1 to 1e6 is %v, want 1000", mid[1])
	}
	if out := s.Values([]float64{-0.25, 1.5, 2.5, 0, 0, 0}); out[0] != 0.25 || out[1] != 1000 || out[2] != 1_000_000.5 {
		t.Errorf("coordinates outside the cube give %v, want their mirror images", out)
	}
	if u := s.Unit([]float64{7, 0.1, 1_000_000.5, 9, -10, -1}); u[0] != 1 || u[1] != 0 || u[2] != 0.5 {
		t.Errorf("values outside their range give %v, want the edges", u)
	}
}
