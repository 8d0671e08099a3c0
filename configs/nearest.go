package configs

import "strings"

// maxNameLength of what is compared: a longer word is nobody's typing mistake.
const maxNameLength = 64 // bytes

// Nearest returns the name that a mistyped word most likely means: one it is the beginning of, or else the one
// that the fewest edits lead to. It returns "" if none is alike.
func Nearest(word string, names []string) string {
	if word == "" || len(word) > maxNameLength {
		return ""
	}
	word = strings.ToLower(word)
	best, fewest := "", 1+max(2, len(word)/2) // more edits than that make another word
	for _, name := range names {
		lower := strings.ToLower(name)
		if len(word) >= 2 && strings.HasPrefix(lower, word) {
			return name
		}
		// A short name is reached from anything by few edits, a long one from nothing.
		if len(lower) > 2*maxNameLength {
			continue
		}
		if n := edits(word, lower); n < fewest && n < len(name) {
			best, fewest = name, n
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

// edits is the optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours
// that lead from a to b.
func edits(a, b string) int {
	before, last, now := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		now[0] = i
		for j := 1; j <= len(b); j++ {
			differ := 1
			if a[i-1] == b[j-1] {
				differ = 0
			}
			now[j] = min(last[j]+1, now[j-1]+1, last[j-1]+differ)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				now[j] = min(now[j], before[j-2]+1)
			}
		}
		before, last, now = last, now, before
	}
	return last[len(b)]
}
