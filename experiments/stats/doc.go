// Package stats is the statistics that the experiments rest on: pure functions of their arguments, with no I/O, no clock and
// no global random numbers, and with the same bits everywhere (see package portable).
//
// Read it in this order:
//
//  1. student.go: the quantiles and tail probabilities of Student's t.
//  2. moments.go: Moments, the count, mean and variance of a sample; quantile.go: a quantile and its error.
//  3. interval.go: confidence intervals for a mean, a difference of means, a ratio of means and a proportion.
//  4. boundary.go: the distribution of a statistic that is looked at several times while its sample grows. On it stand
//     race.go, which stops samples that are clearly out, and sequential.go, which compares two means and stops when it knows.
//     bias.go says which way figures err that were stopped so.
//  5. holm.go: p-values of several tests at once; maximum.go: how far luck lifts the best of several.
package stats
