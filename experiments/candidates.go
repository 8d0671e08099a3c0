package experiments

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
	"tune2048/tuner"
)

// registry numbers the candidates of a run in the order of asking. Identical weights are one
// candidate.
type registry struct {
	config  *config.Config
	form    string        // of the family: see formOf
	weights []eval.Weight // of the family
	start   eval.Vector
	next    int               // number of the next new one
	index   map[string]int    // number by PlayHash
	known   map[int]Candidate // those in use: a night has millions, and their weights are in the store
	fresh   []Candidate       // those that are not recorded, by number
	beyond  bool              // whether an earlier process recorded none of the next ones
}

func newRegistry(c *config.Config) registry {
	return registry{config: c, form: formOf(c.Rules, &c.Family), weights: c.Family.Weights(),
		start: c.Family.Values(), index: map[string]int{}, known: map[int]Candidate{}}
}

// vector returns the values of all weights of a family for a candidate of this family.
func (c Candidate) vector(family *eval.Heuristic) (eval.Vector, error) {
	values, weights := family.Values(), family.Weights()
	for _, given := range c.Weights {
		i := slices.IndexFunc(weights, func(w eval.Weight) bool { return w.Name == given.Name })
		if i < 0 {
			return nil, fmt.Errorf("its heuristic has no weight %s", given.Name)
		}
		values[i] = given.Value
	}
	return values, nil
}

// of returns a candidate that is in use.
func (r *registry) of(number int) Candidate {
	c, known := r.known[number]
	if !known {
		panic(fmt.Sprintf("candidate %d is not in use", number))
	}
	return c
}

// forget ends the use of all but the start weights.
func (r *registry) forget() {
	maps.DeleteFunc(r.known, func(number int, _ Candidate) bool { return number != StartNumber })
}

// recollect reads candidates that are not in use back from the store.
func (r *registry) recollect(ctx context.Context, store Store, run int64, numbers []int) error {
	for _, number := range numbers {
		if _, known := r.known[number]; known {
			continue
		}
		stored, err := store.Candidates(ctx, run, number, number)
		if err != nil {
			return err
		}
		if len(stored) != 1 {
			return fmt.Errorf("candidate %d is not recorded: somebody changed the database (start afresh with -new)", number)
		}
		r.known[number] = stored[0]
	}
	return nil
}

// vector returns the values of all weights of the family.
func (r *registry) vector(number int) eval.Vector {
	values, _ := r.of(number).vector(&r.config.Family) // whose weights it has
	return values
}

// player returns the candidate as the simulator's player.
func (r *registry) player(number int) simulator.Player {
	return simulator.Player{Family: &r.config.Family, Values: r.vector(number), Dead: r.of(number).Dead}
}

// hash returns the candidate's PlayHash.
func (r *registry) hash(number int) string { return r.of(number).PlayHash }

// add returns the number of the candidate with these values of the family's weights.
func (r *registry) add(c Candidate, given eval.Vector) (number int) {
	values := unsigned(given)
	c.PlayHash = playHash(r.form, values, c.Dead)
	number, old := r.index[c.PlayHash]
	if _, known := r.known[number]; old && known {
		return number
	}
	if c.Number = number; !old {
		c.Number = r.next
	}
	for i, w := range r.weights { // the genome
		if w.Tunable {
			c.Weights = append(c.Weights, Weight{w.Name, values[i]})
		}
	}
	for i, w := range r.weights { // and what a reference overrides
		if !w.Tunable && values[i] != r.start[i] {
			c.Weights = append(c.Weights, Weight{w.Name, values[i]})
		}
	}
	if r.known[c.Number] = c; !old {
		r.index[c.PlayHash] = c.Number
		r.fresh = append(r.fresh, c)
		r.next++
	}
	return c.Number
}

// unsigned returns the values with 0 instead of -0. They are the same weight, and no database
// distinguishes them.
func unsigned(values eval.Vector) eval.Vector {
	values = slices.Clone(values)
	for i := range values {
		values[i] += 0
	}
	return values
}

