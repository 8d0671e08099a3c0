package results

import "strings"

// nearest returns the name that was probably meant: the one with the fewest edits from it, or one that begins with
// it. Empty if none is near. The first of equals wins.
func nearest(name string, names []string) string {
	lower := strings.ToLower(name)
	best, fewest := "", len(name)/3+2
	for _, n := range names {
		if len(n) > 2*len(name)+64 { // as somebody else's database may have them
			continue
		}
		d := edits(lower, strings.ToLower(n))
		if strings.HasPrefix(strings.ToLower(n), lower) {
			d = min(d, 1)
		}
		if d < fewest {
			best, fewest = n, d
		}
	}
	return best
}

// edits is the distance of Levenshtein, in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
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
