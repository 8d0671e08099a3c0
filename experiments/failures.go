package experiments

import (
	"maps"

	"tune2048/engine/bot"
)

// failures are the candidates that could not be played. A bot that refuses weights may have
// millions of them in a night. So two bits are kept of each, and the words of those in use alone.
type failures struct {
	failed, refused bitset         // by number
	faults          map[int]string // Evaluation.Failure, by number
}

func (f *failures) add(number int, fault string) {
	if f.faults == nil {
		f.faults = map[int]string{}
	}
	f.failed.add(number)
	f.faults[number] = fault
	if bot.Refused(fault) {
		f.refused.add(number)
	}
}

// has reports whether a candidate could not be played.
func (f *failures) has(number int) bool { return f.failed.has(number) }

// forget forgets the words of all candidates but those in use.
func (f *failures) forget(inUse func(number int) bool) {
	maps.DeleteFunc(f.faults, func(number int, _ string) bool { return !inUse(number) })
}

// bitset is a set of candidates. Other numbers are left out: a file may have any.
type bitset []uint64

func (b *bitset) add(number int) {
	if number < 0 || number >= MaxCandidates {
		return
	}
	for number/64 >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[number/64] |= 1 << (number % 64)
}

func (b bitset) has(number int) bool {
	return number >= 0 && number/64 < len(b) && b[number/64]>>(number%64)&1 == 1
}
