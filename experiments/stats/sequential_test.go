package stats

import (
	"math"
	"testing"

	"tune2048/engine/portable"
)

// finding is the verdict on the first of two means at a look, and their estimates.
type finding struct {
	verdict           string
	z                 float64
	difference, ratio Estimate
}

func (d *Design) look(look int, a, b Moments, pairs Pairs) finding {
	z, confidence := MeanZ(a, b, pairs), d.Boundaries[look-1].Confidence()
	return finding{d.Judge(look, z, min(a.N, b.N)), z, MeanDifference(a, b, pairs, confidence),
		MeanRatio(a, b, pairs, confidence)}
}

// compare plays a comparison to its end: batches of games until there is a verdict. Nothing is
// known of the spread before the first batch. The games of a seed agree with this probability.
func compare(d *Design, random *portable.Source, first, second, agree float64) (f finding, games int) {
	var a, b Moments
	var pairs Pairs
	spread := 0.5
	for look := range d.Boundaries {
		for range max(0, d.Games(look+1, spread)-a.N) {
			one := score(random, first)
			other := 4 * math.Floor(one/first*second/4+0.5)
			if random.Float64() >= agree {
				other = score(random, second)
			}
			a.Add(one)
			b.Add(other)
			pairs.Add(one, other)
		}
		f = d.look(look+1, a, b, pairs)
		if f.verdict != Undecided {
			break
		}
		spread = RelativeSD(a, b)
	}
	return f, a.N
}

// operation is the result of many comparisons of the same two means.
type operation struct {
	first, second, none, covered float64 // shares
	games                        Moments // of each sample
	most                         int
}

func operate(d *Design, seed uint64, comparisons int, first, second, agree float64) operation {
	random := portable.NewSource(seed)
	var o operation
	each := 1 / float64(comparisons)
	for range comparisons {
		f, games := compare(d, random, first, second, agree)
		switch f.verdict {
		case Better:
			o.first += each
		case Worse:
			o.second += each
		case NoDifference:
			o.none += each
		}
		if f.difference.Interval.Contains(first-second) && f.ratio.Interval.Contains(first/second) {
			o.covered += each
		}
		o.games.Add(float64(games))
		o.most = max(o.most, games)
	}
	return o
}

// Equal players are seldom called different although they are looked at after every batch, and a
// gain of 5% is found whichever of the two has it, with fewer games than the test of fixed size
// needs. What the seed brings to both costs no games, and hides nothing. A gain of 50% is found by
// few looks at few games, where Student's t is not yet normal.
func TestOperation(t *testing.T) {
	const unlimited = 99.0
	for seed, c := range []struct {
		name        string
		plan        Plan
		ratio       float64 // of the true means
		agree       float64 // share of the seeds at which both have the same luck
		comparisons int
		found       float64 // share with the right verdict, at least; of equals, NoDifference
		wrong       float64 // share that is called different the wrong way, at most
		mean, most  float64 // games, as shares of the fixed size, at most
	}{
		{"equal", Plan{}, 1, 0, 2000, 0.94, 0.06, 0.8, unlimited},
		{"5% more", Plan{}, 1.05, 0, 2000, 0.94, 0.001, 0.75, 1.5},
		{"5% less", Plan{}, 1 / 1.05, 0, 2000, 0.94, 0.001, 0.75, 1.5},
		{"equal, 4 looks", Plan{Difference: 0.5, Looks: 4}, 1, 0, 4000, 0.94, 0.06, unlimited, unlimited},
		{"50% more, 4 looks", Plan{Difference: 0.5, Looks: 4}, 1.5, 0, 2000, 0.92, 0.06, unlimited, unlimited},
		{"equal, half of the luck is the seed's", Plan{}, 1, 0.5, 2000, 0.94, 0.06, 0.8, unlimited},
		{"5% more, half of the luck is the seed's", Plan{}, 1.05, 0.5, 2000, 0.99, 0.001, 0.5, 1.5},
		{"1% more, all luck is the seed's", Plan{}, 1.01, 1, 1000, 1, 0, 0.1, 0.1},
	} {
		d := c.plan.withDefaults().Design()
		fixed := float64(fixedGames(d.Difference, 0.552, d.Level, d.Power))
		o := operate(d, uint64(seed)+1, c.comparisons, c.ratio*typicalMean, typicalMean, c.agree)
		found, wrong := o.none, o.first+o.second
		switch {
		case c.ratio > 1:
			found, wrong = o.first, o.second
		case c.ratio < 1:
			found, wrong = o.second, o.first
		}
		mean, most := o.games.Mean/fixed, float64(o.most)/fixed
		t.Logf("%s: %.2f%% found, %.2f%% wrong, %.3f of the fixed size on average, %.3f at most, intervals cover %.1f%%",
			c.name, 100*found, 100*wrong, mean, most, 100*o.covered)
		if found < c.found || wrong > c.wrong || mean > c.mean || most > c.most {
			t.Errorf("%s: %.2f%% found, %.2f%% wrong, %.3f of the fixed size on average, %.3f at most, want %+v", c.name,
				100*found, 100*wrong, mean, most, c)
		}
		if o.covered < 0.94 {
			t.Errorf("%s: the repeated intervals cover the truth in %.1f%%", c.name, 100*o.covered)
		}
		if d.Looks == 4 || c.agree > 0 {
			continue
		}
		if expected := d.characteristics(c.ratio - 1); math.Abs(expected.games*d.inflation()-mean) > 0.03 ||
			math.Abs(expected.power-o.first-o.second) > 0.015 {
			t.Errorf("%s: the design expects %+v, got %+v", c.name, expected, o)
		}
	}
}

