//go:build !purego

package engine

import "testing"

// TestSlowPDEP knows processors by the signatures that their cpuid reports: of AMD's, PDEP is fast
// from Zen 3 on.
func TestSlowPDEP(t *testing.T) {
	for _, c := range []struct {
		name      string
		maker     string
		signature uint32
		slow      bool
	}{
		{"Excavator, A10-9700", "AuthenticAMD", 0x00660F51, true},
		{"Zen, EPYC 7601", "AuthenticAMD", 0x00800F12, true},
		{"Zen 2, EPYC 7742", "AuthenticAMD", 0x00830F10, true},
		{"Zen 2, Ryzen 9 3950X", "AuthenticAMD", 0x00870F10, true},
		{"Zen 3, EPYC 7763", "AuthenticAMD", 0x00A00F11, false},
		{"Zen 4, Ryzen 9 7950X", "AuthenticAMD", 0x00A60F12, false},
		{"Zen 5, Ryzen 9 9950X", "AuthenticAMD", 0x00B40F40, false},
		{"Dhyana, C86 7185", "HygonGenuine", 0x00900F02, true},
		{"Haswell, Core i7-4770", "GenuineIntel", 0x000306C3, false},
		{"Cascade Lake, Xeon Gold 6248", "GenuineIntel", 0x00050657, false},
	} {
		vendor := uint32(0)
		for i := range 4 {
			vendor |= uint32(c.maker[i]) << (8 * i)
		}
		if got := slowPDEP(vendor, c.signature); got != c.slow {
			t.Errorf("%s: got slow %v, want %v", c.name, got, c.slow)
		}
	}
}
