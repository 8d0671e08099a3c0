//go:build !purego

#include "textflag.h"
#include "go_asm.h"
#include "lastlayer_amd64.h"

// The last chance layer: side.slide and side.slideSpawns of both sides, and leafSums.add. lastlayer.go says what is
// computed and why, in the same order, and TestAssemblyEqualsPortable compares the two. What it gains is in
// instructions, some 100 for a run of blanks where the compiler has 230: BMI2's PDEP makes a row a column in one, PEXT
// takes a column from the board, and what changes from run to run stays in registers.

// Stack, in bytes: for each side what side.slide notes in its struct, then what has no register.
#define ENTRIES 0
#define ALONGL 32
#define ALONGR 64
#define TURNEDL 96
#define TURNEDR 104
#define SUML 112
#define SUMR 120
#define STUCKABLE 128
#define SQUAREL 136 // the rows by everyOther, and the look-ups that go when a row changes
#define SQUARER 152
#define ATL 168
#define ATR 200
#define SIDE1 0
#define SIDE2 232
#define CELLS 464
#define ILLEGALS 472
#define STUCK 480

// ROW notes what the slides make of row r, the lowest 16 bits of SI: R8 is the row table, R14 the mask of the column
// that the row becomes.
#define ROW(F, r) \
	MOVWLZX SI, AX; \
	SHRQ $16, SI; \
	LEAQ (AX)(AX*2), AX; \
	LEAQ (R8)(AX*8), BX; \
	MOVQ BX, (F+ENTRIES+8*r)(SP); \
	MOVQ (side_along+8*r)(DI), CX; \
	MOVWLZX rowSlides_left(BX), DX; \
	MOVQ (CX)(DX*8), R12; \
	MOVQ R12, (F+ALONGL+8*r)(SP); \
	ADDQ R12, R9; \
	PDEPQ R14, DX, DX; \
	ORQ DX, R10; \
	MOVWLZX rowSlides_right(BX), DX; \
	MOVQ (CX)(DX*8), R12; \
	MOVQ R12, (F+ALONGR+8*r)(SP); \
	ADDQ R12, R11; \
	PDEPQ R14, DX, DX; \
	ORQ DX, R13; \
	MOVBLZX rowSlides_moves(BX), AX; \
	LEAL (AX)(R15*2), R15; \
	SHLQ $4, R14

// SQUARES adds to V the look-ups of the three squares of the two rows in X: BX is the table.
#define SQUARES(X, V) \
	MOVWLZX X, CX; \
	ADDQ (BX)(CX*8), V; \
	SHRL $8, X; \
	MOVWLZX X, CX; \
	ADDQ (BX)(CX*8), V; \
	SHRL $8, X; \
	ADDQ (BX)(X*8), V

// SQUAREROW notes row r after a slide, by everyOther.
#define SQUAREROW(F, slid, OUT, r) \
	MOVQ (F+ENTRIES+8*r)(SP), AX; \
	MOVWLZX slid(AX), AX; \
	PDEPL upperRow<>(SB), AX, AX; \
	MOVL AX, (F+OUT+4*r)(SP)

// SQUAREPAIR sets V to the look-ups of row r and the next one.
#define SQUAREPAIR(F, OUT, r, V) \
	MOVL (F+OUT+4*r+4)(SP), AX; \
	SHLL $4, AX; \
	ORL (F+OUT+4*r)(SP), AX; \
	XORL V, V; \
	SQUARES(AX, V)

// SLIDSQUARES is slidSquares.slide. It adds the look-ups to SUM.
#define SLIDSQUARES(F, slid, OUT, AT, SUM) \
	SQUAREROW(F, slid, OUT, 0); \
	SQUAREROW(F, slid, OUT, 1); \
	SQUAREROW(F, slid, OUT, 2); \
	SQUAREROW(F, slid, OUT, 3); \
	SQUAREPAIR(F, OUT, 0, R8); \
	SQUAREPAIR(F, OUT, 1, R10); \
	SQUAREPAIR(F, OUT, 2, R12); \
	MOVQ R8, (F+AT)(SP); \
	MOVQ R12, (F+AT+24)(SP); \
	ADDQ R10, R8; \
	MOVQ R8, (F+AT+8)(SP); \
	ADDQ R12, R10; \
	MOVQ R10, (F+AT+16)(SP); \
	ADDQ R8, SUM; \
	ADDQ R12, SUM

