// Package experiments is the pipeline: from a validated config to a champion with an interval.
//
// An Experiment has a config, a simulator and a store. Run asks the optimizer for candidates. The
// simulator plays games with each of them, all on the same seeds, and the store records the games.
// The optimizer receives the fitness and proposes the next generation. After the last generation
// the finalists play fresh games, and the fittest becomes the champion. The champion and the start
// weights then play held-out games, which chose nothing. Last come the ablation, which says what
// each feature is worth, and the trend, which says whether more tuning would help. A run that was
// interrupted goes on where it stopped. The example tunes two weights and reads the champion back.
// README.md states the promises of the statistics.
//
// Read it in this order:
//
//  1. experiment.go: the main flow. tuning.go: the one loop (ask, simulate, record, tell).
//     racing.go: how games are dealt in rounds. finals.go: playoff and held-out validation.
//     questions.go: which features matter, and whether more tuning would help. pairs.go: the pairs
//     of both, and of tune compare, play until each is decided.
//  2. record.go: the types that are recorded, from the computation to the store and back.
//     standing.go: the fitness of candidates in one phase, stage and search. field.go: the same of
//     a stage of tuning, of which a night has millions. generation.go: the result of a generation.
//     fold.go: all of a whole run. comparison.go: how two candidates compare (the table
//     comparisons), and Holm's correction for the validation. candidates.go: the registry, which
//     gives each vector of weights one number. hashindex.go: how it finds them again. failures.go:
//     who could not be played.
//  3. lab.go: a question, and the one place that has its games played. seeds.go: the streams of
//     their seeds. blocks.go: a run under way, and how it asks. store.go: the memory of runs,
//     as the pipeline needs it. programs.go: the files of their bots.
//  4. contest.go: the command tune compare, which of several players is best on
//     fresh games. verify.go: what a record or a stored run has, asked again.
//  5. sizes.go: how many games follow a tuning, by its cost. plan.go: the games that a config will
//     play. progress.go: how far a run is. clock.go: how long the rest takes. deadline.go:
//     what -for leaves time for.
//
// The package plays through the small interface Simulator and remembers through Store. It knows
// neither threads nor SQL. The findings of a run are a function of its config alone: no clock, no
// global random number and no map order has a say. To resume, the optimizer runs again from its
// seed, and the store answers for the games that it has.
package experiments
