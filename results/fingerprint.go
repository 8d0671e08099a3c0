package results

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"math"

	"tune2048/experiments"
)

// canon is a stream of facts that is the same whenever the facts are: every text has its length
// before it, every number has eight bytes, a float its bits.
type canon struct {
	sum hash.Hash
	buf []byte
}

func newCanon() *canon { return &canon{sum: sha256.New()} }

func (c *canon) add(facts ...any) {
	c.buf = c.buf[:0]
	for _, fact := range facts {
		switch f := fact.(type) {
		case string:
			c.buf = append(binary.BigEndian.AppendUint64(c.buf, uint64(len(f))), f...)
		case int:
			c.buf = binary.BigEndian.AppendUint64(c.buf, uint64(f))
		case int64:
			c.buf = binary.BigEndian.AppendUint64(c.buf, uint64(f))
		case float64:
			c.buf = binary.BigEndian.AppendUint64(c.buf, math.Float64bits(f))
		default:
			c.buf = fmt.Append(c.buf, f) // somebody changed the file: no column has another type
		}
	}
	c.sum.Write(c.buf)
}

// text is the hash so far.
func (c *canon) text() string { return hex.EncodeToString(c.sum.Sum(nil)) }

// fingerprint is the SHA-256 of everything that an ending found: kind, objective, seed, signature
// and champion, then the hashes of the candidates and of the evaluations of its search, then its
// own ones, and its comparisons, each in an order of its own. How the run was asked for has no part
// in it: neither its config nor a limit such as -for. Nor have its name, names of compared players,
// ids, times, status, workers, nodes, boards, and figures.
func fingerprint(ctx context.Context, q querier, ending int64) (string, error) {
	o, err := readOwned(ctx, q, ending)
	if err != nil {
		return "", err
	}
	search, err := hashSearch(ctx, q, o)
	if err != nil {
		return "", err
	}
	c := newCanon()
	c.add("tune2048 results 5")
	c.add(search.candidates.text(), search.evaluations.text())
	err = cmp.Or(
		c.rows(ctx, q, "SELECT 'run', kind, objective, signature, seed, coalesce(champion_id % 1000000000, -1) "+
			"FROM endings WHERE id = ?", ending),
		c.addCandidates(ctx, q, ids{candidateID(ending, o.candidates), candidateID(ending+1, 0) - 1}),
		c.addEvaluations(ctx, q, ending, o.questions, candidatesPerOwner),
		// An open end of an interval is infinite.
		c.rows(ctx, q, `SELECT 'comparison', phase, search, objective, question, verdict, candidate_id % 1000000000,
			baseline_id % 1000000000, games, baseline_games, look, coalesce(more_games, 0), difference, coalesce(ratio, 9e999),
			confidence, smallest_difference, p, p_adjusted, level, coalesce(ci_low, -9e999), coalesce(ci_high, 9e999),
			coalesce(ratio_ci_low, -9e999), coalesce(ratio_ci_high, 9e999)
			FROM comparisons WHERE ending_id = ? ORDER BY phase, search, candidate_id % 1000000000, baseline_id % 1000000000,
			look`, ending))
	return c.text(), err
}

// rows adds the rows of a query.
func (c *canon) rows(ctx context.Context, q querier, query string, args ...any) error {
	for row, err := range each(ctx, q, scanRow, query, args...) {
		if err != nil {
			return err
		}
		c.add(row...)
	}
	return nil
}

// addCandidates adds the candidates with these ids.
func (c *canon) addCandidates(ctx context.Context, q querier, of ids) error {
	for one, err := range eachCandidate(ctx, q, "c.id BETWEEN ? AND ?", of.first, of.last) {
		if err != nil {
			return err
		}
		dead, _ := formatDead(one.Dead) // it was read
		if one.Origin == experiments.OriginCompared {
			one.Name = "" // its user's, or of its run, which may be renamed
		}
		c.add("candidate", one.Origin, one.Name, one.Stage, dead, one.PlayHash, one.Number, one.Generation, len(one.Weights))
		for _, w := range one.Weights {
			c.add(w.Name, w.Value)
		}
	}
	return nil
}

// addEvaluations adds the evaluations of an owner that have numbers from one on and below another.
func (c *canon) addEvaluations(ctx context.Context, q querier, owner int64, from, below int) error {
	for e, err := range evaluationsOf(ctx, q, detailedColumns, owner, from, below, "") {
		if err != nil {
			return err
		}
		c.add("evaluation", e.Phase, e.Stage, e.Search, e.Key, e.Number, e.Generation, e.Round, e.Candidate, e.First, e.Moves,
			len(e.Scores))
		for i, score := range e.Scores {
			c.add(score, int(e.Each[i].Rank), e.Each[i].Moves)
		}
		if e.Failure != "" {
			c.add(e.Fault())
		}
	}
	return nil
}

// searchHash is the running hash of a search: of its candidates and its evaluations so far. A night
// has millions of them, so they are read once.
type searchHash struct {
	Candidates, Questions int // those with smaller numbers are in
	States                [2][]byte
	candidates            *canon
	evaluations           *canon
}

// hashSearch returns the running hash of an ending's search at its end. It begins with what is
// stored, unless that has more.
func hashSearch(ctx context.Context, q querier, o owned) (*searchHash, error) {
	h := &searchHash{candidates: newCanon(), evaluations: newCanon()}
	if o.search == 0 {
		return h, nil
	}
	var text sql.NullString
	if err := q.QueryRowContext(ctx, "SELECT hashed FROM searches WHERE id = ?", o.search).Scan(&text); err != nil {
		return nil, err
	}
	old := searchHash{candidates: newCanon(), evaluations: newCanon()}
	if text.Valid && json.Unmarshal([]byte(text.String), &old) == nil && old.Candidates >= 0 &&
		old.Candidates <= o.candidates &&
		old.Questions >= 0 && old.Questions <= o.questions &&
		old.candidates.sum.(encoding.BinaryUnmarshaler).UnmarshalBinary(old.States[0]) == nil &&
		old.evaluations.sum.(encoding.BinaryUnmarshaler).UnmarshalBinary(old.States[1]) == nil {
		h = &old
	}
	// Those of a tuning that goes on are in as far as they are recorded.
	var err error
	o.candidates, o.questions, err = sizeOfTuning(ctx, q, o)
	if err == nil && h.Candidates < o.candidates {
		err = h.candidates.addCandidates(ctx, q,
			ids{candidateID(o.search, h.Candidates), candidateID(o.search, o.candidates-1)})
	}
	if err == nil && h.Questions < o.questions {
		err = h.evaluations.addEvaluations(ctx, q, o.search, h.Questions, o.questions)
	}
	h.Candidates, h.Questions = max(h.Candidates, o.candidates), max(h.Questions, o.questions)
	return h, err
}

// keep stores the running hash, unless one with more is there.
func (h *searchHash) keep(ctx context.Context, tx *sql.Tx, search int64) error {
	for i, c := range []*canon{h.candidates, h.evaluations} {
		h.States[i], _ = c.sum.(encoding.BinaryMarshaler).MarshalBinary() // never fails
	}
	text, _ := json.Marshal(h)
	_, err := tx.ExecContext(ctx, "UPDATE searches SET hashed = ?1 "+
		"WHERE id = ?2 AND coalesce(hashed ->> 'Questions', -1) < ?3", string(text), search, h.Questions)
	return err
}
