package export

import "strings"

// language says how a language writes the heuristic. Names are written here as in C, with
// underscores. A format has its operands in their order.
type language struct {
	file   string            // the player that was written by hand, in players
	camel  bool              // names are countBlanks, not count_blanks
	indent string            // of statements
	python bool              // data has capital letters, and lines of an expression parentheses
	floats bool              // whole numbers need a point
	Types  map[string]string // how a variable of a type is declared, and parameters
	calls  map[string]string // formats of operations, quantities and sums
}

// calls are the formats that most languages share.
var calls = map[string]string{
	"+": "%s + %s", "-": "%s - %s", "*": "%s * %s", "/ constant": "%s / %s", "/": "finite_or_0(%s / %s)", "-x": "-%s",
	"<": "%s < %s", "<=": "%s <= %s", "==": "%s == %s", "!=": "%s != %s", "&&": "%s && %s", "||": "%s || %s", "!": "!%s",
	"choose": "(%s ? %s : %s)", "truth": "(%s ? 1.0 : 0.0)", "finite": "finite_or_0(%s)", "pow": "power(%s, %s)",
	"fixed": "fixed(%s)", "rounded": "rounded(%s, %s)", "count": "%s", "wide": "%s", "0": "0",
	"triangle": "largest * (largest + 1) / 2", "shares": "count_blanks(line, 4) * %s",

	"a": "rank_at(line, 0)", "b": "rank_at(line, 1)", "c": "rank_at(line, 2)", "d": "rank_at(line, 3)",
	"w": "rank_at(pack(line), 0)", "x": "rank_at(pack(line), 1)", "y": "rank_at(pack(line), 2)",
	"z":       "rank_at(pack(line), 3)",
	"largest": "largest_rank(line)", "empty": "count_blanks(line, 4)", "merges": "count_equal(line, 0)",
	"runs": "count_equal(line, 1)",

	"board empty": "count_blanks(board, 16)", "board largest": "max(largest_rank(board), 1)",
	"board distinct": "count_distinct(board)", "board moves": "count_moves(board)", "board points": "count_points(board)",
	"board corner": "largest_within(board, 0xF00F00000000F00F)", "board edge": "largest_within(board, 0xFFFFF00FF00FFFFF)",

	// Of tables, whose names are the plurals of their functions.
	"row": "over_rows(%ss, board)", "column": "over_rows(%ss, columns)", "square": "over_squares(%ss, board)",
	"line": "over_rows(%[1]ss, board) + over_rows(%[1]ss, columns)", "cell": "over_cells(%ss, board)", "sum": "%s / %s",
	"corner": "over_corner(%ss, board, %d)", "row_": "%ss[board >> 16 * %d & 0xFFFF]",
	"column_": "%ss[columns >> 16 * %d & 0xFFFF]",
	"tiles":   "over_tiles(%ss, board, 0)", "tiles largest": "over_tiles(%ss, board, largest_rank(board))",
}