func TestDesign(t *testing.T) {
	for _, p := range []Plan{{}, {Difference: 0.02, Level: 0.01, Power: 0.8, Looks: 10}, {Looks: 1},
		{Power: 0.5, Looks: 12}, {Level: 0.2, Power: 0.999, Looks: 2}} {
		d := p.withDefaults().Design()
		if len(d.Boundaries) != d.Looks {
			t.Fatalf("%+v: %d boundaries", d.Plan, len(d.Boundaries))
		}
		if got := d.characteristics(d.Difference).power; math.Abs(got-d.Power) > 1e-7 {
			t.Errorf("%+v: power %v", d.Plan, got)
		}
		if got := d.characteristics(0).power; got > d.Level+1e-9 {
			t.Errorf("%+v: level %v", d.Plan, got)
		}
		if !(d.inflation() >= 0.9999 && d.inflation() < 1.5) {
			t.Errorf("%+v: the longest comparison is %v times the fixed size", d.Plan, d.inflation())
		}
		for k, b := range d.Boundaries {
			last := k+1 == len(d.Boundaries)
			if !(b.Futility >= 0 && b.Futility <= b.Efficacy) || last != (b.Futility == b.Efficacy) ||
				last != (b.Fraction == 1) {
				t.Errorf("%+v: boundary %d is %+v", d.Plan, k+1, b)
			}
			if k > 0 && !(b.Efficacy < d.Boundaries[k-1].Efficacy && b.Futility > d.Boundaries[k-1].Futility) {
				t.Errorf("%+v: boundaries %d and %d are %+v and %+v", d.Plan, k, k+1, d.Boundaries[k-1], b)
			}
			// The repeated p-value at the boundary is the level.
			if got := d.PValue(k+1, b.Efficacy); (k == 0 || last) && relative(got, d.Level) > 1e-6 {
				t.Errorf("%+v: p-value at boundary %d: %v", d.Plan, k+1, got)
			}
		}
	}
	// The sizes that the doc comments state.
	d := Plan{}.withDefaults().Design()
	for name, c := range map[string][2]float64{
		"planned difference": {d.inflation() * d.characteristics(0.05).games, 0.58},
		"half of it":         {d.inflation() * d.characteristics(half(0.05)).games, 0.81},
		"none":               {d.inflation() * d.characteristics(0).games, 0.73},
		"most":               {d.inflation(), 1.28},
	} {
		if math.Abs(c[0]-c[1]) > 0.006 {
			t.Errorf("games for the %s: %.4f of the fixed size, the comment says %v", name, c[0], c[1])
		}
	}
}

func TestPValue(t *testing.T) {
	d := Plan{}.withDefaults().Design()
	last := 1.0
	for _, z := range []float64{0, 0.5, 1, -2, 2.5, 3, -5, 8, 40, math.Inf(1)} {
		p := d.PValue(4, z)
		if !(p <= last && p >= minP) {
			t.Errorf("p-value of %v: %v after %v", z, p, last)
		}
		// Looking often can only cost.
		if p < 2*portable.NormalTail(math.Abs(z)) {
			t.Errorf("p-value of %v: %v, less than for one look", z, p)
		}
		last = p
	}
	if relative(last, minP) > 1e-12 {
		t.Errorf("p-value of +Inf: %v", last)
	}
	single := Plan{Looks: 1}.withDefaults().Design()
	for _, z := range []float64{0.1, 1, 1.96, 4, 6} {
		if got, want := single.PValue(1, z), 2*portable.NormalTail(z); relative(got, want) > 1e-7 {
			t.Errorf("one look: p-value of %v is %v, want %v", z, got, want)
		}
	}
}

