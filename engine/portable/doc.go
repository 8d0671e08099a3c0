// Package portable is the arithmetic and the random numbers of which every bit counts: pure functions that give the same
// bits on every compiler and processor. It imports the standard library only; engine, tuner and experiments stand on it.
//
// Read arithmetic.go (Pow, Exp and Log), random.go (Source, a seeded stream, and Hash, which derives independent seeds
// from one) and normal.go (quantile and tail of the normal distribution).
//
// # Why the same bits matter
//
// A run is resumed by replaying it, and its result can be verified on another machine, only if no intermediate figure
// depends on the machine. The functions math.Exp, math.Log and math.Pow do: they have assembly or fused multiply-add variants
// that are chosen by processor, by GOAMD64 and even by GODEBUG=cpu.fma=off, and that differ in the last bit. The compiler may
// also fuse a product with a sum in ordinary code; the language specification lets an explicit conversion prevent that,
// which is why products that are added are written float64(x*y) here, and wherever a result depends on them.
package portable
