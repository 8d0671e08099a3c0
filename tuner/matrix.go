package tuner

import "math"

// matrix is square. It is symmetric, unless it holds eigenvectors.
type matrix [][]float64

func identity(n int) matrix {
	m := make(matrix, n)
	for i := range m {
		m[i] = make([]float64, n)
		m[i][i] = 1
	}
	return m
}

func (m matrix) clone() matrix {
	c := make(matrix, len(m))
	for i := range m {
		c[i] = append([]float64(nil), m[i]...)
	}
	return c
}

// scale multiplies the matrix by a factor.
func (m matrix) scale(factor float64) {
	for i := range m {
		for j := range m[i] {
			m[i][j] *= factor
		}
	}
}

// addOuter adds a factor times the outer product of a vector with itself.
func (m matrix) addOuter(x []float64, factor float64) {
	for i, a := range x {
		for j, b := range x {
			m[i][j] += float64(factor * float64(a*b))
		}
	}
}

// maxSweeps is far more than any matrix needs. About 7 do: each of the last ones squares the rest
// beside the diagonal.
const maxSweeps = 50

// eigen returns the eigenvalues of the matrix and its eigenvectors as columns, in no particular
// order. It is Jacobi's method with cyclic sweeps (G. H. Golub, C. F. Van Loan, Matrix
// Computations, 4th edition, 2013, section 8.5.5). The kernels of linear algebra libraries differ
// in the last bits between processors, so the method is written here.
func (m matrix) eigen() (values []float64, vectors matrix) {
	a := m.clone()
	vectors = identity(len(a))
	for range maxSweeps {
		diagonal, rest := 0.0, 0.0
		for i := range a {
			diagonal += float64(a[i][i] * a[i][i])
			for j := range i {
				rest += float64(a[i][j] * a[i][j])
			}
		}
		if rest <= 1e-32*diagonal { // below the last bits
			break
		}
		for p := range a {
			for q := p + 1; q < len(a); q++ {
				if a[p][q] != 0 {
					a.rotate(vectors, p, q)
				}
			}
		}
	}
	values = make([]float64, len(a))
	for i := range values {
		values[i] = a[i][i]
	}
	return values, vectors
}

// rotate turns the plane of the axes p and q such that m[p][q] becomes 0.
func (m matrix) rotate(vectors matrix, p, q int) {
	theta := (m[q][q] - m[p][p]) / (2 * m[p][q])
	tan := 1 / (math.Abs(theta) + math.Sqrt(float64(theta*theta)+1))
	if theta < 0 {
		tan = -tan
	}
	cos := 1 / math.Sqrt(float64(tan*tan)+1)
	sin := tan * cos
	turn := func(x, y *float64) {
		*x, *y = float64(cos**x)-float64(sin**y), float64(sin**x)+float64(cos**y)
	}
	for i := range m {
		turn(&m[i][p], &m[i][q])
	}
	for i := range m {
		turn(&m[p][i], &m[q][i])
	}
	m[p][q], m[q][p] = 0, 0
	for i := range vectors {
		turn(&vectors[i][p], &vectors[i][q])
	}
}
