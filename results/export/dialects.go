package export

// dialect has the forms in which a language differs from the others.
type dialect struct {
	camel     bool              // names: countRuns, not count_runs
	html      bool              // tools read comments as HTML
	split     bool              // a wide value is two doubles
	end       string            // of statements; "" where the indentation makes the blocks
	comment   string            // begins one
	gap       string            // before one behind code
	indent    string            // of a block
	before    string            // before each function, and before the file's variables that have a type
	fixed     string            // before those that never change
	loop      string            // over NAME from 0 to before LAST
	math      string            // before the functions of given
	types     map[string]string // by Go's name; nil if declarations have none
	arrays    map[string]string // formats of new arrays by their elements; nil if 0 stands for all of them
	calls     map[string]string // formats of functions and conversions, with the type behind if it matters
	operators map[string]string // where they differ from C
	helpers   []string          // functions that are added if they are called
}

var dialects = map[string]*dialect{
	"c": {
		end: ";", comment: "//", gap: " ", indent: "    ", before: "static ", fixed: "const ", loop: "for (int NAME = 0; NAME < LAST; NAME++)",
		types: map[string]string{"int": "int", "float64": "double", "fixed": "int64_t", "wide": "int64_t",
			"uint16": "uint16_t", "bool": "int"},
		calls: map[string]string{"abs": "fabs(%s)", "choose": "(%s ? %s : %s)", "min": "smaller(%s, %s)",
			"max":         "larger(%s, %s)",
			"min float64": "real_smaller(%s, %s)", "max float64": "real_larger(%s, %s)",
			"float64": "(double)%s", "fixed": "(int64_t)%s", "uint16": "(uint16_t)%s", "true": "1", "false": "0"},
		helpers: []string{
			"static double real_smaller(double x, double y) { return x < y ? x : y; }",
			"static double real_larger(double x, double y) { return x > y ? x : y; }",
			"static int64_t smaller(int64_t x, int64_t y) { return x < y ? x : y; }",
			"static int64_t larger(int64_t x, int64_t y) { return x > y ? x : y; }"},
	},
	"go": {},
	"python": {
		comment: "#", gap: "  ", indent: "    ", before: "def ", loop: "for NAME in range(LAST)", math: "math.",
		arrays: map[string]string{"any": "[0] * %d", "array": "[[0] * 4 for _ in range(4)]"},
		calls: map[string]string{"sqrt": "sqrt(%s)", "pow": "power(%s, %s)", "log": "log(%s)", "log2": "log2(%s)",
			"abs": "abs(%s)",
			"exp": "exponential(%s)", "choose": "(%[2]s if %[1]s else %[3]s)", "min": "min(%s, %s)",
			"max": "max(%s, %s)", "fixed": "int(%s)", "/": "divide(%s, %s)",
			"true": "True", "false": "False"},
		operators: map[string]string{"&&": "and", "||": "or", "!": "not "},
		helpers: []string{ // not a number or infinite where Python raises an error
			"def divide(x, y):\n    return x / y if y != 0 else math.nan\n",
			"def power(x, y):\n    try:\n        return math.pow(x, y)\n    except (OverflowError, ValueError):\n        return math.inf\n",
			"def exponential(x):\n    return math.exp(x) if x < 709.78 else math.inf\n",
			"def sqrt(x):\n    return math.sqrt(x) if x >= 0 else math.nan\n",
			"def log(x):\n    return math.log(x) if x > 0 else math.nan\n",
			"def log2(x):\n    return math.log2(x) if x > 0 else math.nan\n"},
	},
	"javascript": {
		camel: true, html: true, split: true, end: ";", comment: "//", gap: " ", indent: "  ", before: "function ",
		loop: "for (let NAME = 0; NAME < LAST; NAME++)", math: "Math.",
		arrays: map[string]string{"int": "new Int32Array(%d)", "uint16": "new Uint16Array(%d)",
			"float64": "new Float64Array(%d)",
			"wide":    "new Float64Array(2 * %d)", "array": "[[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]"},
		calls: map[string]string{"choose": "(%s ? %s : %s)", "min": "Math.min(%s, %s)", "max": "Math.max(%s, %s)",
			"min fixed": "fixedSmaller(%s, %s)", "max fixed": "fixedLarger(%s, %s)", "fixed": "BigInt(%s)",
			"float64 of fixed": "Number(%s)"},
		operators: map[string]string{"==": "===", "!=": "!=="},
		helpers: []string{"const fixedSmaller = (x, y) => (x < y ? x : y);",
			"const fixedLarger = (x, y) => (x > y ? x : y);"},
	},
	"java": {
		camel: true, html: true, end: ";", comment: "//", gap: " ", indent: "    ", before: "private static ",
		fixed: "final ",
		loop:  "for (int NAME = 0; NAME < LAST; NAME++)", math: "Math.",
		types: map[string]string{"int": "int", "float64": "double", "fixed": "long", "wide": "long",
			"uint16": "char", "bool": "boolean"},
		arrays: map[string]string{"int": "new int[%d]", "float64": "new double[%d]", "wide": "new long[%d]",
			"uint16": "new char[%d]", "array": "new int[4][4]"},
		calls: map[string]string{"log2": "log2(%s)", "choose": "(%s ? %s : %s)", "min": "Math.min(%s, %s)",
			"max":     "Math.max(%s, %s)",
			"float64": "(double) %s", "fixed": "(long) %s", "uint16": "(char) %s"},
		helpers: []string{"private static double log2(double x) {\n    int exponent = Math.getExponent(x); // exact for powers of 2\n" +
			"    return exponent + Math.log(Math.scalb(x, -exponent)) / Math.log(2);\n}"},
	},
}