// differing returns the relative difference with this effect: what [effect] says, solved for it.
func differing(standardErrors, spread float64) float64 {
	low, high := 0.0, 1e6
	for range 100 {
		if middle := (low + high) / 2; effect(middle, spread) < standardErrors {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// half returns the difference that is half as many standard errors away from 0.
func half(difference float64) float64 { return differing(effect(difference, 1)/2, 1) }

// Sample sizes from outside: J. Cohen, Statistical Power Analysis for the Behavioral Sciences,
// 1988, table 2.4.1: at a two-sided 5%, each of two samples needs 393 for an effect of 0.2 standard
// deviations (of unequal ones the root of the mean square) with 80% power, and 526 with 90%; and
// this project's FINDINGS: 5% needs about 1,900 games at depth 3.
func TestFixedGames(t *testing.T) {
	cohen := differing(0.2/math.Sqrt2, 0.5)
	for power, want := range map[float64]int{0.8: 393, 0.9: 526} {
		if got := fixedGames(cohen, 0.5, 0.05, power); got != want {
			t.Errorf("power %v: %d games, want %d", power, got, want)
		}
	}
	if got := fixedGames(0.05, 0.55, 0.05, 0.8); got < 1850 || got > 2050 {
		t.Errorf("5%% at sd/mean 0.55: %d games", got)
	}
	if got := fixedGames(0.05, math.Inf(1), 0.05, 0.8); got != maxGames {
		t.Errorf("without a positive mean: %d games", got)
	}
	if got := fixedGames(0.05, 0, 0.05, 0.8); got != 2 {
		t.Errorf("without any spread: %d games", got)
	}
	d := Plan{Difference: 0.02}.withDefaults().Design()
	n := d.Games(20, 0.5)
	if got := float64(n) / float64(fixedGames(0.02, 0.5, 0.05, 0.95)); relative(got, d.inflation()) > 1e-3 {
		t.Errorf("the last look takes %v of the fixed size, want %v", got, d.inflation())
	}
	if first := d.Games(1, 0.5); first < n/20 || first > n/20+1 {
		t.Errorf("first look at %d games, last at %d", first, n)
	}
}

func TestLook(t *testing.T) {
	d := Plan{Looks: 2}.withDefaults().Design()
	better, worse := Moments{N: 100, Mean: 1.5, M2: 99 * 0.25}, Moments{N: 100, Mean: 1, M2: 99 * 0.25}
	constant := Moments{N: 100, Mean: 1}
	for _, c := range []struct {
		name          string
		look          int
		first, second Moments
		want          string
	}{
		{"better", 1, better, worse, Better},
		{"worse", 1, worse, better, Worse},
		{"the same", 1, worse, worse, NoDifference},
		{"in between", 1, Moments{N: 100, Mean: 1.1, M2: 99 * 0.25}, worse, Undecided},
		{"in between at the end", 2, Moments{N: 100, Mean: 1.1, M2: 99 * 0.25}, worse, NoDifference},
		{"no games", 1, Moments{}, worse, Undecided},
		{"a single game", 1, Moments{N: 1, Mean: 1}, worse, Undecided},
		{"against a single game", 1, worse, Moments{N: 1, Mean: 1}, Undecided},
		{"no games to the end", 2, Moments{}, worse, NoDifference},
		{"no spread", 1, constant, Moments{N: 100, Mean: 2}, Worse},
		{"no spread and the same", 1, constant, constant, NoDifference},
	} {
		f := d.look(c.look, c.first, c.second, Pairs{})
		if f.verdict != c.want {
			t.Errorf("%s: got %v, z %v", c.name, f.verdict, f.z)
		}
		if excludes := !f.difference.Interval.Contains(0); excludes != (f.verdict == Better || f.verdict == Worse) {
			t.Errorf("%s: %v with the interval %+v", c.name, f.verdict, f.difference.Interval)
		}
	}
}

// fixedGames returns how many games of each of two samples a test of fixed size
// needs to find a relative difference (0.05 for 5%) with the probability power,
// at a two-sided level. spread is the standard deviation of the scores in units
// of their mean, see [Spread], taken to be the same for both: at 500% as at 5% the
// power is what was asked for, as far as the means of so few games are normal.
func fixedGames(difference, spread, level, power float64) int {
	return games(difference, spread, fixedDrift(level, power))
}

// characteristics are the cost and the power of a design for a true difference.
type characteristics struct {
	power float64 // probability of calling the means different
	games float64 // mean games of a sample, in units of those of the last look
}

// characteristics returns the cost and the power of the design when one mean is above the other by
// the relative difference. For equal means, 0, power is the probability of a false verdict.
func (d *Design) characteristics(difference float64) characteristics {
	drift := d.drift * effect(difference, 1) / effect(d.Difference, 1)
	var c characteristics
	w := newWalk()
	for k, b := range d.Boundaries {
		c.games += float64(w.remaining(drift) * (b.Fraction - w.t))
		c.power += w.above(b.Efficacy, b.Fraction, drift) + w.above(b.Efficacy, b.Fraction, -drift)
		if k+1 < len(d.Boundaries) {
			w = w.advance(b.Fraction, d.Boundaries[k+1].Fraction, drift,
				region{-b.Efficacy, -b.Futility}, region{b.Futility, b.Efficacy})
		}
	}
	return c
}

// inflation returns the games of a comparison that goes on to the last look, in units of the test
// of fixed size with the same level and power.
func (d *Design) inflation() float64 {
	ratio := d.drift / fixedDrift(d.Level, d.Power)
	return ratio * ratio
}

// withDefaults returns the plan with the fields of DefaultPlan where its own are 0.
func (p Plan) withDefaults() Plan {
	d := DefaultPlan()
	if p.Difference == 0 {
		p.Difference = d.Difference
	}
	if p.Level == 0 {
		p.Level = d.Level
	}
	if p.Power == 0 {
		p.Power = d.Power
	}
	if p.Looks == 0 {
		p.Looks = d.Looks
	}
	return p
}
