package experiments

// Kind is a kind of runs, by the name that stores have for it.
type Kind string

const (
	KindTune    Kind = "tune"
	KindCompare Kind = "compare"
)

// kinds are the properties of the runs of each kind. A kind of another program has none.
var kinds = map[Kind]struct {
	champion bool   // the winner of a playoff
	players  bool   // a config of players to compare, in place of an experiment's
	figures  string // the phase that their headline's figures come from; empty: none
}{
	KindTune:    {champion: true, figures: PhaseValidation},
	KindCompare: {players: true, figures: PhaseComparison},
}

// HasChampion reports whether a playoff gives the runs of the kind a champion.
func (k Kind) HasChampion() bool { return kinds[k].champion }

// HasPlayers reports whether a run's config is a configs.Contest.
func (k Kind) HasPlayers() bool { return kinds[k].players }

// Figures returns the phase that the headline's figures come from. It is empty if there are none.
func (k Kind) Figures() string { return kinds[k].figures }
