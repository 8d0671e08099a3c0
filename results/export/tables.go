package export

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"tune2048/engine"
	"tune2048/engine/eval"
)

// Tables writes the look-up table of the lines, a number for each of the 65,536 rows, as a header
// of C. The raw table is 65,537 little-endian float64, the last one for a position without a legal
// move. The index of a row has the rank of its first tile in its lowest four bits and the rank of
// its last tile in its highest. 0 is a blank. The first tile is the left one of a row and the upper
// one of a column. A heuristic that is no sum over rows and columns alike is an error, and so is
// one whose value is the best of 8 such sums.
func Tables(w io.Writer, r *Record, raw bool) error {
	const instead = ", so that no table of lines holds it: export source code instead, such as -format python"
	compiled, err := eval.NewCompiler(&r.heuristic).Compile(r.values, r.heuristic.Dead)
	if err != nil {
		return fmt.Errorf("export tables: %w", err)
	}
	for i := range r.heuristic.Features {
		f := &r.heuristic.Features[i]
		if d := f.Define(r.values); d.Over != "line" && r.values[f.Weight.At] != 0 {
			return fmt.Errorf("export tables: %s (%s) is not a sum over rows and columns alike%s", f.Name, f.Kind, instead)
		}
	}
	if compiled.Turns {
		return errors.New("export tables: with symmetry best the value is the best sum of the board's 8 orientations" +
			instead)
	}
	values := make([]float64, len(engine.LineTable{}))
	if compiled.Rows != nil {
		for row, v := range compiled.Rows {
			values[row] = float64(v) * math.Ldexp(1, -compiled.Bits)
		}
	}
	if raw {
		return binary.Write(w, binary.LittleEndian, append(values, compiled.Dead))
	}
	return templates().ExecuteTemplate(w, "tables.h.tmpl",
		map[string]any{"About": r.about(), "Dead": number(compiled.Dead),
			"Rows": table{language: languages["c"], Values: values}.Rows()})
}
