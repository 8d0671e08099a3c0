package summary

import (
	"slices"
	"testing"

	"tune2048/experiments"
	"tune2048/experiments/fitness"
)

// TestHandOver: the games are known after which CMA-ES takes over, be the stage over earlier or
// not.
func TestHandOver(t *testing.T) {
	stage := func(name string, means ...float64) (all []experiments.Evaluation) {
		for g, mean := range means {
			all = append(all, experiments.Evaluation{Place: experiments.Place{Phase: experiments.PhaseTuning, Stage: name,
				Search: "depth 1", Generation: g, Candidate: g},
				Scores: []float64{mean - 1, mean + 1}})
		}
		return all
	}
	falls := stage("one", 10, 20, 900, 30, 40, 50, 60, 70, 75, 80)
	for _, c := range []struct {
		evaluations []experiments.Evaluation
		handOver    int
		before      int64 // games; 0: none
	}{
		{falls, 0, 0},
		{falls, 3, 6},
		{falls[:3], 3, 0},
		{append(falls[:2:2], stage("two", 10, 20)...), 3, 4},
	} {
		s := Summary{Run: Run{Kind: experiments.KindTune, Objective: fitness.MeanScore},
			totals: experiments.Fold(fitness.MeanScore, nil, slices.Values(c.evaluations), nil)}
		s.tuning(c.handOver)
		if s.HandOver.Played != c.before {
			t.Errorf("%+v: handed over after %d games", c, s.HandOver.Played)
		}
	}
}

// TestCentreBeforeTheVerdicts: what is shown before the verdicts is the last look, with the start
// weights of all looks of its stage. It stays while another stage, the playoff and the validation
// play, and goes with the verdicts.
func TestCentreBeforeTheVerdicts(t *testing.T) {
	played := func(phase, stage string, generation, candidate int, scores ...float64) experiments.Evaluation {
		return experiments.Evaluation{Place: experiments.Place{Phase: phase, Stage: stage, Search: "depth 1",
			Generation: generation, Candidate: candidate}, Scores: scores}
	}
	all := []experiments.Evaluation{
		played(experiments.PhaseTuning, "one", 0, 0, 10, 12), played(experiments.PhaseTuning, "one", 0, 1, 1000, 1200),
		played(experiments.PhaseCentre, "one", 0, 0, 11, 13), played(experiments.PhaseCentre, "one", 0, 2, 20, 22),
		played(experiments.PhaseTuning, "one", 1, 3, 900, 1100),
		played(experiments.PhaseCentre, "one", 1, 0, 15, 17), played(experiments.PhaseCentre, "one", 1, 4, 30, 34),
	}
	s := Summarize(Run{Kind: experiments.KindTune, Objective: fitness.MeanScore, Champion: -1}, nil, nil, nil,
		slices.Values(all), nil, nil)
	if c := s.Centre; c == nil || c.Candidate != 4 || c.Generation != 1 || c.Games != 2 || c.Fitness.Value != 32 ||
		c.Start.Value != 14 || c.StartGames != 4 {
		t.Errorf("shown is %+v", c)
	}
	if len(s.Looks) != 2 || s.Looks[0].Played != 4 || s.Looks[1].Played != 6 || s.Looks[0].Fitness.Value != 21 {
		t.Errorf("looks %+v", s.Looks)
	}
	all = append(all, played(experiments.PhaseTuning, "two", 0, 5, 40, 44))
	s = Summarize(s.Run, nil, nil, nil, slices.Values(all), nil, nil)
	if s.Centre == nil || s.Centre.Candidate != 4 || len(s.Looks) != 2 || s.Last.Stage != "two" {
		t.Errorf("in the next stage: %+v", s.Centre)
	}
	s.Run.Champion = 4
	for _, number := range []int{4, 0} {
		all = append(all, played(experiments.PhaseValidation, "", 0, number, 40, 44, 48))
	}
	s = Summarize(s.Run, nil, nil, nil, slices.Values(all), nil, nil)
	if s.Centre == nil || s.Centre.Candidate != 4 || s.Judged() {
		t.Errorf("in the validation: %+v", s.Centre)
	}
	verdict := experiments.Comparison{Phase: experiments.PhaseValidation, Search: "depth 1", Candidate: 4,
		Verdict: experiments.Undecided}
	s = Summarize(s.Run, nil, nil, nil, slices.Values(all), nil, []experiments.Comparison{verdict})
	if s.Centre != nil || !s.Judged() {
		t.Errorf("beside the verdicts: %+v", s.Centre)
	}
}
