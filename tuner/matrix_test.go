package tuner

import (
	"math"
	"slices"
	"testing"

	"tune2048/engine/portable"
)

// Orthonormal axes V and values D with V D V' the matrix are its eigenvectors and eigenvalues.
func TestEigen(t *testing.T) {
	random := portable.NewSource(1)
	for _, n := range []int{0, 1, 2, 3, 10, 40} {
		for _, rank := range []int{n, n - 1, 1, 0} { // with eigenvalues that are 0, and so equal
			m := make(matrix, n)
			for i := range m {
				m[i] = make([]float64, n)
			}
			for k := range rank {
				axis := make([]float64, n)
				for i := range axis {
					axis[i] = random.Normal() * math.Pow(10, float64(k%4))
				}
				for i := range n {
					for j := range n {
						m[i][j] += axis[i] * axis[j]
					}
				}
			}
			// Numbers as small as in a distribution that has converged.
			for i := range m {
				for j := range m {
					m[i][j] *= 0x1p-90
				}
			}
			before := m.clone()
			values, vectors := m.eigen()
			scale := 1e-14 * float64(n) * (1e-40 + slices.Max(append(values, 0)))
			for i := range n {
				if !slices.Equal(m[i], before[i]) {
					t.Errorf("%d, rank %d: the matrix was changed", n, rank)
				}
				for j := range n {
					back, dot := -m[i][j], -identity(n)[i][j]
					for k, v := range values {
						back += v * vectors[i][k] * vectors[j][k]
						dot += vectors[k][i] * vectors[k][j]
					}
					if math.Abs(back) > scale || math.Abs(dot) > 1e-13*float64(n) {
						t.Errorf("%d, rank %d: at %d, %d V D V' is off by %v and V'V by %v", n, rank, i, j, back, dot)
					}
				}
			}
		}
	}
}
