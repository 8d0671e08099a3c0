// The worker of a page: it values the moves of a board. The player stands before this code.

/**
 * What a feature is summed over, by part of the board: the arguments of its function.
 * @type {Record<string, (board: Board) => any[][]>}
 */
const summands = {
  line: (board) => [...board, ...transpose(board)].map((row) => [tilesOf(row)]),
  row: (board) => board.map((row) => [tilesOf(row)]),
  column: (board) => transpose(board).map((row) => [tilesOf(row)]),
  square: (board) => [0, 1, 2, 4, 5, 6, 8, 9, 10].map((cell) => [[0, 1, 4, 5].map((k) => rankAt(board, cell + k))]),
  cell: (board) => ranksOf(board).map((rank, cell) => [cell, rank]),
  upper_left: (board) => [[largestRank(board), rankAt(board, 0)]],
  upper_right: (board) => [[largestRank(board), rankAt(board, 3)]],
  lower_left: (board) => [[largestRank(board), rankAt(board, 12)]],
  lower_right: (board) => [[largestRank(board), rankAt(board, 15)]],
  cells: (board) => [[largestRank(board), ranksOf(board)]],
  board: (board) => [[board]],
};

/**
 * What each feature adds to the value of a board as it lies.
 * @param {Board} board
 */
const addedAsItLies = (board) =>
  features.map(({ over, value }) => {
    const values = summands[over](board).map((of) => value(...of));
    return over === "board" ? values[0] : Number(values.reduce((sum, x) => sum + x, 0n)) / SCALE;
  });

/**
 * What each feature adds: of the best orientation, if the player looks at all of them.
 * @param {Board} board
 */
function added(board) {
  const total = (/** @type {number[]} */ parts) => parts.reduce((sum, x) => sum + x, 0);
  let best = addedAsItLies(board);
  for (let i = 0; ORIENTED && i < 7; i++) {
    board = i % 2 ? [...board].reverse() : transpose(board);
    const parts = addedAsItLies(board);
    if (total(parts) > total(best)) best = parts;
  }
  return best;
}

// A question is a board of faces, and a depth. The answer has what is known of each move, null if it
// is not legal: its value, and what each feature adds to the board right after it.
onmessage = ({ data: { faces, depth, explained } }) => {
  const began = performance.now();
  const values = moveValues(faces, depth);
  const took = performance.now() - began;
  const best = Math.max(...values.values());
  const moves = MOVES.map((name, move) => {
    const value = values.get(name);
    const after = afterMove(boardOf(faces), move);
    return value === undefined || after === null ? null : { value, added: explained ? added(after) : null };
  });
  postMessage({ moves, best: moves.findIndex((move) => move?.value === best), took });
};

prepare(); // before the first question
