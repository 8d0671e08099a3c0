//go:build !purego

#include "textflag.h"

// func prefetch(buckets []bucket, at *[4]uint64)
TEXT ·prefetch(SB), NOSPLIT, $0-32
	MOVQ buckets_base+0(FP), AX
	MOVQ at+24(FP), BX
	MOVQ 0(BX), CX
	MOVQ 8(BX), DX
	MOVQ 16(BX), SI
	MOVQ 24(BX), DI
	SHLQ $6, CX
	SHLQ $6, DX
	SHLQ $6, SI
	SHLQ $6, DI
	PREFETCHT0 (AX)(CX*1)
	PREFETCHT0 (AX)(DX*1)
	PREFETCHT0 (AX)(SI*1)
	PREFETCHT0 (AX)(DI*1)
	RET
