package results

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// How rows of a query are written: as a table, CSV and JSON.

// sqlParts are the parts of a statement in which a semicolon does not end it, then the semicolon and what lies between statements.
var sqlParts = regexp.MustCompile(`(?s)'[^']*'|"[^"]*"|` + "`[^`]*`" + `|\[[^\]]*\]|--[^\n]*|/\*.*?(?:\*/|$)|;|\s+|.`)

// Statements returns the statements of a text. SQLite would answer the last one only, be it nothing but a comment.
func Statements(text string) (all []string) {
	one, blank := "", true
	for _, part := range append(sqlParts.FindAllString(text, -1), ";") {
		if part != ";" {
			one += part
			blank = blank && (strings.TrimSpace(part) == "" || strings.HasPrefix(part, "--") || strings.HasPrefix(part, "/*"))
			continue
		}
		if !blank {
			all = append(all, one)
		}
		one, blank = "", true
	}
	return all
}

// Cells are the values of a row for the eye.
func Cells(row []any) []string { return texts(row, shortNumber) }

// CSVCells are the values of a row for another program: numbers read back as the same ones, texts are [Harmless].
func CSVCells(row []any) []string {
	return Harmless(texts(row, func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }))
}

// Harmless puts an apostrophe before each cell that a spreadsheet would take for a formula, and may come from a database of
// somebody else: =1+1 becomes '=1+1. Numbers stay as they are.
func Harmless(cells []string) []string {
	for i, text := range cells {
		if text == "" || !strings.ContainsRune("=+-@\t\r", rune(text[0])) {
			continue
		}
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			cells[i] = "'" + text
		}
	}
	return cells
}

// JSONRow is a row as a JSON object on one line, the columns in their order.
func JSONRow(columns []string, row []any) ([]byte, error) {
	object := []byte{'{'}
	for i, v := range row {
		if bytes, isBytes := v.([]byte); isBytes {
			v = string(bytes)
		}
		name, err := json.Marshal(columns[i])
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(v)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", name, err)
		}
		if i > 0 {
			object = append(object, ", "...)
		}
		object = append(append(append(object, name...), ": "...), value...)
	}
	return append(object, '}'), nil
}

func texts(row []any, number func(float64) string) []string {
	cells := make([]string, len(row))
	for i, v := range row {
		switch v := v.(type) {
		case nil:
		case float64:
			cells[i] = number(v)
		case []byte:
			cells[i] = string(v)
		default:
			cells[i] = fmt.Sprint(v)
		}
	}
	return cells
}

func shortNumber(v float64) string {
	if v >= 1000 || v <= -1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	if v == 0 {
		return "0" // a negative zero too
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
