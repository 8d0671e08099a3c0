// Package stats is the statistics and the arithmetic that the experiments rest
// on: pure functions of their arguments, with no I/O, no clock and no global
// random numbers. It imports the standard library only, so every other package
// may use it.
//
// Read it in this order:
//
//  1. portable.go: Pow, Exp, Log and Log2 that give the same bits on every
//     compiler and processor. Everything below is built on them.
//  2. random.go: Source, a seeded stream of random numbers, and Hash, which
//     derives independent seeds from one.
//  3. normal.go and student.go: the quantiles and tail probabilities of the
//     normal distribution and of Student's t.
//  4. moments.go: Moments, the count, mean and variance of a sample.
//  5. interval.go: confidence intervals for a mean, a difference of means, a
//     ratio of means and a proportion.
//  6. boundary.go: the distribution of a statistic that is looked at several
//     times while its sample grows. On it stand race.go, which stops arms that are
//     clearly out, and sequential.go, which compares two means and stops when it
//     knows. bias.go says which way figures err that were stopped so.
//  7. holm.go: p-values of several tests at once.
//
// # Why the same bits matter
//
// A run is resumed by replaying it, and its result can be verified on another
// machine, only if no intermediate figure depends on the machine. The
// functions math.Exp, math.Log and math.Pow do: they have assembly or fused
// multiply-add variants that are chosen by processor, by GOAMD64 and even by
// GODEBUG=cpu.fma=off, and that differ in the last bit. The compiler may also
// fuse a product with a sum in ordinary code; the language specification lets
// an explicit conversion prevent that, which is why products that are added
// are written float64(x*y) throughout this package.
package stats