// SLIDE is side.slide of the side in DI on the board in SI.
#define SLIDE(F, done) \
	LEAQ ·rowTable(SB), R8; \
	MOVQ $0x000F000F000F000F, R14; \
	XORL R9, R9; \
	XORL R10, R10; \
	XORL R11, R11; \
	XORL R13, R13; \
	XORL R15, R15; \
	ROW(F, 0); \
	ROW(F, 1); \
	ROW(F, 2); \
	ROW(F, 3); \
	MOVQ R10, (F+TURNEDL)(SP); \
	MOVQ R13, (F+TURNEDR)(SP); \
	LEAQ ·stuckable(SB), AX; \
	MOVWLZX (AX)(R15*2), AX; \
	MOVL AX, (F+STUCKABLE)(SP); \
	MOVQ side_squares(DI), BX; \
	TESTQ BX, BX; \
	JZ done; \
	SLIDSQUARES(F, rowSlides_left, SQUAREL, ATL, R9); \
	SLIDSQUARES(F, rowSlides_right, SQUARER, ATR, R11); \
done: \
	MOVQ R9, (F+SUML)(SP); \
	MOVQ R11, (F+SUMR)(SP)

// ALONG adds to V the look-up in the row's table (BX) of R10, the k-th row at R11.
#define ALONG(k, V) \
	MOVWLZX (2*k)(R11), R10; \
	ADDQ (BX)(R10*8), V

// LOOKUPS adds all look-ups of a run: R11 points to its rows, R13 and R14 the rest of the columns after sliding left and right.
#define LOOKUPS \
	ALONG(0, AX); \
	ACROSS(DX, R13, AX); \
	ALONG(1, R15); \
	ACROSS(DX, R14, R15); \
	ALONG(2, R9); \
	ACROSS(DX, R13, R9); \
	ALONG(3, BP); \
	ACROSS(DX, R14, BP)

// NEXTROW adds to V the look-ups of the k-th row at R11 as MASK spreads it, and of its neighbour.
#define NEXTROW(k, MASK, NEIGHBOUR, V) \
	MOVWLZX (2*k)(R11), R14; \
	PDEPL MASK<>(SB), R14, R14; \
	ORL NEIGHBOUR, R14; \
	SQUARES(R14, V)

// NEXTROWS does so for the four rows of a run: R12 is the neighbour after a slide to the left, R13 to the right.
#define NEXTROWS(MASK) \
	NEXTROW(0, MASK, R12, AX); \
	NEXTROW(1, MASK, R13, R15); \
	NEXTROW(2, MASK, R12, R9); \
	NEXTROW(3, MASK, R13, BP)

// SPAWNSQUARES is slidSquares.with for the four rows of a run: DX is the number of the row, BX the table.
#define SPAWNSQUARES(F, below, done) \
	MOVQ (F+ATL)(SP)(DX*8), CX; \
	SUBQ CX, AX; \
	SUBQ CX, R9; \
	MOVQ (F+ATR)(SP)(DX*8), CX; \
	SUBQ CX, R15; \
	SUBQ CX, BP; \
	TESTL DX, DX; \
	JZ below; \
	MOVL (F+SQUAREL-4)(SP)(DX*4), R12; \
	MOVL (F+SQUARER-4)(SP)(DX*4), R13; \
	NEXTROWS(lowerRow); \
below: \
	CMPL DX, $3; \
	JEQ done; \
	MOVL (F+SQUAREL+4)(SP)(DX*4), R12; \
	MOVL (F+SQUARER+4)(SP)(DX*4), R13; \
	SHLL $4, R12; \
	SHLL $4, R13; \
	NEXTROWS(upperRow)

// SPAWNS is side.slideSpawns of the side in DI; SI has the first cells of the runs, at least one. The values after a 2
// gather in AX (left) and R15 (right), those after a 4 in R9 and BP.
#define SPAWNS(F, next, odd, alone, square, below, join, right2, ok2, right4, ok4, done) \
next: \
	TZCNTQ SI, R8; \
	BLSRQ SI, SI; \
	MOVL R8, AX; \
	SHRL $4, AX; \
	MOVL R8, R10; \
	ANDL $8, R10; \
	MOVQ (F+ENTRIES)(SP)(AX*8), R9; \
	LEAQ rowSlides_runs(R9)(R10*1), R11; \
	MOVL AX, CX; \
	SHLL $2, CX; \
	SHRL $1, R10; \
	SHLXQ CX, firstColumn<>(SB), R12; \
	SHRXL CX, (F+STUCKABLE)(SP), CX; \
	SHRXL R10, rowSlides_stuck(R9), R9; \
	ANDL CX, R9; \
	MOVL R9, STUCK(SP); \
	ANDNQ (F+TURNEDL)(SP), R12, R13; \
	ANDNQ (F+TURNEDR)(SP), R12, R14; \
	MOVQ side_along(DI)(AX*8), BX; \
	MOVQ side_across(DI), DX; \
	MOVQ (F+SUMR)(SP), R15; \
	SUBQ (F+ALONGR)(SP)(AX*8), R15; \
	MOVQ R15, BP; \
	MOVQ (F+SUML)(SP), R9; \
	SUBQ (F+ALONGL)(SP)(AX*8), R9; \
	MOVQ R9, AX; \
	CMPB side_odd(DI), $0; \
	JNE odd; \
	LOOKUPS; \
