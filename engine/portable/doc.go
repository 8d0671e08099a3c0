// Package portable holds arithmetic and random numbers as pure functions that give the same bits on
// every compiler and processor. It imports only the standard library.
//
// Read arithmetic.go (Pow, Exp, Log and Rounded), random.go (Source, a seeded stream, and Hash,
// which derives independent seeds from one) and normal.go (quantile and tail of the normal
// distribution).
//
// # Why the same bits matter
//
// A run is resumed by replaying it and verified on another machine. So no intermediate figure may
// depend on the machine. math.Exp, math.Log and math.Pow do: they have assembly or fused
// multiply-add variants, chosen by processor, by GOAMD64 and even by GODEBUG=cpu.fma=off, that
// differ in the last bit. The compiler may also fuse a product with a sum. By the language
// specification an explicit conversion prevents that. So products that are added are written
// float64(x*y) here, and wherever a result depends on them.
package portable
