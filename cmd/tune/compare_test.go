package main

import (
	"math"
	"strings"
	"testing"
)

func TestPercentage(t *testing.T) {
	for text, want := range map[string]float64{"5%": 0.05, "0.05": 0.05, "500%": 5, "0.1%": 0.001} {
		var p percentage
		if err := p.Set(text); err != nil || math.Abs(float64(p)-want) > 1e-15 {
			t.Errorf("%s: %v, %v", text, float64(p), err)
		}
	}
	for text, want := range map[string]string{
		"5": "want 5% or 0.05", "1": "want 1% or 0.01", "1.5": "want 1.5% or 0.015", "0": "such as 5% or 0.05", "-5%": "such as 5% or 0.05",
		"Inf": "such as 5% or 0.05", "NaN": "such as 5% or 0.05", "five": "such as 5% or 0.05", "": "such as 5% or 0.05",
	} {
		var p percentage
		if err := p.Set(text); err == nil || !strings.Contains(err.Error(), want) || p != 0 {
			t.Errorf("%q: %v, %v, want an error with %q", text, float64(p), err, want)
		}
	}
}
