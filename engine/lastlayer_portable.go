//go:build !amd64 || purego

package engine

// hasLastLayer reports whether lastLayer may be called.
const hasLastLayer = false

// lastLayer stands in for the assembly of amd64.
func lastLayer(*side, *side, Board, Board, int64, *leafSums) (illegals uint) {
	panic("engine: no lastLayer on this processor")
}
