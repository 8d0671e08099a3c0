//go:build !purego

package engine

// hasLastLayer reports whether lastLayer may be called. The processor needs BMI1 and BMI2, as
// nearly all made since 2013 have, and a fast PDEP and PEXT. They use general registers only, so
// the operating system need not support them.
var hasLastLayer = func() bool {
	const bmi1, bmi2 = 1 << 3, 1 << 8
	last, vendor, _, _ := cpuid(0, 0)
	if last < 7 {
		return false
	}
	signature, _, _, _ := cpuid(1, 0)
	_, features, _, _ := cpuid(7, 0)
	return features&bmi1 != 0 && features&bmi2 != 0 && !slowPDEP(vendor, signature)
}()

// slowPDEP reports whether PDEP and PEXT are microcode, which takes longer the more bits the mask
// has (ours have 16). They are on AMD's up to Zen 2 (heuristic 17h) and Hygon's of the same design
// (18h). vendor is the maker's first four letters, signature the heuristic and model from cpuid(1).
func slowPDEP(vendor, signature uint32) bool {
	const amd, hygon, zen3 = 0x68747541, 0x6F677948, 0x19 // "Auth"enticAMD, "Hygo"nGenuine
	heuristic := signature >> 8 & 15
	if heuristic == 15 {
		heuristic += signature >> 20 & 255
	}
	return (vendor == amd || vendor == hygon) && heuristic < zen3
}

// lastLayer is slide, slideSpawns and leafSums.add in assembly, for sides without orientations.
//
//go:noescape
func lastLayer(rows, columns *side, b, t Board, dead int64, sums *leafSums) (illegals uint)

// hasLastLayerBest reports whether lastLayerBest may be called: it also needs AVX2, and an
// operating system that keeps its registers.
var hasLastLayerBest = func() bool {
	const osxsave, avx2, registers = 1 << 27, 1 << 5, 2 | 4
	if !hasLastLayer {
		return false
	}
	if _, _, features, _ := cpuid(1, 0); features&osxsave == 0 || xgetbv()&registers != registers {
		return false
	}
	_, features, _, _ := cpuid(7, 0)
	return features&avx2 != 0
}()

// lastLayerBest is slide and slideSpawns of both sides, in assembly: for sides with orientations.
//
//go:noescape
func lastLayerBest(rows, columns *side, b, t Board) (illegals uint)

func xgetbv() (eax uint32)

func cpuid(leaf, sub uint32) (eax, ebx, ecx, edx uint32)
