// What lastlayer_amd64.s and lastlayer_best_amd64.s share: the registers' roles are those of their SPAWNS.

// ACROSS adds to V the look-ups in TABLE of the four columns: R10 is one row, OTHERS the rest, R12 the mask that makes a column of
// the row.
#define ACROSS(TABLE, OTHERS, V) \
	PDEPQ R12, R10, R10; \
	ORQ OTHERS, R10; \
	MOVWLZX R10, CX; \
	ADDQ (TABLE)(CX*8), V; \
	PEXTQ secondColumn<>(SB), R10, CX; \
	ADDQ (TABLE)(CX*8), V; \
	PEXTQ thirdColumn<>(SB), R10, CX; \
	ADDQ (TABLE)(CX*8), V; \
	SHRQ $48, R10; \
	ADDQ (TABLE)(R10*8), V

// TILE is the size in bytes of the spawnValues of one tile.
#define TILE 256

// FILL writes V for the cells of a run: R10 points to its first.
#define FILL(V, k) \
	MOVQ V, (k*TILE)(R10); \
	MOVQ V, (k*TILE+8)(R10); \
	MOVQ V, (k*TILE+16)(R10); \
	MOVQ V, (k*TILE+24)(R10)

// BETTER writes the larger of L and R for the cells of a run.
#define BETTER(L, R, k) \
	MOVQ L, CX; \
	CMPQ R, CX; \
	CMOVQGT R, CX; \
	FILL(CX, k)

// EXCEPT corrects a run's values where a slide (bits of R13: 1 to the left, 2 to the right) is illegal: R10 points to its
// first cell, R11 to its last.
#define EXCEPT(L, R, bit, k, right, ok) \
	TESTL $bit, R13; \
	JZ right; \
	MOVQ R, (k*TILE)(R10); \
	CMPQ R10, R11; \
	CMOVQEQ R12, L; \
right: \
	TESTL $(2*bit), R13; \
	JZ ok; \
	MOVQ L, (k*TILE)(R11); \
ok:

// NOTE writes the better values of a run, after a 2 of AX (left) and R15 (right), after a 4 of R9 and RIGHT4: R8 is the bit of its
// first cell in its side's board, R10 points to that cell's values, the side's scratch begins at F beyond FRAME.
#define NOTE(F, FRAME, RIGHT4, right2, ok2, right4, ok4) \
	BETTER(AX, R15, 0); \
	BETTER(R9, RIGHT4, 1); \
	MOVL STUCK(FRAME), R13; \
	ANDL $15, R13; \
	JZ ok4; \
	LEAQ ·stuckCounts(SB), R12; \
	MOVQ (R12)(R13*8), R12; \
	ADDQ R12, ILLEGALS(FRAME); \
	MOVL R8, CX; \
	SHRL $1, CX; \
	ANDL $4, CX; \
	SHRL $4, R8; \
	MOVQ (F+ENTRIES)(FRAME)(R8*8), R8; \
	SHRXL CX, rowSlides_longer(R8), R8; \
	ANDL $15, R8; \
	LEAQ (R10)(R8*8), R11; \
	MOVQ $0x8000000000000000, R12; \
	EXCEPT(AX, R15, 1, 0, right2, ok2); \
	EXCEPT(R9, RIGHT4, 4, 1, right4, ok4)

// BLANKS sets SI to the blanks of the board in SI.
#define BLANKS \
	MOVQ $0x1111111111111111, CX; \
	MOVQ SI, AX; \
	SHRQ $2, AX; \
	ORQ AX, SI; \
	MOVQ SI, AX; \
	SHRQ $1, AX; \
	ORQ AX, SI; \
	ANDNQ CX, SI, SI

// RUNS sets SI to the first cells of the runs of the blanks in SI.
#define RUNS \
	MOVQ $0x1110111011101110, CX; \
	MOVQ SI, AX; \
	SHLQ $4, AX; \
	ANDQ CX, AX; \
	ANDNQ SI, AX, SI

DATA firstColumn<>(SB)/8, $0x000F000F000F000F
GLOBL firstColumn<>(SB), RODATA|NOPTR, $8
DATA secondColumn<>(SB)/8, $0xFFFF0000
GLOBL secondColumn<>(SB), RODATA|NOPTR, $8
DATA thirdColumn<>(SB)/8, $0xFFFF00000000
GLOBL thirdColumn<>(SB), RODATA|NOPTR, $8
