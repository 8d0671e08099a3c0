//go:build !purego

package engine

import "golang.org/x/sys/cpu"

// hasLastLayer reports whether lastLayer may be called. The processor needs BMI1 and BMI2, as
// nearly all made since 2013 have, and a fast PDEP and PEXT.
var hasLastLayer = func() bool {
	_, vendor, _, _ := cpuid(0)
	signature, _, _, _ := cpuid(1)
	return cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && !slowPDEP(vendor, signature)
}()

// slowPDEP reports whether PDEP and PEXT are microcode, which takes longer the more bits the mask
// has (ours have 16). They are on AMD's up to Zen 2 (family 17h) and Hygon's of the same design
// (18h). vendor is the maker's first four letters, signature the family and model from cpuid(1).
func slowPDEP(vendor, signature uint32) bool {
	const amd, hygon, zen3 = 0x68747541, 0x6F677948, 0x19 // "Auth"enticAMD, "Hygo"nGenuine
	family := signature >> 8 & 15
	if family == 15 {
		family += signature >> 20 & 255
	}
	return (vendor == amd || vendor == hygon) && family < zen3
}

// lastLayer is slide, slideSpawns and leafSums.add in assembly, for sides without orientations.
//
//go:noescape
func lastLayer(rows, columns *side, b, t Board, dead int64, sums *leafSums) (illegals uint)

// hasLastLayerBest reports whether lastLayerBest may be called: it also needs AVX2.
var hasLastLayerBest = hasLastLayer && cpu.X86.HasAVX2

// lastLayerBest is slide and slideSpawns of both sides, in assembly: for sides with orientations.
//
//go:noescape
func lastLayerBest(rows, columns *side, b, t Board) (illegals uint)

func cpuid(leaf uint32) (eax, ebx, ecx, edx uint32)
