package experiments

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"tune2048/configs/config"
	"tune2048/engine/eval"
	"tune2048/tuner"
)

// registry numbers the candidates of a run in the order of asking. Identical players are one
// candidate.
type registry struct {
	config *config.Config
	form   *eval.Form // of the config's player
	start  eval.Vector
	next   int               // number of the next new one
	index  hashIndex         // of all, by PlayHash
	known  map[int]candidate // those in use: a night has millions, and their weights are in the store
	fresh  []Candidate       // those that are not recorded, by number
	beyond bool              // whether an earlier process recorded none of the next ones

	read func(number int) (Candidate, error) // from the store; nil: all are in use
	err  error                               // of read, until record returns it
}

// candidate is a candidate in use.
type candidate struct {
	Candidate
	player eval.Player
}

func newRegistry(c *config.Config) registry {
	return registry{config: c, form: c.Form(), start: c.Start(),
		known: map[int]candidate{}}
}

// candidate returns a candidate that is in use.
func (r *registry) candidate(number int) candidate {
	c, known := r.known[number]
	if !known {
		panic(fmt.Sprintf("candidate %d is not in use", number))
	}
	return c
}

// inUse reports whether a candidate is in use.
func (r *registry) inUse(number int) bool { _, known := r.known[number]; return known }

// forget ends the use of all but some and the start weights.
func (r *registry) forget(but []int) {
	maps.DeleteFunc(r.known, func(number int, _ candidate) bool {
		return number != StartNumber &&
			!slices.Contains(but, number)
	})
}

// readFrom makes a store the place of the candidates that are not in use.
func (r *registry) readFrom(ctx context.Context, store Store, run int64) {
	r.read = func(number int) (Candidate, error) {
		stored, err := store.Candidates(ctx, run, number, number)
		if err != nil {
			return Candidate{}, err
		}
		if len(stored) != 1 {
			return Candidate{}, fmt.Errorf("candidate %d is not recorded: somebody changed the database (start afresh with "+
				"-new)", number)
		}
		return stored[0], nil
	}
}

// find returns the number of the candidate with this hash, if there is one.
func (r *registry) find(hash string) (number int, old bool) {
	for number := range r.index.like(hash) {
		c := r.known[number].Candidate
		if !r.inUse(number) && r.err == nil {
			c, r.err = r.read(number)
		}
		if c.PlayHash == hash {
			return number, true
		}
	}
	return 0, false
}

// use takes candidates that are not in use from the store.
func (r *registry) use(numbers []int) error {
	for _, number := range numbers {
		if r.inUse(number) {
			continue
		}
		stored, err := r.read(number)
		if err != nil {
			return err
		}
		player, err := StoredPlayer(r.form.Player(r.start), stored)
		if err != nil {
			return err
		}
		r.known[number] = candidate{stored, player}
	}
	return nil
}

// player returns the candidate as the simulator's player.
func (r *registry) player(number int) eval.Player { return r.candidate(number).player }

// add returns the number of the candidate with these values of the heuristic's weights.
func (r *registry) add(c Candidate, given eval.Vector) (number int) {
	player := r.form.WithDead(c.Dead).Player(given)
	values := player.Values
	c.PlayHash = player.Hash()
	for i, w := range r.config.Weights { // the genome
		if w.Tunable {
			c.Weights = append(c.Weights, Weight{w.Name, values[i]})
		}
	}
	for i, w := range r.config.Weights { // and what a reference overrides
		if !w.Tunable && values[i] != r.start[i] {
			c.Weights = append(c.Weights, Weight{w.Name, values[i]})
		}
	}
	return r.enter(c, player)
}

// enter takes a candidate with its weights and its hash into use, and returns its number.
func (r *registry) enter(c Candidate, player eval.Player) int {
	number, old := r.find(c.PlayHash)
	if r.inUse(number) && old {
		return number
	}
	c.Number = number
	if !old {
		c.Number = r.next
		r.index.add(c.PlayHash, c.Number)
		r.fresh = append(r.fresh, c)
		r.next++
	}
	r.known[c.Number] = candidate{c, player}
	return c.Number
}

// StoredPlayer returns a stored candidate. Weights that it does not have are those of the start.
func StoredPlayer(start eval.Player, candidate Candidate) (eval.Player, error) {
	values, names := slices.Clone(start.Values), start.Heuristic.Names()
	for _, given := range candidate.Weights {
		i := slices.Index(names, given.Name)
		if i < 0 {
			return eval.Player{}, fmt.Errorf("candidate %d: its heuristic has no weight %s", candidate.Number, given.Name)
		}
		values[i] = given.Value
	}
	return start.WithDead(candidate.Dead).Player(values), nil
}

// register numbers a generation's candidates and records the new ones.
func (s *state) register(ctx context.Context, asked []tuner.Candidate, stage string, generation int) ([]int, error) {
	r := &s.candidates
	numbers := make([]int, len(asked))
	for i, a := range asked {
		c := Candidate{Origin: a.Origin, Stage: stage, Generation: generation, Dead: r.config.Heuristic.Dead}
		numbers[i] = r.add(c, r.config.WithGenome(r.start, a.Values))
	}
	return numbers, r.record(ctx, s.Store, s.run)
}

// addReferences returns the numbers of the config's references, in their order. One may be the
// start weights.
func (r *registry) addReferences(champion eval.Vector) (numbers []int) {
	for _, reference := range r.config.References {
		numbers = append(numbers, r.add(Candidate{Origin: "reference", Name: reference.Name, Dead: reference.Dead},
			r.config.Values(reference, champion)))
	}
	return numbers
}

// record records the candidates that are new. Candidates that an earlier process recorded must be
// the same ones: anything else would mix two experiments.
func (r *registry) record(ctx context.Context, store Store, run Run) error {
	fresh := r.fresh
	r.fresh = nil
	if len(fresh) == 0 || r.err != nil {
		return r.err
	}
	var stored []Candidate
	if run.Resumed && !r.beyond {
		var err error
		stored, err = store.Candidates(ctx, run.ID, fresh[0].Number, fresh[len(fresh)-1].Number)
		if err != nil {
			return err
		}
	}
	for i, c := range stored {
		asked := fresh[i]
		if asked.Origin == OriginCompared { // the same player may go by several names
			asked.Name = c.Name
		}
		if !reflect.DeepEqual(asked, c) {
			return fmt.Errorf("resume run %s: the replay asks for candidate %d with %v, the database has %v: "+
				"it was made by another version or changed by hand; start afresh with -new",
				run.Name, asked.Number, asked.Weights, c.Weights)
		}
	}
	fresh = fresh[len(stored):]
	if len(fresh) == 0 {
		return nil
	}
	r.beyond = true
	return store.AddCandidates(ctx, run.ID, fresh)
}
