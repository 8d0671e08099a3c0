package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// MarshalJSON writes {"depth": 3, "best": "left", "values": {"up": 1.5, "left": 2.5}}. Moves are in
// the order of Moves, legal ones only; without any best is null. A value that is not finite fails.
func (d Decision) MarshalJSON() ([]byte, error) {
	var values bytes.Buffer
	for _, m := range Moves() {
		if !d.Legal[m] {
			continue
		}
		if values.Len() > 0 {
			values.WriteByte(',')
		}
		v, err := json.Marshal(d.Values[m])
		if err != nil {
			return nil, fmt.Errorf("value of %v: %w", m, err)
		}
		fmt.Fprintf(&values, "%q:%s", m, v)
	}
	best := "null"
	if d.Best != NoMove {
		best = fmt.Sprintf("%q", d.Best)
	}
	return fmt.Appendf(nil, `{"depth":%d,"best":%s,"values":{%s}}`, d.Depth, best, &values), nil
}
