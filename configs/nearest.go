package configs

import (
	"slices"
	"strings"
)

// maxNameLength of the words compared: a longer word is nobody's typing mistake.
const maxNameLength = 128 // bytes

// usual are the names that other programs have for a feature, in small letters and without "_".
var usual = map[string]string{
	"smooth": "difference", "smoothness": "difference", "roughness": "difference",
	"blanks": "empty", "freecells": "empty", "freetiles": "empty", "opencells": "empty", "opentiles": "empty",
	"maxvalue": "largest", "maxtile": "largest", "maxnumber": "largest", "highest": "largest", "highesttile": "largest", "biggest": "largest", "biggesttile": "largest",
	"gradient": "position", "weightmatrix": "position", "positional": "position",
}

// Nearest returns the name that a mistyped word most likely means: its name for what the word
// usually means, one that it is the beginning of, one that the fewest edits lead to, or one that is
// its beginning. It returns "" if none is alike.
func Nearest(word string, names []string) string {
	if word == "" || len(word) > maxNameLength {
		return ""
	}
	word = strings.ToLower(word)
	if name := usual[strings.ReplaceAll(word, "_", "")]; slices.Contains(names, name) {
		return name
	}
	best, fewest := "", 1+max(2, len(word)/2) // more edits than that make another word
	for _, name := range names {
		lower := strings.ToLower(name)
		switch {
		case len(word) >= 2 && strings.HasPrefix(lower, word):
			return name
		case len(lower) <= maxNameLength: // few edits lead to a short name from anything
			if n := edits(word, lower); n < fewest && n < len(name) {
				best, fewest = name, n
			}
		}
	}
	for _, name := range names {
		if best == "" && len(name) >= 4 && strings.HasPrefix(word, strings.ToLower(name)) {
			return name
		}
	}
	return best
}

// DidYouMean returns "; did you mean NAME?" for the nearest name, or nothing.
func DidYouMean(word string, names []string) string {
	if name := Nearest(word, names); name != "" {
		return "; did you mean " + name + "?"
	}
	return ""
}

// edits is the distance of Levenshtein, in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1) // from the first i bytes of a to the first j of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
