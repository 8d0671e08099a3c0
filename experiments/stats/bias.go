package stats

// Bias says which way an estimate errs because what was seen decided when to
// stop: an arm that is stopped for doing badly is stopped too low, and a
// comparison that ends when its difference looks large ends with a difference
// that is too large. A confidence interval that ignores the stopping errs with
// it. An honest figure comes from a sample of fixed size, played afterwards.
type Bias int

// The ways to err.
const (
	Unbiased      Bias = iota
	BiasedLow          // below the truth on average
	BiasedHigh         // above it
	BiasedOutward      // further from 0 than the truth
	BiasedInward       // nearer to 0 than the truth
)

// String returns the bias in words.
func (b Bias) String() string {
	switch b {
	case BiasedLow:
		return "biased low"
	case BiasedHigh:
		return "biased high"
	case BiasedOutward:
		return "biased away from 0"
	case BiasedInward:
		return "biased towards 0"
	default:
		return "unbiased"
	}
}
