package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"tune2048/configs"
	"tune2048/engine/heuristic"
	"tune2048/results"
)

// export prints a champion's weights, what they are worth, and the heuristic they belong to, as JSON.
func export(ctx context.Context, in *invocation) error {
	f := in.flags()
	var database string
	databaseFlag(f, &database)
	flat := f.Bool("flat", false, "print the weights only, as one flat JSON object of name: number")
	name, err := in.parseRun(f)
	if err != nil {
		return err
	}
	reader, err := results.OpenReader(database)
	if err != nil {
		return err
	}
	defer reader.Close()
	champion, err := reader.Champion(ctx, name)
	if err != nil {
		return err
	}
	run := champion.Run
	c, err := run.Config()
	if err != nil {
		return err
	}
	named := map[string]float64{}
	for _, w := range champion.Candidate.Weights {
		named[w.Name] = w.Value
	}
	values, err := c.Weights(named)
	if err != nil {
		return fmt.Errorf("the champion of run %s does not fit its config: %w", run.Name, err)
	}
	weights, err := orderedWeights(c.Family.Weights(), values)
	if err != nil {
		return err
	}
	if *flat {
		_, err := fmt.Fprintf(in.stdout, "%s\n", weights)
		return err
	}
	return in.printExport(champion, c, weights)
}

// orderedWeights writes all weights of a family as a JSON object in the family's order.
func orderedWeights(weights []heuristic.Weight, values heuristic.Vector) (json.RawMessage, error) {
	var b bytes.Buffer
	b.WriteString("{")
	for i, n := range weights {
		v, err := json.Marshal(values[i])
		if err != nil {
			return nil, fmt.Errorf("weight %s: %w", n.Name, err)
		}
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, "\n  %q: %s", n.Name, v)
	}
	b.WriteString("\n}")
	return b.Bytes(), nil
}

// printExport prints the weights with where they come from.
func (in *invocation) printExport(champion results.Champion, c *configs.Config, weights json.RawMessage) error {
	dead := any("worst")
	if !champion.Candidate.Dead.Worst {
		dead = champion.Candidate.Dead.Value
	}
	out := struct {
		Run        string          `json:"run"`
		Candidate  int             `json:"candidate"`
		Origin     string          `json:"origin"`
		ConfigHash string          `json:"config_hash"`
		Heuristic  string          `json:"heuristic_hash"`
		Signature  string          `json:"signature"`
		Search     string          `json:"search"`
		Dead       any             `json:"dead"`
		Weights    json.RawMessage `json:"weights"`
		HeldOut    []heldOutJSON   `json:"validation"`
	}{
		Run: champion.Run.Name, Candidate: champion.Candidate.Number, Origin: champion.Candidate.Origin,
		ConfigHash: champion.Run.ConfigHash, Heuristic: heuristicHash(c), Signature: champion.Run.Signature, Search: c.Search.String(), Dead: dead, Weights: weights,
		HeldOut: heldOut(champion.HeldOut),
	}
	return writeJSON(in.stdout, out)
}
