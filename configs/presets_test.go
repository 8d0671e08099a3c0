package configs

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/engine/plain"
)

func TestPresets(t *testing.T) {
	want := []string{"cluster", "nneonneo", "quickstart", "rows", "snake"}
	for _, name := range want {
		c, err := LoadEmbedded(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if c.Name != name || c.Path != "embedded:"+name+".yaml" {
			t.Errorf("%s.yaml has the name %s and the path %s", name, c.Name, c.Path)
		}
		if len(c.Family.Tunable()) == 0 {
			t.Errorf("%s has nothing to tune", name)
		}
		checkRoundTrip(t, c)
		data, err := Embedded(name + ".yaml")
		if err != nil || !bytes.HasPrefix(data, []byte("# "+name+": ")) || name != "quickstart" && !bytes.Contains(data, []byte("\n# Not reproduced: ")) {
			t.Errorf("%s.yaml does not say where it comes from (%v)", name, err)
		}
	}
	for _, name := range Names() {
		data, err := Embedded(name)
		if err != nil {
			t.Fatal(err)
		}
		// A family that is a label may name its own file: without features that file would look for itself.
		if !bytes.Contains(data, []byte("  features:\n")) {
			t.Errorf("%s.yaml has no features of its own", name)
		}
		for i, line := range strings.Split(string(data), "\n") {
			if len(line) > 130 {
				t.Errorf("%s.yaml:%d has %d columns", name, i+1, len(line))
			}
		}
	}
	for _, name := range want {
		if !strings.Contains(strings.Join(Names(), " "), name) {
			t.Errorf("%s is not shipped: %v", name, Names())
		}
	}
}

// The start values are the source's: boards are worth what the source's own formula says.
func TestPresetsReproduceTheirSources(t *testing.T) {
	for name, source := range map[string]func(plain.Board) float64{
		"snake": plain.Snake, "rows": plain.Rows, "cluster": plain.Cluster, "nneonneo": plain.Nneonneo, "quickstart": plain.Nneonneo,
	} {
		c, err := LoadEmbedded(name)
		if err != nil {
			t.Fatal(err)
		}
		tables, err := heuristic.NewCompiler(&c.Family).Compile(c.Family.Start(), c.Family.Dead)
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(1, 2))
		for range 2000 {
			var faces [4][4]int
			for r := range faces {
				for k := range faces[r] {
					if rank := random.IntN(engine.MaxRank + 1); rank > 0 {
						faces[r][k] = 1 << rank
					}
				}
			}
			board, err := engine.FromFaces(faces)
			if err != nil {
				t.Fatal(err)
			}
			want := source(plain.Board(faces))
			if got := tables.Value(board); math.Abs(got-want) > 1e-6*math.Max(1, math.Abs(want)) {
				t.Fatalf("%s: %v is worth %v, want %v", name, faces, got, want)
			}
		}
	}
}

// What DESIGN says of the sources beyond the value of a board.
func TestPresetsHaveTheirRulesAndDead(t *testing.T) {
	worst := heuristic.Dead{Worst: true}
	for name, want := range map[string]struct {
		search string
		dead   heuristic.Dead
		fixed  map[string]float64
	}{
		"snake":      {"depth 5", worst, map[string]float64{"snake": 1}},
		"rows":       {"depth 7", worst, map[string]float64{"line": 1000, "empty": 250}},
		"cluster":    {"depth by empty >12:2 >7:3 >4:4 >1:5 else 7", worst, map[string]float64{"position": 1, "position_matrix_0_0": 15}},
		"nneonneo":   {"depth by distinct -2 least 3 p 0.0001", heuristic.Dead{}, map[string]float64{"line": 200000}},
		"quickstart": {"depth 3", heuristic.Dead{}, map[string]float64{"line": 200000}},
	} {
		c, err := LoadEmbedded(name)
		if err != nil {
			t.Fatal(err)
		}
		if c.Search.String() != want.search || c.Family.Dead != want.dead {
			t.Errorf("%s: got %s and dead %+v, want %s and %+v", name, c.Search, c.Family.Dead, want.search, want.dead)
		}
		fixed := map[string]float64{}
		for _, n := range c.Family.Numbers() {
			if !n.Tunable {
				fixed[n.Name] = n.Value
			}
		}
		for weight, value := range want.fixed {
			if got, ok := fixed[weight]; !ok || got != value {
				t.Errorf("%s: %s is %v (%v), want it fixed at %v", name, weight, got, ok, value)
			}
		}
	}
	c, err := LoadEmbedded("nneonneo")
	if err != nil {
		t.Fatal(err)
	}
	published := c.References[0]
	values, err := c.Weights(published.Weights)
	if err != nil || !reflect.DeepEqual(values, c.Family.Start()) || published.Dead != c.Family.Dead || len(published.Weights) != len(values) {
		t.Errorf("the published weights are %v (%v), the start %v", values, err, c.Family.Start())
	}
}
