package tuner

import (
	"reflect"
	"testing"
)

// A member keeps its place by the mean of all that it was measured, not by the
// one time it was lucky.
func TestMembersAreMeasuredAgain(t *testing.T) {
	f := sphere(3)
	o := Defaults(DifferentialEvolution)
	optimizer := newOptimizer(t, o, f.space, 5)
	first := mustAsk(t, optimizer, f.space)
	fitness := make([]float64, len(first))
	fitness[7] = 100
	mustTell(t, optimizer, fitness)
	lucky := first[7].Values

	// 100, then 40: a mean of 70, which a trial of 69 does not beat. Then 1: a
	// mean of 47, which a trial of 47 does.
	for generation, c := range []struct{ again, trial float64 }{{40, 69}, {1, 47}} {
		next := mustAsk(t, optimizer, f.space)
		if !reflect.DeepEqual(next[0].Values, lucky) || next[0].Origin != OriginMember {
			t.Fatalf("generation %d: the best is not the first member: %+v, want %v", generation, next[0], lucky)
		}
		members := len(next) / 2
		for i, one := range next {
			if want := map[bool]string{true: OriginMember, false: OriginTrial}[i < members]; one.Origin != want {
				t.Errorf("candidate %d is a %s, want a %s", i, one.Origin, want)
			}
			fitness[i] = 0
		}
		fitness[0], fitness[members] = c.again, c.trial
		mustTell(t, optimizer, fitness)
		if generation == 1 {
			lucky = next[members].Values // the trial has its place
		}
	}
	if next := mustAsk(t, optimizer, f.space); !reflect.DeepEqual(next[0].Values, lucky) {
		t.Errorf("the first member is %v, want the trial that beat it, %v", next[0].Values, lucky)
	}
}

// With no crossover a trial differs from its member in one number at least; with
// weights that tell them apart it goes where the formula says.
func TestTrial(t *testing.T) {
	f := cube(4, 0, 1, 0.5)
	o := Defaults(DifferentialEvolution)
	o.CrossoverRate = 0
	d := newDifferentialEvolution(o, mustSpace(t, f), 6)
	candidates := mustAsk(t, d, f)
	mustTell(t, d, make([]float64, len(candidates)))
	for i, one := range mustAsk(t, d, f)[len(d.members):] {
		changed := 0
		for k, v := range one.Values {
			if v != d.members[i].values[k] {
				changed++
			}
		}
		if changed != 1 {
			t.Errorf("trial %d differs from its member in %d numbers, want 1: %v", i, changed, one.Values)
		}
	}

	// Members on a line, 0.4 to 0.6 in the first parameter; the best is the last.
	o.CrossoverRate, o.BestWeight, o.DifferenceWeight = 1, 1, 0.001
	d = newDifferentialEvolution(o, mustSpace(t, f), 6)
	for k := range 20 {
		d.members = append(d.members, member{point: newPoint(d.space, []float64{0.4 + 0.01*float64(k), 0.2, 0.2, 0.2}, OriginMember)})
	}
	for k := range d.members {
		got := d.trial(k, []int{19}, 0).unit
		if got[0] < 0.589-0.0003 || got[0] > 0.591+0.0003 || got[1] != 0.2 {
			t.Errorf("trial of member %d: %v, want it at the best, 0.59", k, got)
		}
	}
	d.options.BestWeight, d.options.DifferenceWeight = 0, 1
	least, most := 1.0, 0.0
	for range 1000 {
		moved := d.trial(10, []int{19}, 0).unit[0] - 0.5
		least, most = min(least, moved), max(most, moved)
	}
	// Differences of at most 0.19, with a weight of at most 1.5.
	if least < -0.286 || least > -0.2 || most > 0.286 || most < 0.2 {
		t.Errorf("differences moved the trial by %v to %v, want nearly -0.285 to 0.285", least, most)
	}
}
