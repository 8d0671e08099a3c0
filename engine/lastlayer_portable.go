//go:build !amd64 || purego

package engine

// hasLastLayer reports whether lastLayer may be called.
const hasLastLayer = false

// hasLastLayerBest reports whether lastLayerBest may be called.
const hasLastLayerBest = false

// lastLayer stands in for the assembly of amd64.
func lastLayer(*side, *side, Board, Board, int64, *leafSums) (illegals uint) {
	panic("engine: no lastLayer on this processor")
}

// lastLayerBest stands in likewise.
func lastLayerBest(*side, *side, Board, Board) (illegals uint) {
	panic("engine: no lastLayerBest on this processor")
}
