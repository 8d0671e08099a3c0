// Package engine plays 2048: the board, the moves, the spawns, the game, and an expectimax search over any
// heuristic that is compiled to tables. Beside package portable it uses the standard library only.
//
// Read board.go (64 bits, a nibble a tile), moves.go (slides by row tables), capped.go (the one thing a nibble
// cannot hold), spawn.go and game.go (a game is a function of rules, seed and player), tables.go (what a
// heuristic is to the search), search_settings.go (depth in plies), search.go (the tree), decision.go (what it found, as JSON), lastlayer.go (where
// nearly all of its time goes; lastlayer_amd64.s is the same in assembly, lastlayer_best_amd64.s that with orientations) with
// rowtable.go and oriented.go, and transposition.go (why its table never changes a value).
//
// # Rules
//
// A game starts with two spawned tiles. A move slides all tiles one way; equal neighbours merge once, the pair
// nearest to the wall first, and their sum is scored; a move that changes nothing is illegal. After each move a
// tile spawns on an empty cell, each equally likely: a 4 with probability Rules.FourProbability, else a 2. The
// game ends without a legal move, or as capped when two 32768s merge.
//
// # Search
//
// Depth is counted in plies, the move being chosen included: depth 1 takes the value of each afterstate, depth 3
// is move, spawn, move; an even depth values boards after a spawn. A max node has the value of its best legal
// move, a chance node the probability-weighted mean over all spawns, and a position without a legal move the
// value Tables.Dead, at the horizon too. Leaves are sums of fixed-point numbers; means are taken in float64 in a
// fixed order, without fused operations. A value therefore depends on board, tables, settings and rules only:
// not on the machine, nor on what was searched before.
//
// # Where the time goes
//
// At depth 3 with line features 80% of the time is in lastLayer, which values the leaves of the last chance layer: some
// 1,000 instructions for an afterstate of four blanks, 100 for each run of blanks, two to five of them in a cycle. 8% goes
// into sliding and dealing out the root's board, the rest into the tree. In the deepest rules the last chance layer
// takes 55%, and the transposition table, although its entries are fetched early, a fifth.
package engine
