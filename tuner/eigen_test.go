package tuner

import (
	"math"
	"slices"
	"testing"

	"tune2048/engine/portable"
)

// A matrix made of known eigenvalues and axes gives them back.
func TestEigen(t *testing.T) {
	random := portable.NewSource(1)
	for _, want := range [][]float64{
		{}, {3}, {1, 1}, {1, 2}, {0, 5}, {1e-9, 1, 1e9}, {2, 2, 2, 7}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, make([]float64, 40),
	} {
		n := len(want)
		if n == 40 {
			for i := range want {
				want[i] = math.Exp(random.Normal())
			}
			slices.Sort(want)
		}
		// The axes: an orthonormal basis by Gram and Schmidt, twice for accuracy.
		basis := make([][]float64, n)
		for i := range basis {
			basis[i] = make([]float64, n)
			for k := range n {
				basis[i][k] = random.Normal()
			}
			for range 2 {
				for _, b := range basis[:i] {
					dot := 0.0
					for k := range n {
						dot += basis[i][k] * b[k]
					}
					for k := range n {
						basis[i][k] -= dot * b[k]
					}
				}
				length := norm(basis[i])
				for k := range n {
					basis[i][k] /= length
				}
			}
		}
		m := identity(n)
		for i := range n {
			for j := range n {
				m[i][j] = 0
				for k, v := range want {
					m[i][j] += v * basis[k][i] * basis[k][j]
				}
			}
		}
		for i := range n {
			for j := range i {
				m[i][j] = m[j][i]
			}
		}
		before := m.clone()
		values, vectors := m.eigen()
		scale := 1e-12
		for _, v := range want {
			scale = max(scale, 1e-14*float64(n)*v)
		}
		for i := range n {
			if !slices.Equal(m[i], before[i]) {
				t.Errorf("%v: the matrix was changed", want)
			}
			for j := range n {
				back, dot := 0.0, 0.0
				for k, v := range values {
					back += v * vectors[i][k] * vectors[j][k]
					dot += vectors[k][i] * vectors[k][j]
				}
				if math.Abs(back-m[i][j]) > scale {
					t.Errorf("%v: V D V' is %v at %d, %d, want %v", want, back, i, j, m[i][j])
				}
				if unit := map[bool]float64{true: 1}[i == j]; math.Abs(dot-unit) > 1e-13*float64(n) {
					t.Errorf("%v: eigenvectors %d and %d: product %v, want %v", want, i, j, dot, unit)
				}
			}
		}
		slices.Sort(values)
		for k, v := range values {
			if math.Abs(v-want[k]) > scale {
				t.Errorf("eigenvalues %v, want %v", values, want)
				break
			}
		}
	}
}
