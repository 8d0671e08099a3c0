//go:build !purego

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"
#include "lastlayer_amd64.h"

// The last chance layer of boards with orientations: side.slide and side.slideSpawns of both sides, in the order of
// lastlayer.go and oriented.go, which say what is computed and why. TestAssemblyEqualsPortable compares the two. An Eight
// is two registers of AVX2. The line features' table is then the same along and across.

// Scratch, in bytes from BP, which is aligned to a cache line: for each side its orientedSlides (the four rows' Eights after
// sliding left and right, and their sums), then what side.slide notes in its struct.
#define LEFT 0
#define RIGHT 256
#define SUMS 512
#define ENTRIES 640
#define ALONGL 672
#define ALONGR 704
#define TURNEDL 736
#define TURNEDR 744
#define SUML 752
#define SUMR 760
#define STUCKABLE 768
#define SIDE1 0
#define SIDE2 832
#define STUCK 1664
#define ILLEGALS 1672
// That makes 1680, and 64 to align it.

// Sizes in bytes: of a half of a line's Eights (its first two tiles; the last two follow), of a line.
#define HALF 16384
#define LINE 32768

// SLID notes the Eights of row r after a slide, which is the lowest 16 bits of AX, and adds them up in S0 and S1: R10 points to
// the lines' Eights.
#define SLID(OUT, r, S0, S1) \
	MOVBLZX AX, CX; \
	MOVBLZX AH, DX; \
	SHRQ $16, AX; \
	SHLL $6, CX; \
	SHLL $6, DX; \
	VMOVDQU (r*LINE)(R10)(CX*1), Y0; \
	VMOVDQU (r*LINE+32)(R10)(CX*1), Y1; \
	VPADDQ (r*LINE+HALF)(R10)(DX*1), Y0, Y0; \
	VPADDQ (r*LINE+HALF+32)(R10)(DX*1), Y1, Y1; \
	VMOVDQU Y0, (OUT+64*r)(BP); \
	VMOVDQU Y1, (OUT+64*r+32)(BP); \
	VPADDQ Y0, S0, S0; \
	VPADDQ Y1, S1, S1

// ROW does so for both slides of row r, the lowest 16 bits of SI: R8 is the row table.
#define ROW(F, r) \
	MOVWLZX SI, AX; \
	SHRQ $16, SI; \
	LEAQ (AX)(AX*2), AX; \
	LEAQ (R8)(AX*8), BX; \
	MOVQ BX, (F+ENTRIES+8*r)(BP); \
	MOVQ (BX), AX; \
	SLID(F+LEFT, r, Y8, Y9); \
	SLID(F+RIGHT, r, Y10, Y11); \
	MOVBLZX AX, AX; \
	LEAL (AX)(R15*2), R15

// LINEROW notes what the slides make of row r for the line features: R8 is their table, R14 the mask of the column that the
// row becomes.
#define LINEROW(F, r) \
	MOVQ (F+ENTRIES+8*r)(BP), BX; \
	MOVWLZX rowSlides_left(BX), DX; \
	MOVQ (R8)(DX*8), R12; \
	MOVQ R12, (F+ALONGL+8*r)(BP); \
	ADDQ R12, R9; \
	PDEPQ R14, DX, DX; \
	ORQ DX, R10; \
	MOVWLZX rowSlides_right(BX), DX; \
	MOVQ (R8)(DX*8), R12; \
	MOVQ R12, (F+ALONGR+8*r)(BP); \
	ADDQ R12, R11; \
	PDEPQ R14, DX, DX; \
	ORQ DX, R13; \
	SHLQ $4, R14

