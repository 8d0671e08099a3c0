package eval

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestFormulaErrorsAreOurs: whatever the tokens, no message is the parser's.
func TestFormulaErrorsAreOurs(t *testing.T) {
	tokens := strings.Fields("a b 2 0.5 1e ( ) ( ) , + - * / < == && ! max abs( min( = := ; let if for func return ++ -- <- & ^ % { } [ ] . : ... ? # \" ' ` $ @ \\ × 2a 0x 08 1_ 3i // /* */")
	random := rand.New(rand.NewPCG(7, 7))
	for range 20_000 {
		var words []string
		for range 1 + random.IntN(6) {
			words = append(words, tokens[random.IntN(len(tokens))])
		}
		text := strings.Join(words, []string{"", " "}[random.IntN(2)])
		_, err := formula{key: "line", symbols: parts[0].symbols, used: map[string]bool{}}.parse(text)
		for _, word := range []string{"expected", "found", "EOF", "newline", "operand, "} {
			if err != nil && strings.Contains(strings.ReplaceAll(err.Error(), text, ""), word) {
				t.Fatalf("%s: %v", text, err)
			}
		}
	}
}
