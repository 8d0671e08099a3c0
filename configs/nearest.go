package configs

import "strings"

// maxNameLength of the words compared: a longer word is nobody's typing mistake.
const maxNameLength = 128 // bytes

// Nearest returns the name that a mistyped word most likely means: one it is the beginning of, or
// else the one that the fewest edits lead to. It returns "" if none is alike.
func Nearest(word string, names []string) string {
	if word == "" || len(word) > maxNameLength {
		return ""
	}
	word = strings.ToLower(word)
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
	return best
}

// didYouMean returns "; did you mean NAME?" for the nearest name, or nothing.
func didYouMean(word string, names []string) string {
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
