package engine

import (
	"testing"

	"tune2048/engine/plain"
)

// TestSeedMerges are the merge examples of seeds/004 (move_left; its last row is marked there as
// not working yet: "the last one doesn't work yet!" shows the wanted result).
func TestSeedMerges(t *testing.T) {
	for _, c := range []struct{ row, want [4]int }{
		{[4]int{0, 2, 2, 0}, [4]int{4, 0, 0, 0}},
		{[4]int{2, 2, 2, 8}, [4]int{4, 2, 8, 0}},
		{[4]int{0, 2, 2, 4}, [4]int{4, 4, 0, 0}},
		{[4]int{2, 2, 2, 2}, [4]int{4, 4, 0, 0}},
		{[4]int{256, 256, 2, 4}, [4]int{512, 2, 4, 0}},
		{[4]int{256, 128, 64, 32}, [4]int{256, 128, 64, 32}},
		{[4]int{2, 0, 2, 0}, [4]int{4, 0, 0, 0}},
	} {
		b, err := FromFaces([4][4]int{c.row})
		if err != nil {
			t.Fatal(err)
		}
		after, _, legal, _ := b.Slide(Left)
		if got := after.Faces()[0]; got != c.want || legal != (c.row != c.want) {
			t.Errorf("%v slides left to %v (legal %v), want %v", c.row, got, legal, c.want)
		}
	}
}

// TestSeedSlides are the doctests of seeds/002. Its board "test" is not shown. These four are all
// the boards of tiles up to 8 that its three results allow.
func TestSeedSlides(t *testing.T) {
	for _, test := range []string{
		"2 4 0 4/2 4 4 4/2 0 0 2/2 2 0 4",
		"2 4 4 0/2 4 0 8/2 0 0 2/2 2 0 4",
		"2 8 0 0/2 0 4 8/2 0 0 2/2 2 0 4",
		"2 8 0 0/2 2 2 8/2 0 0 2/2 0 2 4",
	} {
		for move, want := range map[Move]string{
			Right: "0 0 2 8/0 2 4 8/0 0 0 4/0 0 4 4",
			Up:    "4 8 4 8/4 2 0 2/0 0 0 4/0 0 0 0",
			Down:  "0 0 0 0/0 0 0 8/4 8 0 2/4 2 4 4",
		} {
			if after, _, _, _ := mustParse(t, test).Slide(move); after != mustParse(t, want) {
				t.Errorf("%s slides %v to %v, want %s", test, move, after, want)
			}
		}
	}
}

// TestSlideAgainstPlain compares the tables with the rules in words.
func TestSlideAgainstPlain(t *testing.T) {
	for _, b := range boards(20000) {
		checkSlides(t, b)
	}
	// Two 32768s merge, and two 16384s become another one. Two merge twice.
	checkSlides(t, mustParse(t, "32768 0 32768 0/4 16384 16384 1024/128 16384 8 8/4096 128 1024 32"))
	checkSlides(t, mustParse(t, "32768 32768 32768 32768/32768 2 32768 0/2 2 0 0/16384 16384 32768 32768"))
}

func checkSlides(t *testing.T, b Board) {
	t.Helper()
	over := true
	for _, m := range Moves() {
		after, reward, legal, capped := b.Slide(m)
		want, points := plain.Slide(b.Faces(), m.String())
		wantLegal, wantCapped := want != b.Faces(), plain.Largest(want) > 1<<MaxRank
		if wantCapped {
			for r := range want {
				for c := range want[r] {
					want[r][c] = min(want[r][c], 1<<MaxRank)
				}
			}
		}
		if after.Faces() != want || reward != points || legal != wantLegal || capped != wantCapped {
			t.Fatalf("board %v, %v: got %v, %d points, legal %v, capped %v; want %v, %d, %v, %v",
				b, m, after, reward, legal, capped, want, points, wantLegal, wantCapped)
		}
		over = over && !legal
	}
	if b.HasMove() == over {
		t.Fatalf("board %v: HasMove %v", b, b.HasMove())
	}
}

func FuzzSlide(f *testing.F) {
	for _, b := range boards(20) {
		f.Add(uint64(b))
	}
	f.Fuzz(func(t *testing.T, b uint64) { checkSlides(t, Board(b)) })
}