// SLIDE is side.slide of the side in DI on the board in SI.
#define SLIDE(F, done) \
	LEAQ ·rowTable(SB), R8; \
	MOVQ side_oriented(DI), R10; \
	XORL R15, R15; \
	VPXOR Y8, Y8, Y8; \
	VPXOR Y9, Y9, Y9; \
	VPXOR Y10, Y10, Y10; \
	VPXOR Y11, Y11, Y11; \
	ROW(F, 0); \
	ROW(F, 1); \
	ROW(F, 2); \
	ROW(F, 3); \
	LEAQ ·stuckable(SB), AX; \
	MOVWLZX (AX)(R15*2), AX; \
	MOVL AX, (F+STUCKABLE)(BP); \
	VMOVDQU Y8, (F+SUMS)(BP); \
	VMOVDQU Y9, (F+SUMS+32)(BP); \
	VMOVDQU Y10, (F+SUMS+64)(BP); \
	VMOVDQU Y11, (F+SUMS+96)(BP); \
	MOVQ side_across(DI), R8; \
	TESTQ R8, R8; \
	JZ done; \
	MOVQ $0x000F000F000F000F, R14; \
	XORL R9, R9; \
	XORL R10, R10; \
	XORL R11, R11; \
	XORL R13, R13; \
	LINEROW(F, 0); \
	LINEROW(F, 1); \
	LINEROW(F, 2); \
	LINEROW(F, 3); \
	MOVQ R10, (F+TURNEDL)(BP); \
	MOVQ R13, (F+TURNEDR)(BP); \
	MOVQ R9, (F+SUML)(BP); \
	MOVQ R11, (F+SUMR)(BP); \
done:

// LOOKUPS adds the look-ups of line features after a slide to V: the lowest 16 bits of R11 are the row, OTHERS the rest of the
// columns, BX the table.
#define LOOKUPS(OTHERS, V) \
	MOVWLZX R11, R10; \
	SHRQ $16, R11; \
	ADDQ (BX)(R10*8), V; \
	ACROSS(BX, OTHERS, V)

// LEAF sets D0 and D1 to the Eights of a leaf: A0 and A1 are those of the other rows, the lowest 16 bits of R11 the row, BX points
// to its line's Eights.
#define LEAF(A0, A1, D0, D1) \
	MOVBLZX R11, CX; \
	SHRQ $8, R11; \
	MOVBLZX R11, R10; \
	SHRQ $8, R11; \
	SHLL $6, CX; \
	SHLL $6, R10; \
	VPADDQ (BX)(CX*1), A0, D0; \
	VPADDQ 32(BX)(CX*1), A1, D1; \
	VPADDQ HALF(BX)(R10*1), D0, D0; \
	VPADDQ (HALF+32)(BX)(R10*1), D1, D1

// MAX sets A to the larger of A and B.
#define MAX(A, B) \
	VPCMPGTQ A, B, Y8; \
	VBLENDVPD Y8, B, A, A

