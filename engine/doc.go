// Package engine plays 2048: board, moves, spawns, game, and an expectimax search over any
// heuristic compiled to tables. It uses only the standard library and package portable.
//
// Read board.go (64 bits, a nibble a tile), moves.go (slides by row tables) and capped.go (the one
// tile that a nibble cannot hold). Then spawn.go and game.go: a game is a function of rules, seed
// and player. Then tables.go (a heuristic as tables), search_settings.go (depth in plies),
// search.go (the tree) and decision.go (its result as JSON). lastlayer.go, with rowtable.go and
// oriented.go, takes nearly all of the time; lastlayer_amd64.s and, with orientations,
// lastlayer_best_amd64.s are its assembly. Last, transposition.go: its table never changes a value.
//
// # Rules
//
// A game starts with two spawned tiles. A move slides all tiles one way. Equal neighbours merge
// once, the pair nearest to the wall first, and their sum is scored. A move that changes nothing is
// illegal. After each move a tile spawns on an empty cell, each equally likely: a 4 with
// probability Rules.FourProbability, else a 2. The game ends without a legal move, or as capped
// when two 32768s merge.
//
// # Search
//
// Depth is counted in plies, with the chosen move: depth 1 takes the value of each afterstate,
// depth 3 is move, spawn, move; an even depth values boards after a spawn. A max node has the value
// of its best legal move, a chance node the probability-weighted mean over all spawns. A position
// without a legal move has the value Tables.Dead, at the horizon too. Leaves are sums of
// fixed-point numbers. Means are taken in float64 in a fixed order, without fused operations. So a
// value depends on board, tables, settings and rules only, not on the machine or earlier searches.
//
// # Where the time goes
//
// At depth 3 with line features lastLayer takes 80% of the time. It values the leaves of the last
// chance layer: some 1,000 instructions for an afterstate of four blanks, 100 for each run of
// blanks. The processor executes two to five instructions a cycle. Sliding and dealing out the
// root's board take 8%, the tree the rest. In the deepest rules the last chance layer takes 55%,
// and the transposition table a fifth, although its entries are fetched early.
package engine
