package config

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/plain"
)

func TestPresets(t *testing.T) {
	want := []string{"best-depth3", "best-depth5", "best-distinct7", "best-squares", "best", "cluster", "combined",
		"gradient", "nneonneo", "quickstart", "rows", "smooth", "snake"}
	for _, name := range want {
		c, err := LoadEmbedded(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if c.Name != name || c.Path != "embedded:"+name+".yaml" {
			t.Errorf("%s.yaml has the name %s and the path %s", name, c.Name, c.Path)
		}
		if len(c.Tunable()) == 0 {
			t.Errorf("%s has nothing to tune", name)
		}
		checkRoundTrip(t, c)
		data, err := Embedded(name)
		if err != nil || !bytes.HasPrefix(data, []byte("# yaml-language-server: $schema=schema.json\n# "+name+": ")) {
			t.Errorf("%s.yaml (%v): want its first lines to be\n# yaml-language-server: $schema=schema.json\n# %s: ...", name,
				err, name)
		}
		if name != "quickstart" && !bytes.Contains(data, []byte("\n# Not reproduced: ")) {
			t.Errorf("%s.yaml has no line that begins with %q and says how it differs from its source", name,
				"# Not reproduced: ")
		}
		for i, line := range strings.Split(string(data), "\n") {
			if len(line) > 130 {
				t.Errorf("%s.yaml:%d has %d columns", name, i+1, len(line))
			}
		}
	}
	if !slices.Equal(Names(), want) {
		t.Errorf("shipped are %v, want %v", Names(), want)
	}
}

// The start values are the source's: boards are worth what the source's own formula says.
func TestPresetsReproduceTheirSources(t *testing.T) {
	for name, source := range map[string]func(plain.Board) float64{
		"snake": snakeSource, "rows": rowsSource, "cluster": clusterSource, "nneonneo": nneonneoSource,
		"best": nneonneoSource, "quickstart": nneonneoSource,
		"gradient": gradientSource, "combined": nneonneoSource,
	} {
		c, err := LoadEmbedded(name)
		must(t, err)
		value := valueOf(t, c)
		random := rand.New(rand.NewPCG(1, 2))
		for range 2000 {
			faces := randomFaces(random, 0)
			for range random.IntN(16) {
				faces[random.IntN(4)][random.IntN(4)] = 0
			}
			want := source(faces)
			if got := value(faces); math.Abs(got-want) > 1e-6*math.Max(1, math.Abs(want)) {
				t.Fatalf("%s: %v is worth %v, want %v", name, faces, got, want)
			}
		}
	}
}

// valueOf returns what a config's start weights make of a board.
func valueOf(t *testing.T, c *Config) func(plain.Board) float64 {
	t.Helper()
	tables, err := eval.NewCompiler(&c.Heuristic).Compile(c.Start(), c.Heuristic.Dead)
	must(t, err)
	return func(faces plain.Board) float64 {
		board, err := engine.FromFaces(faces)
		must(t, err)
		return tables.Value(board)
	}
}

// randomFaces draws a board of any tiles from the lowest rank on; rank 0 is a blank.
func randomFaces(random *rand.Rand, lowest int) (faces plain.Board) {
	for r := range faces {
		for k := range faces[r] {
			if rank := lowest + random.IntN(engine.MaxRank+1-lowest); rank > 0 {
				faces[r][k] = 1 << rank
			}
		}
	}
	return faces
}

// gradientSource is the leaf value of github.com/LeeYiyuan/2048ai: the best of its matrix in 8
// orientations.
var gradientSource = plain.Family([]plain.Feature{{Kind: "position", Tile: "face", Power: 1, Weight: 1,
	Matrix: [4][4]float64{
		{0.135759, 0.121925, 0.102812, 0.099937},
		{0.0997992, 0.0888405, 0.076711, 0.0724143},
		{0.060654, 0.0562579, 0.037116, 0.0161889},
		{0.0125498, 0.00992495, 0.00575871, 0.00335193},
	}}}, true)

// smooth.yaml lists the parts of its source that it has and that it lacks. On boards without blanks
// the one difference left is that the source's monotonicity takes one order for all rows and one
// for all columns. Where all have the same, as on boards with sorted rows and columns, they are
// equal. testdata/public/ovolve.yaml reproduces the source.
func TestSmoothOnFullBoards(t *testing.T) {
	smooth, err := LoadEmbedded("smooth")
	must(t, err)
	ovolve, err := Load("testdata/public/ovolve.yaml")
	must(t, err)
	value, source := valueOf(t, smooth), valueOf(t, ovolve)
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 4000 {
		b := randomFaces(random, 1)
		sorted := i%2 == 0
		if sorted {
			for r := range b {
				slices.Sort(b[r][:])
			}
			for c := range 4 {
				column := [4]int{b[0][c], b[1][c], b[2][c], b[3][c]}
				slices.Sort(column[:])
				for r := range b {
					b[r][c] = column[r]
				}
			}
		}
		got, want := value(b), source(b)
		if sorted && math.Abs(got-want) > 1e-6 || got < want-1e-6 {
			t.Fatalf("sorted %v: %v is worth %v, the source says %v", sorted, b, got, want)
		}
	}
}

// What the sources have beyond the value of a board.
func TestPresetsHaveTheirRulesAndDead(t *testing.T) {
	worst := eval.Dead{Worst: true}
	for name, want := range map[string]struct {
		search string
		dead   eval.Dead
	}{
		"snake": {"depth 5", worst}, "rows": {"depth 7", worst},
		"cluster":  {"depth by empty >12:2 >7:3 >4:4 >1:5 else 7", worst},
		"nneonneo": {"depth by distinct -2 least 3 p 0.0001", eval.Dead{}}, "quickstart": {"depth 3", eval.Dead{}},
		"gradient": {"depth 7", worst}, "smooth": {"depth by distinct -7 least 2", worst},
		"combined": {"depth by distinct -7 least 2", eval.Dead{}},
	} {
		c, err := LoadEmbedded(name)
		must(t, err)
		if c.Search.String() != want.search || c.Heuristic.Dead != want.dead {
			t.Errorf("%s: got %s and dead %+v, want %s and %+v", name, c.Search, c.Heuristic.Dead, want.search, want.dead)
		}
	}
	c, err := LoadEmbedded("nneonneo")
	must(t, err)
	published := c.References[0]
	if !reflect.DeepEqual(c.Values(published, nil), c.Start()) || published.Dead != c.Heuristic.Dead {
		t.Errorf("the published weights are %v, the start %v", published.Weights, c.Start())
	}
}
