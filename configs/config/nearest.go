package config

import "strings"

// Nearest returns the name that a mistyped word most likely means: one that it is the beginning of,
// one that the fewest edits lead to, or one that is its beginning. It returns "" if none is alike.
func Nearest(word string, names []string) string {
	if word == "" || len(word) > 128 { // bytes: nobody's typing mistake
		return ""
	}
	word = strings.ToLower(word)
	most := max(2, len(word)/2) // more edits than that make another word
	best, fewest := "", most+1
	for _, name := range names {
		lower := strings.ToLower(name)
		n := edits(word, lower)
		switch {
		case len(word) >= 2 && strings.HasPrefix(lower, word):
			return name
		case len(name) >= 4 && strings.HasPrefix(word, lower):
			n = min(n, most, len(name)-1)
		}
		if n < fewest && n < len(name) { // few edits lead to a short name from anything
			best, fewest = name, n
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
