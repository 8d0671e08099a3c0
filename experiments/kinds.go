package experiments

// Kind is a kind of runs, by the name that stores have for it.
type Kind string

const (
	KindTune    Kind = "tune"
	KindCompare Kind = "compare"
)

// HasChampion reports whether a playoff gives the runs of the kind a champion.
func (k Kind) HasChampion() bool { return k == KindTune }

// HasPlayers reports whether a run's config is a configs.Contest.
func (k Kind) HasPlayers() bool { return k == KindCompare }

// Figures returns the phase that the headline's figures come from.
func (k Kind) Figures() string {
	if k == KindCompare {
		return PhaseComparison
	}
	return PhaseValidation
}