// languages has those that Source writes.
var languages = map[string]*language{
	"c": {
		file: "player.c", indent: "    ", floats: true,
		Types: map[string]string{"fixed": "int64_t ", "number": "double ", "condition": "int ",
			"line": "Board line", "board": "Board board", "cell, rank": "int cell, int rank",
			"largest, rank": "int largest, int rank"},
		calls: map[string]string{
			"sqrt": "finite_or_0(sqrt(%s))", "log": "finite_or_0(log(%s))", "log2": "finite_or_0(log2(%s))",
			"exp": "finite_or_0(exp(%s))",
			"abs": "fabs(%s)", "floor": "floor(%s)", "min": "fmin(%s, %s)", "max": "fmax(%s, %s)",
			"min fixed": "smaller(%s, %s)", "max fixed": "larger(%s, %s)",
			"min rank": "smaller_rank(%s, %s)", "max rank": "larger_rank(%s, %s)",
			"board largest": "larger_rank(largest_rank(board), 1)", "sum": "(double)%s / %s",
		},
	},
	"python": {
		file: "player.py", indent: "    ", python: true,
		calls: map[string]string{
			"/": "divide(%s, %s)", "sqrt": "square_root(%s)", "log": "natural_log(%s)", "log2": "binary_log(%s)",
			"exp": "exponential(%s)",
			"abs": "abs(%s)", "floor": "math.floor(%s)", "min": "min(%s, %s)", "max": "max(%s, %s)",
			"&&": "%s and %s", "||": "%s or %s", "!": "(not %s)", "choose": "(%[2]s if %[1]s else %[3]s)", "truth": "%s",
			"wide": "float(%s)", "shares": "line.count(0) * %s", "triangle": "largest * (largest + 1) // 2", "unpack": "%s",
			"each": "[%s for rank in %s]",

			"a": "line[0]", "b": "line[1]", "c": "line[2]", "d": "line[3]",
			"w": "pack(line)[0]", "x": "pack(line)[1]", "y": "pack(line)[2]", "z": "pack(line)[3]",
			"largest": "max(line)", "empty": "line.count(0)", "merges": "count_merges(line)", "runs": "count_runs(line)",
			"board empty": "board.count(0)", "board largest": "max(*board, 1)",
			"board corner": "(max(board) in (board[0], board[3], board[12], board[15]))",
			"board edge":   "(max(board) in board[:5] + board[7:9] + board[11:])",

			"row": "sum(map(%s, rows(board)))", "column": "sum(map(%s, columns(board)))",
			"line":   "sum(map(%s, rows(board) + columns(board)))",
			"square": "sum(map(%s, squares(board)))", "cell": "sum(map(%s, range(16), board))", "sum": "%s / %s",
			"corner": "%s(max(board), board[%d])", "row_": "%s(rows(board)[%d])", "column_": "%s(columns(board)[%d])",
			"tiles":         "sum(%s(0, rank) for rank in set(board) - {0})",
			"tiles largest": "sum(%s(max(board), rank) for rank in set(board) - {0})",
		},
	},
	"javascript": {
		file: "player.mjs", indent: "  ", camel: true,
		calls: map[string]string{
			"sqrt": "finiteOr0(Math.sqrt(%s))", "log": "finiteOr0(Math.log(%s))", "log2": "finiteOr0(Math.log2(%s))",
			"exp": "finiteOr0(Math.exp(%s))",
			"abs": "Math.abs(%s)", "floor": "Math.floor(%s)", "min": "Math.min(%s, %s)", "max": "Math.max(%s, %s)",
			"min fixed": "smaller(%s, %s)", "max fixed": "larger(%s, %s)", "shares": "BigInt(countBlanks(line)) * %s",
			"==": "%s === %s", "!=": "%s !== %s", "truth": "Number(%s)", "0": "0n",
			"unpack": "[%s]", "each": "%[2]s.map((rank) => %[1]s)",

			"a": "line[0]", "b": "line[1]", "c": "line[2]", "d": "line[3]",
			"w": "pack(line)[0]", "x": "pack(line)[1]", "y": "pack(line)[2]", "z": "pack(line)[3]",
			"largest": "Math.max(...line)", "empty": "countBlanks(line)",
			"board empty": "countBlanks(ranksOf(board))", "board largest": "Math.max(largestRank(board), 1)",
			"board corner": "largestWithin(board, [0, 3, 12, 15])",
			"board edge":   "largestWithin(board, [0, 1, 2, 3, 4, 7, 8, 11, 12, 13, 14, 15])",
			"sum":          "joined((half) => %s) / %s",

			"row": "overRows(%ss[half], board)", "column": "overRows(%ss[half], columns)",
			"square": "overSquares(%ss[half], board)",
			"line":   "overRows(%[1]ss[half], board) + overRows(%[1]ss[half], columns)", "cell": "overCells(%ss[half], board)",
			"corner": "overCorner(%ss[half], board, %d)", "row_": "%ss[half][board[%d]]", "column_": "%ss[half][columns[%d]]",
			"tiles": "overTiles(%ss[half], board, 0)", "tiles largest": "overTiles(%ss[half], board, largestRank(board))",
		},
	},
}

// format returns a format, in the language's names. In most languages one min is for all types, so
// "min rank" is then "min".
func (l *language) format(name string) string {
	if own, is := l.calls[name]; is {
		return own
	}
	if shared, is := calls[name]; is {
		return l.ident(shared)
	}
	operation, _, _ := strings.Cut(name, " ")
	return l.calls[operation]
}

// ident writes names of small letters and underscores, alone or within code.
func (l *language) ident(text string) string {
	if !l.camel {
		return text
	}
	words := strings.Split(text, "_")
	for i, word := range words[1:] {
		if word != "" {
			words[i+1] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "")
}