join: \
	LEAQ side_values(DI)(R8*2), R10; \
	NOTE(F, SP, BP, right2, ok2, right4, ok4); \
	TESTQ SI, SI; \
	JNZ next; \
	JMP done; \
odd: \
	TESTQ DX, DX; \
	JZ alone; \
	LOOKUPS; \
	JMP square; \
alone: \
	ALONG(0, AX); \
	ALONG(1, R15); \
	ALONG(2, R9); \
	ALONG(3, BP); \
square: \
	MOVQ side_squares(DI), BX; \
	TESTQ BX, BX; \
	JZ join; \
	MOVL R8, DX; \
	SHRL $4, DX; \
	SPAWNSQUARES(F, below, join); \
	JMP join

// ADD adds up to X0 and X1 the better values of the cells in SI: R8 has the values of rows, DI those of columns, R9 turnedCells.
#define ADD(next, FIX) \
next: \
	TZCNTQ SI, AX; \
	BLSRQ SI, SI; \
	SHRL $2, AX; \
	MOVBLZX (R9)(AX*1), BX; \
	MOVQ (R8)(AX*8), CX; \
	MOVQ (DI)(BX*8), DX; \
	CMPQ DX, CX; \
	CMOVQGT DX, CX; \
	FIX(CX); \
	XORPS X2, X2; \
	CVTSQ2SD CX, X2; \
	ADDSD X2, X0; \
	MOVQ TILE(R8)(AX*8), CX; \
	MOVQ TILE(DI)(BX*8), DX; \
	CMPQ DX, CX; \
	CMOVQGT DX, CX; \
	FIX(CX); \
	XORPS X3, X3; \
	CVTSQ2SD CX, X3; \
	ADDSD X3, X1; \
	TESTQ SI, SI; \
	JNZ next

#define ALIVE(V)
#define ORDEAD(V) \
	CMPQ V, R12; \
	CMOVQEQ R13, V

// func lastLayer(rows, columns *side, b, t Board, dead int64, sums *leafSums) (illegals uint)
TEXT ·lastLayer(SB), NOSPLIT, $488-56
	MOVQ rows+0(FP), DI
	MOVQ b+16(FP), SI
	SLIDE(SIDE1, slid1)
	MOVQ columns+8(FP), DI
	MOVQ t+24(FP), SI
	SLIDE(SIDE2, slid2)
	MOVQ $0, ILLEGALS(SP)
	MOVQ rows+0(FP), DI
	MOVQ b+16(FP), SI
	BLANKS
	MOVQ SI, CELLS(SP)
	RUNS
	SPAWNS(SIDE1, next1, odd1, alone1, squares1, below1, join1, right12, ok12, right14, ok14, done1)
done1:
	MOVQ columns+8(FP), DI
	MOVQ t+24(FP), SI
	BLANKS
	RUNS
	SPAWNS(SIDE2, next2, odd2, alone2, squares2, below2, join2, right22, ok22, right24, ok24, done2)
done2:
	MOVQ rows+0(FP), R8
	LEAQ side_values(R8), R8
	LEAQ side_values(DI), DI
	LEAQ ·turnedCells(SB), R9
	MOVQ CELLS(SP), SI
	XORPS X0, X0
	XORPS X1, X1
	BLSRQ SI, AX
	TESTQ AX, AX
	JZ one
	ADD(many, ALIVE)
	JMP summed
one: // only a full board can be without a move
	MOVQ $0x8000000000000000, R12
	MOVQ dead+32(FP), R13
	ADD(single, ORDEAD)
summed:
	MOVQ sums+40(FP), AX
	MOVSD X0, leafSums_two(AX)
	MOVSD X1, leafSums_four(AX)
	MOVQ ILLEGALS(SP), AX
	MOVQ AX, illegals+48(FP)
	RET

DATA upperRow<>(SB)/4, $0x0F0F0F0F
GLOBL upperRow<>(SB), RODATA|NOPTR, $4
DATA lowerRow<>(SB)/4, $0xF0F0F0F0
GLOBL lowerRow<>(SB), RODATA|NOPTR, $4

// func cpuid(leaf uint32) (eax, ebx, ecx, edx uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-24
	MOVL leaf+0(FP), AX
	CPUID
	MOVL AX, eax+8(FP)
	MOVL BX, ebx+12(FP)
	MOVL CX, ecx+16(FP)
	MOVL DX, edx+20(FP)
	RET
