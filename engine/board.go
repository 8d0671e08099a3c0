package engine

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Board is a 4x4 board of ranks packed into 64 bits: the tile in row r and column c (from the upper
// left, 0..3) is the nibble at bit 4*(4*r+c). Rank 0 is a blank, rank k a tile of face 2^k, up to
// rank 15 (32768). The zero value is the empty board.
type Board uint64

// MaxRank is the highest rank of a Board. Two such tiles merge into a 65536, which ends the game.
const MaxRank = 15

// nibbles has the lowest bit of each cell set.
const nibbles = 0x1111111111111111

// Rank returns the rank of the tile in row r and column c, both 0..3.
func (b Board) Rank(r, c int) int { return int(b>>(4*(4*r+c))) & 15 }

// Faces returns the faces (0, 2, 4, 8, ...) by row and column.
func (b Board) Faces() (faces [4][4]int) {
	for r := range faces {
		for c := range faces[r] {
			if rank := b.Rank(r, c); rank > 0 {
				faces[r][c] = 1 << rank
			}
		}
	}
	return faces
}

// FromFaces packs faces by row and column: 0 or a power of two from 2 to 32768, or it fails.
func FromFaces(faces [4][4]int) (Board, error) {
	var b Board
	for r := range faces {
		for c, face := range faces[r] {
			if face == 0 {
				continue
			}
			if face < 2 || face > 1<<MaxRank || face&(face-1) != 0 {
				return 0, fmt.Errorf("row %d, column %d: %d is not a tile: want 0 or a power of two from 2 to %d",
					r+1, c+1, face, 1<<MaxRank)
			}
			b |= Board(bits.TrailingZeros(uint(face))) << (4 * (4*r + c))
		}
	}
	return b, nil
}

// ParseBoard reads four rows of four faces, the rows separated by "/" (or newlines), the faces by
// spaces or commas: "0 2 0 0/8 8 4 0/1024 2 4 2/2048 4 16 4". Faces are as in FromFaces.
func ParseBoard(text string) (Board, error) {
	rows := strings.FieldsFunc(text, func(r rune) bool { return r == '/' || r == '\n' || r == '\r' })
	const example = `"0 2 0 0/8 8 4 0/1024 2 4 2/2048 4 16 4"`
	if len(rows) != 4 {
		return 0, fmt.Errorf("board %.80q: want 4 rows separated by /, got %d: write it like %s", text, len(rows), example)
	}
	var faces [4][4]int
	for r, row := range rows {
		cells := strings.FieldsFunc(row, func(c rune) bool { return c == ' ' || c == ',' || c == '\t' })
		if len(cells) != 4 {
			return 0, fmt.Errorf("board %.80q: row %d: want 4 tiles, got %d: write it like %s", text, r+1, len(cells), example)
		}
		for c, cell := range cells {
			face, err := strconv.Atoi(cell)
			if err != nil {
				return 0, fmt.Errorf("board %.80q: row %d, column %d: %.80q is not a number", text, r+1, c+1, cell)
			}
			faces[r][c] = face
		}
	}
	b, err := FromFaces(faces)
	if err != nil {
		return 0, fmt.Errorf("board %.80q: %w", text, err)
	}
	return b, nil
}

// String returns the board in the form that ParseBoard reads.
func (b Board) String() string {
	var t strings.Builder
	for r, row := range b.Faces() {
		if r > 0 {
			t.WriteByte('/')
		}
		for c, face := range row {
			if c > 0 {
				t.WriteByte(' ')
			}
			t.WriteString(strconv.Itoa(face))
		}
	}
	return t.String()
}

// blanks has the lowest bit of each empty cell set.
func (b Board) blanks() uint64 {
	x := uint64(b)
	x |= x >> 2
	x |= x >> 1
	return ^x & nibbles
}

// Empty returns the number of empty cells, 0..16.
func (b Board) Empty() int { return bits.OnesCount64(b.blanks()) }

// tiles returns how many cells hold each rank, a nibble for each, blanks in the lowest. No rank may
// fill the board. In an afterstate none does: it has a tile, and a blank.
func (b Board) tiles() (sum uint64) {
	for shift := 0; shift < 64; shift += 8 {
		sum += tilesOf[uint8(b>>shift)]
	}
	return sum
}

// tilesOf has tiles by pair of cells.
var tilesOf = func() (table [256]uint64) {
	for pair := range table {
		table[pair] = 1<<(4*(pair&15)) + 1<<(4*(pair>>4))
	}
	return table
}()

// Distinct returns the number of different tiles on the board, blanks not counted.
func (b Board) Distinct() int { return bits.OnesCount16(b.Ranks()) }

// Ranks returns the ranks of the tiles, each as the bit of its number.
func (b Board) Ranks() uint16 {
	var seen uint16
	for x := b; x != 0; x >>= 4 {
		seen |= 1 << (x & 15)
	}
	return seen &^ 1
}

// Largest returns the rank of the largest tile, 0 for the empty board.
func (b Board) Largest() int {
	largest, _ := b.largest()
	return largest
}

// largest is Largest, and the cells that hold it: the lowest bit of each.
func (b Board) largest() (rank int, cells uint64) {
	cells = nibbles
	for bit := 3; bit >= 0; bit-- {
		if with := uint64(b) >> bit & cells; with != 0 {
			cells = with
			rank |= 1 << bit
		}
	}
	return rank, cells
}

// Transpose swaps rows and columns.
func (b Board) Transpose() Board {
	x := uint64(b)
	// Swap the off-diagonal cells within each 2x2 block, then the off-diagonal blocks.
	t := (x ^ x>>12) & 0x0000F0F00000F0F0
	x ^= t ^ t<<12
	t = (x ^ x>>24) & 0x00000000FF00FF00
	return Board(x ^ t ^ t<<24)
}

// Mirrored swaps left and right.
func (b Board) Mirrored() Board {
	const half, nibble = 0x00FF00FF00FF00FF, 0x0F0F0F0F0F0F0F0F
	b = b>>8&half | b&half<<8
	return b>>4&nibble | b&nibble<<4
}

// row returns row r.
func (b Board) row(r int) uint16 { return uint16(b >> (16 * r)) }
