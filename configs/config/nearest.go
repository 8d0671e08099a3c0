package config

import "strings"

// Nearest returns the name that a mistyped word most likely means: one that has another word for
// it, one that it is the beginning of, one that the fewest edits lead to, or one that is its
// beginning. It returns "" if none is alike.
func Nearest(word string, names []string) string {
	if word == "" || len(word) > 128 { // bytes: nobody's typing mistake
		return ""
	}
	word = strings.ToLower(word)
	if name := otherWord(word, names); name != "" {
		return name
	}
	best, fewest := "", len(word)
	for _, name := range names {
		lower := strings.ToLower(name)
		n, most := edits(word, lower), max(1, (max(len(word), len(name))-1)/2)
		switch {
		case len(word) >= 2 && strings.HasPrefix(lower, word):
			return name
		case len(name) >= 4 && strings.HasPrefix(word, lower):
			n = min(n, most, len(name)-1)
		}
		if n <= most && n < fewest && n < len(name) { // few edits lead to a short name from anything
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

// edits is the distance of Damerau and Levenshtein, in bytes: two neighbours that trade places are
// one edit.
func edits(a, b string) int {
	rows := make([][]int, len(a)+1) // from the first i bytes of a to the first j of b
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		for j := range rows[i] {
			rows[i][j] = i + j
			if i == 0 || j == 0 {
				continue
			}
			change := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			rows[i][j] = min(change, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
