package engine

import (
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"tune2048/engine/plain"
)

func mustParse(t testing.TB, text string) Board {
	t.Helper()
	b, err := ParseBoard(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// randomBoard draws a board of ranks up to top with about the given share of blanks.
func randomBoard(r *rand.Rand, top int, blanks float64) Board {
	var b Board
	for i := range 16 {
		if r.Float64() >= blanks {
			b |= Board(1+r.IntN(top)) << (4 * i)
		}
	}
	return b
}

// boards returns many boards of all kinds: full and empty, low and high.
func boards(n int) []Board {
	r := rand.New(rand.NewPCG(2048, 4096))
	list := []Board{0, 1, 1 << 60, 0xFFFFFFFFFFFFFFFF, 0x1212212112122121, 0xFF}
	for i := range n {
		list = append(list, randomBoard(r, 1+i%15, float64(i%9)/8))
	}
	return list
}

func TestParseBoard(t *testing.T) {
	b := mustParse(t, "0 2 0 0/8 8 4 0/1024 2 4 2/2048 4 16 4") // the final example of seeds/002
	want := plain.Board{{0, 2, 0, 0}, {8, 8, 4, 0}, {1024, 2, 4, 2}, {2048, 4, 16, 4}}
	if b.Faces() != want {
		t.Errorf("got %v, want %v", b.Faces(), want)
	}
	if got, want := b.String(), "0 2 0 0/8 8 4 0/1024 2 4 2/2048 4 16 4"; got != want {
		t.Errorf("String gives %q, want %q", got, want)
	}
	for _, text := range []string{"0,2,0,0\n8,8,4,0\n1024,2,4,2\n2048,4,16,4\n",
		" 0  2 0 0 / 8 8 4 0/1024\t2 4 2/2048 4 16 4 "} {
		if got := mustParse(t, text); got != b {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

func TestParseBoardErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                                  `board "": want 4 rows separated by /, got 0: write it like "0 2 0 0/8 8 4 0/1024 2 4 2/2048 4 16 4"`,
		"0 0 0 0/0 0 0 0/0 0 0 0":                           `board "0 0 0 0/0 0 0 0/0 0 0 0": want 4 rows separated by /, got 3: write it like "0 2 0 0/8 8 4 0/1024 2 4 2/2048 4 16 4"`,
		"2 2 2 2/0 0 0 0/0 0 0 0/0/0":                       `board "2 2 2 2/0 0 0 0/0 0 0 0/0/0": want 4 rows separated by /, got 5: write it like "0 2 0 0/8 8 4 0/1024 2 4 2/2048 4 16 4"`,
		"2 2 2/0 0 0 0/0 0 0 0/0 0 0 0":                     `board "2 2 2/0 0 0 0/0 0 0 0/0 0 0 0": row 1: want 4 tiles, got 3: write it like "0 2 0 0/8 8 4 0/1024 2 4 2/2048 4 16 4"`,
		"2 2 2 3/0 0 0 0/0 0 0 0/0 0 0 0":                   `board "2 2 2 3/0 0 0 0/0 0 0 0/0 0 0 0": row 1, column 4: 3 is not a tile: want 0 or a power of two from 2 to 32768`,
		"0 0 0 0/0 1 0 0/0 0 0 0/0 0 0 0":                   `board "0 0 0 0/0 1 0 0/0 0 0 0/0 0 0 0": row 2, column 2: 1 is not a tile: want 0 or a power of two from 2 to 32768`,
		"65536 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0":               `board "65536 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0": row 1, column 1: 65536 is not a tile: want 0 or a power of two from 2 to 32768`,
		"-2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0":                  `board "-2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0": row 1, column 1: -2 is not a tile: want 0 or a power of two from 2 to 32768`,
		"x 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0":                   `board "x 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0": row 1, column 1: "x" is not a number`,
		"9999999999999999999 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0": `board "9999999999999999999 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0": row 1, column 1: "9999999999999999999" is not a number`,
		strings.Repeat("x", 81): `board "` + strings.Repeat("x", 80) +
			`": want 4 rows separated by /, got 1: write it like "0 2 0 0/8 8 4 0/1024 2 4 2/2048 4 16 4"`,
	} {
		if _, err := ParseBoard(text); err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
}

func TestBoardAgainstFaces(t *testing.T) {
	for _, b := range boards(2000) {
		faces := b.Faces()
		empty, seen := 0, map[int]bool{}
		var turned plain.Board
		for r := range faces {
			for c, face := range faces[r] {
				turned[c][r] = face
				if face == 0 {
					empty++
				} else {
					seen[face] = true
				}
			}
		}
		largest := 0
		if m := plain.Largest(faces); m > 0 {
			largest = bits.TrailingZeros(uint(m))
		}
		if b.Empty() != empty || b.Distinct() != len(seen) || b.Largest() != largest || b.Transpose().Faces() != turned {
			t.Fatalf("board %v: empty %d, distinct %d, largest %d, transposed %v", b, b.Empty(), b.Distinct(), b.Largest(),
				b.Transpose())
		}
		highest := 0
		for _, row := range faces {
			for _, face := range row {
				if face == 1<<MaxRank {
					highest++
				}
			}
		}
		if b.twoMaxRanks() != (highest >= 2) {
			t.Fatalf("board %v: two tiles of the highest rank: %v", b, b.twoMaxRanks())
		}
		if packed, err := FromFaces(faces); err != nil || packed != b {
			t.Fatalf("board %v: packed again %v, %v", b, packed, err)
		}
	}
}

func FuzzParseBoard(f *testing.F) {
	f.Add("0 2 0 0/8 8 4 0/1024 2 4 2/2048 4 16 4")
	f.Add("0,2,0,0\n8,8,4,0\n1024,2,4,2\n2048,4,16,4\n")
	f.Add("2 2 2 3/0 0 0 0/0 0 0 0/65536 0 0 0")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ParseBoard(text)
		if err != nil {
			return
		}
		if again, err := ParseBoard(b.String()); err != nil || again != b {
			t.Errorf("%q reads as %v, which reads as %v, %v", text, b, again, err)
		}
	})
}

// TestTilesCountsEachRank of boards with a tile and a blank.
func TestTilesCountsEachRank(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for i := range 2000 {
		b := randomBoard(r, 1+i%15, []float64{0, 0.1, 0.5, 0.9}[i/15%4])
		b &^= 0xF
		if b == 0 {
			continue
		}
		var want uint64
		for _, row := range b.Faces() {
			for _, face := range row {
				want += 1 << (4 * (bits.Len(uint(face)|1) - 1))
			}
		}
		if got := b.tiles(); got != want {
			t.Fatalf("board %v: got %#x, want %#x", b, got, want)
		}
	}
	if got := Board(0x2222222222222220).tiles(); got != 15<<8|1 {
		t.Errorf("15 fours: %#x", got)
	}
	if got := Board(0xF).tiles(); got != 1<<60|15 {
		t.Errorf("a 32768 alone: %#x", got)
	}
}
