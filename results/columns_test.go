package results

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// TestNewColumn: import carries a column that only the schema knows, and verify compares it, in
// every table of facts and of figures. The games of the memo are compared by playing them.
func TestNewColumn(t *testing.T) {
	tables := []string{"searches", "endings", "candidates", "slices", "asked", "memo", "comparisons", "standings",
		"generations", "tiles"}
	before, made := schema, statements
	defer func() { schema, statements = before, made }()
	for _, table := range tables {
		schema = strings.Replace(schema, "CREATE TABLE "+table+" (", "CREATE TABLE "+table+" (\n\tnews TEXT,", 1)
	}
	statements = sync.OnceValue(splitSchema)
	c := sure(config.Parse([]byte(`name: new
heuristic: {features: [{feature: line, weight: 1000}, {feature: empty, weight: {min: 0, max: 3000, start: 270}}]}
search: {depth: 1}
optimizer: {algorithm: genetic, population: 4}
stages: [{generations: 1, games: 2}]
playoff: {finalists: 2, games: 2}
validation: {games: 2}
ablation: {games: 2}
`), "test"))(t)
	s, path := open(t)
	pool := simulator.NewPool(1)
	defer pool.Close()
	run := sure(experiments.Experiment{Config: c, Store: s, Simulator: pool}.Run(ctx))(t)
	for _, table := range tables {
		execute(t, s.writer, "UPDATE "+table+" SET news = '"+table+"'")
	}
	to, _ := open(t)
	if came := sure(to.Import(ctx, path))(t); len(came) != 1 {
		t.Fatalf("got %v", came)
	}
	for _, table := range tables {
		var rows, carried int
		must(t, to.writer.QueryRow("SELECT count(*), count(nullif(news = '"+table+"', 0)) FROM "+table).Scan(&rows, &carried))
		counts(t, s, table, rows)
		if carried != rows || rows == 0 {
			t.Errorf("%s: import carries the new column of %d of %d rows", table, carried, rows)
		}
	}
	stored := sure(s.reader.Run(ctx, run.ID))(t)
	v := sure(s.reader.Redo(ctx, stored, c, nil))(t)
	defer v.Close()
	found := strings.Join(v.Differences, "\n")
	for _, table := range tables {
		if says := strings.Contains(found,
			fmt.Sprintf(": news is stored as %s, found <nil>", table)); says != (table != "memo") {
			t.Errorf("%s: verify says %v in\n%s", table, says, found)
		}
	}
}
