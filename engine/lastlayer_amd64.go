//go:build !purego

package engine

// hasLastLayer reports whether lastLayer may be called: the processor needs BMI1 and BMI2, as nearly all made since
// 2013 have. They work on general registers, so the operating system need not support them.
var hasLastLayer = func() bool {
	const bmi1, bmi2 = 1 << 3, 1 << 8
	last, _, _, _ := cpuid(0, 0)
	if last < 7 {
		return false
	}
	_, features, _, _ := cpuid(7, 0)
	return features&bmi1 != 0 && features&bmi2 != 0
}()

// lastLayer is slide and slideSpawns of both sides and leafSums.add, in assembly: for sides without orientations.
//
//go:noescape
func lastLayer(rows, columns *side, b, t Board, dead int64, sums *leafSums) (illegals uint)

func cpuid(leaf, sub uint32) (eax, ebx, ecx, edx uint32)
