package tuner

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"tune2048/engine/portable"
)

// inside are the coordinates of places in the ranges.
func inside(places ...float64) []float64 {
	for i, v := range places {
		places[i] = strip + (1-2*strip)*v
	}
	return places
}

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
		p.Value = p.Min
		s := NewSpace([]Parameter{p})
		u := rapid.Float64Range(0, 1).Draw(t, "u")
		value := s.Values([]float64{u})[0]
		if value < p.Min || value > p.Max {
			t.Fatalf("value %v is outside [%v, %v]", value, p.Min, p.Max)
		}
		// Rounding moves a point by at most 1e-4 of the range, whatever the range.
		back := s.Unit([]float64{value})[0]
		u = min(max(u, strip), 1-strip)
		if math.Abs(back-u) > 1e-4 { // the ends have strips
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
		if r := mirrored(u); !(r >= 0 && r <= 1) || mirrored(-u) != r || math.Abs(mirrored(u+2)-r) > 1e-9 ||
			math.Abs(mirrored(u+0.01)-r) > 0.01+1e-9 {
			t.Fatalf("mirrored(%v) = %v, of %v: %v, of %v: %v", u, r, u+2, mirrored(u+2), u+0.01, mirrored(u+0.01))
		}
	})
}

func TestValuesAreReadable(t *testing.T) {
	s := NewSpace([]Parameter{
		{Name: "linear", Min: 0, Max: 1, Value: 0},
		{Name: "log", Min: 1, Max: 1e6, Value: 1, Scale: "log"},
		{Name: "narrow", Min: 1_000_000, Max: 1_000_001, Value: 1_000_000},
		{Name: "a tenth", Min: 9, Max: 10, Value: 9},
		{Name: "below 0", Min: -10, Max: -9.5, Value: -10},
		{Name: "log below 0", Min: -1e6, Max: -1, Value: -1, Scale: "log"},
	})
	got := s.Values(inside(1.0/3, 1.0/3, 1.0/3, 1.0/3, 1.0/3, 1.0/3))
	for i, want := range []string{"0.333333", "100", "1000000.33333", "9.33333", "-9.833333", "-10000"} {
		if text := strconv.FormatFloat(got[i], 'f', -1, 64); text != want {
			t.Errorf("%s: got %s, want %s", s.parameters[i].Name, text, want)
		}
	}
	if mid := s.Values([]float64{0.5, 0.5, 0.5, 0.5, 0.5, 0.5}); mid[1] != 1000 {
		t.Errorf("the middle of 1 to 1e6 is %v, want 1000", mid[1])
	}
	quarter := inside(0.25)[0]
	if out := s.Values([]float64{-quarter, 1.5, 2.5, 0, 0, 0}); out[0] != 0.25 || out[1] != 1000 || out[2] != 1_000_000.5 {
		t.Errorf("coordinates outside the cube give %v, want their mirror images", out)
	}
	if u := s.Unit([]float64{7, 0.1, 1_000_000.5, 9, -10, -1}); u[0] != 1-strip || u[1] != strip || u[2] != 0.5 {
		t.Errorf("values outside their range give %v, want the edges", u)
	}
}

// TestWholeValues: every whole number of a range is tried, also beyond six digits, and a search
// moves far enough to leave one.
func TestWholeValues(t *testing.T) {
	s := NewSpace([]Parameter{{Name: "many", Max: 10_000_000, Whole: true},
		{Name: "rollouts", Min: 10, Max: 10_000, Value: 100, Scale: "log", Whole: true}})
	random, tens, small := portable.NewSource(1), 0, 0
	for range 10_000 {
		values := s.Values(inside(random.Float64(), random.Float64()))
		if values[0] != math.Trunc(values[0]) || values[1] != math.Trunc(values[1]) {
			t.Fatalf("%v are not whole", values)
		}
		if math.Mod(values[0], 10) == 0 {
			tens++
		}
		if values[1] < 100 {
			small++
		}
	}
	if tens < 900 || tens > 1100 { // 1,000 with a standard deviation of 30
		t.Errorf("%d of 10,000 values end in 0", tens)
	}
	if small < 3150 || small > 3650 { // about a third of three powers of ten
		t.Errorf("%d of 10,000 values from 10 to 10,000 are below 100", small)
	}
	levels := NewSpace([]Parameter{{Name: "level", Min: 1, Max: 5, Value: 1, Whole: true},
		{Name: "size", Min: 1, Max: 100, Value: 1, Scale: "log", Whole: true}, {Name: "any", Max: 1}})
	first := math.Log(1.5/0.5) / math.Log(100.5/0.5) // the share of 1 among the sizes
	for i, want := range []float64{0.1, first / 2, 0} {
		if got := levels.leastStep(i, levels.Unit([]float64{1, 1, 0})[i]); math.Abs(got-(1-2*strip)*want) > 1e-12 {
			t.Errorf("the least step of %s is %v, want %v", levels.parameters[i].Name, got, want)
		}
	}
	if coarse, fine := levels.leastStep(1, inside(0.05)[0]), levels.leastStep(1, inside(0.95)[0]); fine > coarse/20 {
		t.Errorf("steps of at least %v among large sizes, and of %v among small ones", fine, coarse)
	}
}

// TestOrder: each algorithm keeps the order, and finds the best ascending values of a function that
// has as good ones in another order.
func TestOrder(t *testing.T) {
	parameters := []Parameter{
		{Name: "last", Max: 100, Value: 50, Scale: "ratio", Near: 1}, {Name: "other", Max: 1, Value: 0.5},
		{Name: "first", Max: 100, Value: 50, Scale: "ratio", Near: 5},
		{Name: "middle", Max: 100, Value: 50, Scale: "ratio", Near: 3}}
	for _, name := range Algorithms() {
		optimizer, err := New(options(name, nil), NewSpace(parameters, "first", "middle", "last"), 3)
		if err != nil {
			t.Fatal(err)
		}
		for range 60 {
			var fitness []float64
			for _, c := range mustAsk(t, optimizer, parameters) {
				x := c.Values
				if !(x[2] <= x[3] && x[3] <= x[0]) {
					t.Fatalf("%s asks for %v", name, x)
				}
				fitness = append(fitness, -math.Abs(x[0]+x[2]+x[3]-100)-math.Abs(max(x[0], x[2])-60)-math.Abs(min(x[0],
					x[2])-10)-100*math.Abs(x[1]-0.2))
			}
			if err := optimizer.Tell(fitness); err != nil {
				t.Fatal(err)
			}
		}
		for i, want := range []float64{60, 0.2, 10, 30} {
			if got := optimizer.Centre()[i]; math.Abs(got-want) > 0.1*want {
				t.Errorf("%s ends with %s at %v, want %v", name, parameters[i].Name, got, want)
			}
		}
	}
}

// TestWholeSearch: each algorithm finds a whole number on a log scale.
func TestWholeSearch(t *testing.T) {
	parameters := []Parameter{{Name: "rollouts", Min: 10, Max: 10_000, Value: 20, Scale: "log", Whole: true},
		{Name: "depth", Min: 1, Max: 6, Value: 1, Whole: true}}
	for _, name := range Algorithms() {
		optimizer := newOptimizer(t, options(name, set{"population": 16}), parameters, 3)
		run(t, optimizer, parameters, 60,
			func(x []float64) float64 { return -math.Abs(math.Log(x[0]/777)) - math.Abs(x[1]-4) })
		if got := optimizer.Centre(); math.Abs(got[0]-777) > 40 || got[1] != 4 {
			t.Errorf("%s ends at %v, want 777 and 4", name, got)
		}
	}
}
