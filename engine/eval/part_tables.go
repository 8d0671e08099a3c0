package eval

import "tune2048/engine"

// partTables are the tables of formulas by the parts of the board that they are over. It uses its
// memory again.
type partTables struct {
	of   map[string]*engine.LineTable
	used map[string]bool
	both [2]*engine.LineTable // rows, columns: each with the lines
	turn *engine.LineTable
}

// begin empties the tables.
func (p *partTables) begin() { p.used = map[string]bool{} }

// take returns the table of a part, which then counts. At first it holds anything.
func (p *partTables) take(key string) *engine.LineTable {
	if p.of == nil {
		p.of = map[string]*engine.LineTable{}
	}
	if p.of[key] == nil {
		p.of[key] = new(engine.LineTable)
	}
	p.used[key] = true
	return p.of[key]
}

// into sets the tables that count.
func (p *partTables) into(t *engine.Tables) {
	t.Rows, t.Columns, t.Squares = nil, nil, [2]*engine.LineTable{}
	if p.used[overLine] {
		t.Rows, t.Columns = p.of[overLine], p.of[overLine]
	}
	if p.used[overRow] || p.used[overColumn] {
		t.Rows, t.Columns = p.sum(0, overRow), p.sum(1, overColumn)
	}
	if p.used[overSquare] {
		t.Squares = p.squares()
	}
}

// sum adds up the tables of lines and of one of the two parts of lines.
func (p *partTables) sum(which int, key string) *engine.LineTable {
	if p.both[which] == nil {
		p.both[which] = new(engine.LineTable)
	}
	out := p.both[which]
	clear(out[:])
	for _, key := range []string{overLine, key} {
		if p.used[key] {
			for row, v := range p.of[key] {
				out[row] += v
			}
		}
	}
	return out
}

// squares returns the tables of the board and of its transpose, see engine.Tables. They are one if
// all squares are worth as much after b and c have changed places.
func (p *partTables) squares() [2]*engine.LineTable {
	table := p.of[overSquare]
	if p.turn == nil {
		p.turn = new(engine.LineTable)
	}
	for square, v := range table {
		p.turn[square&0xF00F|square>>4&0xF0|square<<4&0xF00] = v
	}
	if *p.turn == *table {
		return [2]*engine.LineTable{table, table}
	}
	return [2]*engine.LineTable{p.turn, table}
}

// turns reports whether the tables differ from one orientation of the board to another.
func (p *partTables) turns(t *engine.Tables) bool {
	differs := func(table *engine.LineTable, other func(row int) int) bool {
		for row, v := range table {
			if table[other(row)&0xFFFF] != v {
				return true
			}
		}
		return false
	}
	backwards := func(row int) int { return row>>12 | row>>4&0xF0 | row<<4&0xF00 | row<<12 }
	mirrored := func(square int) int { return square>>4&0x0F0F | square<<4&0xF0F0 } // b a above d c
	return t.Rows != nil && (*t.Rows != *t.Columns || differs(t.Rows, backwards)) ||
		t.Squares[0] != nil && (t.Squares[0] != t.Squares[1] || differs(t.Squares[1], mirrored))
}
