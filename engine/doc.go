// Package engine plays 2048: board, moves, spawns, game, and an expectimax search over any
// heuristic compiled to tables.
//
// You have a board and a heuristic, and want a move. ParseBoard reads the board. Package eval
// compiles the features and their weights to Tables. A Searcher that was prepared with the tables
// and a depth then values all moves (Search), or finds the best one alone with fewer nodes (Best).
// The search takes the best move at each of its own nodes, and the mean over all spawns in between.
// Play plays a whole game with any Player. A game is a function of rules, seed and player, so it
// can be repeated anywhere. The examples play a game and slide a board. The example of package
// eval searches a board. Beside the standard library the package imports portable, key (the texts
// of its settings) and golang.org/x/sys/cpu.
//
// Read board.go (64 bits, a nibble a tile) and moves.go (slides by row tables). Then spawn.go and
// game.go: a game is a function of rules, seed and player. Then tables.go (a heuristic as tables),
// search_settings.go (depth in plies), search.go (the tree), star1.go and bound.go (the best move
// alone). lastlayer.go, with rowtable.go and oriented.go, takes nearly all of the time.
// lastlayer_amd64.s is its assembly, and lastlayer_best_amd64.s with orientations. Last,
// transposition.go: its table never changes a move.
//
// # Rules
//
// A game starts with two spawned tiles. A move slides all tiles one way. Equal neighbours merge
// once, the pair nearest to the wall first, and their sum is scored. A move that changes nothing is
// illegal. After each move a tile spawns on an empty cell, each equally likely: a 4 with
// probability Rules.FourProbability, else a 2. The game ends without a legal move, or as capped
// when two 32768s merge for 65,536 points. The board then shows the new tile as a 32768.
//
// # Search
//
// Depth is counted in plies, with the chosen move: depth 1 takes the value of each afterstate,
// depth 3 is move, spawn, move; an even depth values boards after a spawn. A max node has the value
// of its best legal move, a chance node the probability-weighted mean over all spawns. A position
// without a legal move has the value Tables.Dead, at the horizon too. Leaves are sums of
// fixed-point numbers, and of float64s for formulas over the board. Means are taken in float64 in a
// fixed order, without fused operations. So a value depends on board, tables, settings and rules
// only, not on the machine or earlier searches.
//
// # The best move alone
//
// A game needs the best move and no other value. [Searcher.Best] finds the move and the value of
// [Searcher.Search], to the bit, with fewer nodes. It leaves a chance node as soon as an upper
// bound of the node's value falls below the value of a better move. This is Star1 (Ballard 1983;
// Hauk, Buro and Schaeffer 2004). The [Bound] comes from the tables, not from a heuristic's
// formula.
//
// An example. The best move so far is worth alpha = 100. No board that follows the next move is
// worth more than 120. Two cells are blank, so there are four spawns: a 2 in each cell with
// probability .45, a 4 with .05.
//
//	the first 2 is worth 80   .45 x 80 = 36 is known. The rest is at most .55 x 120 = 66.
//	                          Together this is 102, so the search goes on.
//	the second 2              Its search has an alpha of its own. The second 2 must be worth at
//	                          least (100 - 36 - .10 x 120) / .45 = 115.6.
//	... is worth 85           36 + .45 x 85 + .10 x 120 = 86.25 is below 100. So neither 4 is
//	                          searched.
//
// The result 86.25 is an upper bound below alpha, so the move is not the best. A result of at least
// alpha is exact, because both searches add up the spawns in the same order.
//
// Searches of up to 3 plies stay as they are. So do heuristics with a formula over the board, and
// boards with two 32768s: they have no bound.
//
// # Where the time goes
//
// At depth 3 with line features lastLayer takes 80% of the time. It values the leaves of the last
// chance layer: some 1,000 instructions for an afterstate of four blanks, 100 for each run of
// blanks. The processor executes two to five instructions a cycle. Sliding and dealing out the
// root's board take 8%, the tree the rest. In the deepest rules the last chance layer takes 55%,
// and the transposition table a fifth, although its entries are fetched early.
package engine