// SPAWNS is side.slideSpawns of the side in DI; SI has the first cells of the runs, at least one. The values after a 2
// gather in AX (left) and R15 (right), those after a 4 in R9 and DX.
#define SPAWNS(F, next, join, right2, ok2, right4, ok4) \
next: \
	TZCNTQ SI, R8; \
	BLSRQ SI, SI; \
	MOVL R8, R13; \
	SHRL $4, R13; \
	MOVL R8, R10; \
	ANDL $8, R10; \
	MOVQ (F+ENTRIES)(BP)(R13*8), R9; \
	MOVQ rowSlides_runs(R9)(R10*1), R14; \
	MOVL R13, AX; \
	SHLL $2, AX; \
	SHRL $1, R10; \
	SHRXL AX, (F+STUCKABLE)(BP), CX; \
	SHRXL R10, rowSlides_stuck(R9), R9; \
	ANDL CX, R9; \
	MOVL R9, STUCK(BP); \
	SHLXQ AX, firstColumn<>(SB), R12; \
	MOVL R13, CX; \
	SHLL $6, CX; \
	VMOVDQU (F+SUMS)(BP), Y0; \
	VMOVDQU (F+SUMS+32)(BP), Y1; \
	VMOVDQU (F+SUMS+64)(BP), Y2; \
	VMOVDQU (F+SUMS+96)(BP), Y3; \
	VPSUBQ (F+LEFT)(BP)(CX*1), Y0, Y0; \
	VPSUBQ (F+LEFT+32)(BP)(CX*1), Y1, Y1; \
	VPSUBQ (F+RIGHT)(BP)(CX*1), Y2, Y2; \
	VPSUBQ (F+RIGHT+32)(BP)(CX*1), Y3, Y3; \
	SHLL $9, CX; \
	MOVQ side_oriented(DI), BX; \
	ADDQ CX, BX; \
	MOVQ R14, R11; \
	LEAF(Y0, Y1, Y4, Y5); \
	LEAF(Y2, Y3, Y6, Y7); \
	LEAF(Y0, Y1, Y0, Y1); \
	LEAF(Y2, Y3, Y2, Y3); \
	MAX(Y4, Y5); \
	MAX(Y6, Y7); \
	MAX(Y0, Y1); \
	MAX(Y2, Y3); \
	VPUNPCKLQDQ Y6, Y4, Y5; \
	VPUNPCKHQDQ Y6, Y4, Y7; \
	VPUNPCKLQDQ Y2, Y0, Y1; \
	VPUNPCKHQDQ Y2, Y0, Y3; \
	MAX(Y5, Y7); \
	MAX(Y1, Y3); \
	VPERM2I128 $0x20, Y1, Y5, Y0; \
	VPERM2I128 $0x31, Y1, Y5, Y2; \
	MAX(Y0, Y2); \
	VEXTRACTI128 $1, Y0, X1; \
	VMOVQ X0, AX; \
	VPEXTRQ $1, X0, R15; \
	VMOVQ X1, R9; \
	VPEXTRQ $1, X1, DX; \
	MOVQ side_across(DI), BX; \
	TESTQ BX, BX; \
	JZ join; \
	MOVQ (F+SUML)(BP), CX; \
	SUBQ (F+ALONGL)(BP)(R13*8), CX; \
	ADDQ CX, AX; \
	ADDQ CX, R9; \
	MOVQ (F+SUMR)(BP), CX; \
	SUBQ (F+ALONGR)(BP)(R13*8), CX; \
	ADDQ CX, R15; \
	ADDQ CX, DX; \
	MOVQ R14, R11; \
	ANDNQ (F+TURNEDL)(BP), R12, R13; \
	ANDNQ (F+TURNEDR)(BP), R12, R14; \
	LOOKUPS(R13, AX); \
	LOOKUPS(R14, R15); \
	LOOKUPS(R13, R9); \
	LOOKUPS(R14, DX); \
join: \
	LEAQ side_values(DI)(R8*2), R10; \
	NOTE(F, BP, DX, right2, ok2, right4, ok4); \
	TESTQ SI, SI; \
	JNZ next

// func lastLayerBest(rows, columns *side, b, t Board) (illegals uint)
TEXT ·lastLayerBest(SB), 0, $1744-40
	NO_LOCAL_POINTERS
	LEAQ 63(SP), BP
	ANDQ $~63, BP
	MOVQ rows+0(FP), DI
	MOVQ b+16(FP), SI
	SLIDE(SIDE1, slid1)
	MOVQ columns+8(FP), DI
	MOVQ t+24(FP), SI
	SLIDE(SIDE2, slid2)
	MOVQ $0, ILLEGALS(BP)
	MOVQ rows+0(FP), DI
	MOVQ b+16(FP), SI
	BLANKS
	RUNS
	SPAWNS(SIDE1, next1, join1, right12, ok12, right14, ok14)
	MOVQ columns+8(FP), DI
	MOVQ t+24(FP), SI
	BLANKS
	RUNS
	SPAWNS(SIDE2, next2, join2, right22, ok22, right24, ok24)
	MOVQ ILLEGALS(BP), AX
	MOVQ AX, illegals+32(FP)
	VZEROUPPER
	RET
