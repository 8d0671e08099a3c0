// Package stats is the statistics that the experiments rest on: pure functions of their arguments,
// with no I/O, no clock and no global random numbers, and with the same bits everywhere (see
// package portable).
//
// Read it in this order:
//
//  1. student.go: the quantiles and tail probabilities of Student's t.
//  2. moments.go: count, mean and variance of a sample. pairs.go: two samples of the same seeds.
//     quantile.go: an order and a quantile.
//  3. interval.go: confidence intervals for a mean, a difference, a ratio and a proportion, and
//     Welch's test. exact.go: exact limits of a probability, also where no number differs.
//  4. boundary.go: a statistic that is looked at several times while its sample grows. On it stand
//     race.go, which stops samples that are clearly not the best, and sequential.go, which compares
//     two means and stops when it knows.
//  5. holm.go: p-values of several tests at once. shrink.go: the likely worth of candidates, of
//     which luck lifts the best.
package stats
