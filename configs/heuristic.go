package configs

import (
	"errors"
	"slices"
	"strings"

	"tune2048/engine/heuristic"
)

const maxFeatures = 64

var heuristicKeys = []string{"family", "dead", "symmetry", "features"}

// settingKeys are the keys that some kinds of features have and others do not.
var settingKeys = []string{"tile", "power", "decay", "matrix", "count", "blanks", "corner", "first"}

// heuristic reads the family into the config. Without features, a label that names a shipped config stands for
// that config's whole heuristic, of which dead and symmetry may be given another value.
func (v value) heuristic(c *Config) {
	f, ok := v.fields(heuristicKeys...)
	if !ok {
		return
	}
	before := v.doc.found
	family := heuristic.Family{Dead: heuristic.Dead{Worst: true}, Symmetry: heuristic.SymmetryNone}
	label, labelled := f.get("family")
	if labelled {
		c.Label, _ = label.name()
	}
	features, hasFeatures := f.get("features")
	var places []map[string]value
	switch {
	case hasFeatures:
		family.Features, places = features.features()
	case labelled && c.Label != "":
		shipped, err := LoadEmbedded(c.Label)
		if err != nil {
			label.problem("there is no shipped family %s%s; give features, or one of %s", c.Label, didYouMean(c.Label, Names()), either(Names()))
			return
		}
		family = shipped.Family
	case !labelled:
		v.problem("want features, or the family of a shipped config: %s", either(Names()))
	}
	if dead, ok := f.get("dead"); ok {
		family.Dead, _ = dead.dead()
	}
	f.choice("symmetry", &family.Symmetry, heuristic.SymmetryNone, heuristic.SymmetryBest)
	c.Family = family
	if v.doc.found > before {
		return
	}

	// What can be wrong with right numbers: ranges that leave a feature's domain or overflow its tables.
	var problem *heuristic.Problem
	switch err := family.Check(); {
	case err == nil:
	case errors.As(err, &problem) && problem.Feature >= 0 && problem.Feature < len(places):
		place, ok := places[problem.Feature][problem.Setting]
		if !ok {
			place = places[problem.Feature][""]
		}
		place.problem("%s", problem.Reason)
	default:
		v.problem("%v", err)
	}
}

// dead reads the value of a position without a legal move.
func (v value) dead() (heuristic.Dead, bool) {
	if v.isText() && v.node.Value == "worst" {
		return heuristic.Dead{Worst: true}, true
	}
	if !v.isPlain() || v.isText() || v.isNull() {
		v.want("worst or a number")
		return heuristic.Dead{}, false
	}
	x, ok := v.number()
	return heuristic.Dead{Value: x}, ok
}

// features reads the list of features. The places are where each one's settings stand, by key and for entries
// of the matrix by matrix_ROW_COLUMN; "" is the feature itself.
func (v value) features() (list []heuristic.Feature, places []map[string]value) {
	items, ok := v.items("features", 1, maxFeatures)
	if !ok {
		return nil, nil
	}
	owner := map[string]int{} // index of the feature by the names of its numbers
	for i, item := range items {
		place := map[string]value{"": item}
		feature, ok := item.feature(place)
		if !ok {
			continue
		}
		list, places = append(list, feature), append(places, place)
		alone := heuristic.Family{Features: []heuristic.Feature{feature}}
		for _, n := range alone.Numbers() {
			if j, taken := owner[n.Name]; taken {
				at, named := place["name"]
				if !named {
					at = item
				}
				at.problem("the name %s is taken by %s: give one of them another name", n.Name, items[j].key)
				break
			}
			owner[n.Name] = i
		}
	}
	return list, places
}

// feature reads {feature: KIND, name, weight, ...}.
func (v value) feature(place map[string]value) (feature heuristic.Feature, ok bool) {
	// The kind says which keys there are, so it is looked up before them.
	all, ok := v.entries()
	if !ok {
		return feature, false
	}
	kindValue, ok := all.required("feature", "feature: empty")
	if !ok {
		return feature, false
	}
	kind, ok := kindValue.choice(heuristic.Kinds()...)
	if !ok {
		return feature, false
	}
	before := v.doc.found
	settings, _ := heuristic.Uses(kind)
	known := append([]string{"feature", "name", "weight"}, settings...)
	for _, key := range all.keys {
		entry := all.entries[key]
		place[key] = entry
		switch {
		case slices.Contains(known, key):
		case slices.Contains(settingKeys, key):
			entry.problem("%s does not use it; want %s", kind, either(known))
		default:
			entry.problem("unknown key%s; want %s", didYouMean(key, known), either(known))
		}
	}

	feature = heuristic.Defaults(kind)
	all.name("name", &feature.Name)
	all.tunable("weight", &feature.Weight)
	for _, setting := range settings {
		switch setting {
		case "tile":
			all.choice(setting, &feature.Tile, heuristic.Face, heuristic.Rank)
		case "power":
			all.tunable(setting, &feature.Power)
		case "decay":
			if _, ok := all.required(setting, "decay: 0.1"); ok {
				all.tunable(setting, &feature.Decay)
			}
		case "matrix":
			if matrix, ok := all.required(setting, "matrix: [[3, 2, 1, 0], [2, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]]"); ok {
				matrix.matrix(&feature.Matrix, place)
			}
		case "count":
			all.choice(setting, &feature.Count, heuristic.Pairs, heuristic.Runs)
		case "blanks":
			all.choice(setting, &feature.Blanks, heuristic.Skip, heuristic.Keep)
		case "corner":
			all.choice(setting, &feature.Corner, heuristic.UpperLeft, heuristic.UpperRight, heuristic.LowerLeft, heuristic.LowerRight)
		case "first":
			all.choice(setting, &feature.First, heuristic.Column, heuristic.Row)
		}
	}
	return feature, v.doc.found == before
}

// tunable reads a number of the heuristic into place if the key is given and right.
func (f fields) tunable(key string, place *heuristic.Number) {
	if v, ok := f.get(key); ok {
		if n, ok := v.tunable(); ok {
			*place = n
		}
	}
}

// matrix reads four rows of four numbers, the upper row first.
func (v value) matrix(matrix *[4][4]heuristic.Number, place map[string]value) {
	rows, ok := v.items("4 rows of 4 numbers", len(matrix), len(matrix))
	if !ok {
		return
	}
	for r, row := range rows {
		cells, ok := row.items("4 numbers", len(matrix[r]), len(matrix[r]))
		if !ok {
			continue
		}
		for c, cell := range cells {
			matrix[r][c], _ = cell.tunable()
			place[strings.Join([]string{"matrix", string(rune('0' + r)), string(rune('0' + c))}, "_")] = cell
		}
	}
}