// playHash returns the Candidate.PlayHash of a family's form with these values.
func playHash(form string, values eval.Vector, dead eval.Dead) string {
	text := []byte(form)
	for _, v := range values {
		text = append(strconv.AppendUint(text, math.Float64bits(v+0), 16), ' ') // 0 for -0
	}
	if dead.Worst {
		text = append(text, "worst"...)
	} else {
		text = strconv.AppendUint(text, math.Float64bits(dead.Value), 16)
	}
	sum := sha256.Sum256(append(text, '\n'))
	return hex.EncodeToString(sum[:16])
}

// formOf is all of a family that its games hang on beside the values: rules, features and a bot's
// files. Names are no part of it: they do not change the play.
func formOf(rules engine.Rules, family *eval.Heuristic) string {
	var h strings.Builder
	fmt.Fprintf(&h, "%x %s\n", math.Float64bits(rules.FourProbability), family.Symmetry)
	if b := family.Bot; b != nil { // which knows its weights by their names
		files, _ := b.Files() // a run begins with its error
		text, _ := json.Marshal(files)
		fmt.Fprintf(&h, "%q %s %s\n", b.Command, b.Answers, text)
		for _, w := range family.Weights() {
			fmt.Fprintf(&h, "%q\n", w.Name)
		}
	}
	for _, f := range family.Features {
		fmt.Fprint(&h, f.Kind)
		for _, s := range eval.KindOf(f.Kind).Settings {
			switch {
			case s.Word != nil:
				fmt.Fprint(&h, " ", *s.Word(&f))
			case s.Formula(&f) != "":
				fmt.Fprintf(&h, " %q%s", f.Formula, f.Over)
			case s.Let:
				for _, x := range f.Let {
					fmt.Fprintf(&h, " %s %q", x.Name, x.Formula)
				}
			case s.Sums:
				for _, sum := range f.Sums {
					fmt.Fprintf(&h, " %s %s %q", sum.Name, sum.Over, sum.Formula)
				}
			case s.Numbers:
				for _, n := range f.Numbers {
					fmt.Fprint(&h, " ", n.Symbol)
				}
			}
		}
		fmt.Fprintln(&h)
	}
	return h.String()
}

// register numbers a generation's candidates and records the new ones.
func (s *state) register(ctx context.Context, asked []tuner.Candidate, stage string, generation int) ([]int, error) {
	r := &s.candidates
	numbers := make([]int, len(asked))
	for i, a := range asked {
		c := Candidate{Origin: a.Origin, Stage: stage, Generation: generation, Dead: r.config.Family.Dead}
		numbers[i] = r.add(c, r.start.WithGenome(&r.config.Family, a.Values))
	}
	return numbers, r.record(ctx, s.Store, s.run)
}

// addReferences returns the numbers of the config's references, in their order. One may be the
// start weights.
func (r *registry) addReferences(champion eval.Vector) (numbers []int) {
	for _, reference := range r.config.References {
		weights := reference.Weights
		if reference.FromChampion {
			weights = slices.Clone(champion)
			for i, given := range reference.Given {
				if given {
					weights[i] = reference.Weights[i]
				}
			}
		}
		numbers = append(numbers, r.add(Candidate{Origin: "reference", Name: reference.Name, Dead: reference.Dead},
			weights))
	}
	return numbers
}

// record records the candidates that are new. Candidates that an earlier process recorded must be
// the same ones: anything else would mix two experiments.
func (r *registry) record(ctx context.Context, store Store, run Run) error {
	fresh := r.fresh
	if r.fresh = nil; len(fresh) == 0 {
		return nil
	}
	var stored []Candidate
	if run.Resumed && !r.beyond {
		var err error
		if stored, err = store.Candidates(ctx, run.ID, fresh[0].Number, fresh[len(fresh)-1].Number); err != nil {
			return err
		}
	}
	for i, c := range stored {
		if asked := fresh[i]; !reflect.DeepEqual(asked, c) {
			return fmt.Errorf("resume run %s: the replay asks for candidate %d with %v, the database has %v: "+
				"it was made by another version or changed by hand; start afresh with -new",
				run.Name, asked.Number, asked.Weights, c.Weights)
		}
	}
	if fresh = fresh[len(stored):]; len(fresh) == 0 {
		return nil
	}
	r.beyond = true
	return store.AddCandidates(ctx, run.ID, fresh)
}

// between returns the candidates with numbers from first to last, of a list by number.
func between(list []Candidate, first, last int) []Candidate {
	return list[min(first, len(list)):min(last+1, len(list))]
}
