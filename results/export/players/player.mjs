/* BEGIN about */
/* A player of 2048 that counts blanks and merges. Export puts other players in the marked places.
 * END about
 *
 * An ES module, for pages and for Node: as player.mjs, or as player.js since Node 20.19.
 *
 *     import { bestMove } from "./player.mjs";
 *     bestMove([[0, 2, 0, 0], [8, 8, 4, 0], [1024, 2, 4, 2], [2048, 4, 16, 4]]);  // such as "up"
 *
 * A board is four rows of four faces from the upper left: 0 for a blank, otherwise 2, 4, 8 ...
 * 65536, which counts as a 32768.
 */

/* BEGIN constants */
const SCALE = 4294967296;
const DEAD = 0; // the value of a board without a legal move, in a search
const TWO = 0.9; // the probability that a new tile is a 2
const FOUR = 0.1;
const CUT = 0.001; // the default search ends at boards of less probability

const EMPTY_WEIGHT = 270;
const MERGES_WEIGHT = 700;
/* END constants */

/**
 * Within the code tiles are ranks: 0 for a blank, 1 for a 2, 2 for a 4 ... 15 for a 32768. A row is
 * a number of four bits a tile, the first tile in the lowest ones. A board is four rows.
 * @typedef {number[]} Board
 */

/**
 * Values by row, column or square of 2 x 2 cells. They are whole numbers of 1 / SCALE, so that sums
 * are exact, and boards that are equally good have exactly the same value. A table is the upper
 * halves of its values, in units of 2^32, and the lower ones.
 * @typedef {[Float64Array, Float64Array]} Table
 */

/** @param {number} row */
const tilesOf = (row) => [row & 15, (row >> 4) & 15, (row >> 8) & 15, row >> 12];

/** @param {number[]} tiles */
const rowOf = ([a, b, c, d]) => a | (b << 4) | (c << 8) | (d << 12);

/**
 * @param {Board} board
 * @param {number} cell
 */
const rankAt = (board, cell) => (board[cell >> 2] >> (4 * (cell & 3))) & 15;

/** @param {Board} board */
const ranksOf = (board) => board.flatMap(tilesOf);

/** @param {Board} board */
const largestRank = (board) => Math.max(...ranksOf(board));

/** @param {number[]} ranks */
const countBlanks = (ranks) => ranks.filter((rank) => rank === 0).length;

/**
 * The tiles of a line without its blanks, 0 behind the last one.
 * @param {number[]} line
 */
const pack = (line) => [...line.filter((rank) => rank > 0), 0, 0, 0, 0].slice(0, 4);

/**
 * Adjacent equal tiles once blanks are dropped: 2 2 2 counts 2. A run's first tile counts first.
 * @param {number[]} line
 * @param {number} first
 */
function countEqual(line, first) {
  let n = 0;
  pack(line).forEach((rank, i, tiles) => {
    if (rank > 0 && rank === tiles[i - 1]) n += rank === tiles[i - 2] ? 1 : 1 + first;
  });
  return n;
}

/** @param {Board} board */
const countDistinct = (board) => Math.max(new Set(ranksOf(board).filter((rank) => rank > 0)).size, 1);

/**
 * The number of legal moves, and 1 if there is none.
 * @param {Board} board
 */
const countMoves = (board) => Math.max([0, 1, 2, 3].filter((move) => afterMove(board, move)).length, 1);

/**
 * The score of the tiles, had all that came been a 2.
 * @param {Board} board
 */
const countPoints = (board) => ranksOf(board).reduce((sum, rank) => sum + (Math.max(rank - 1, 0) << rank), 0);

/**
 * Whether a largest tile lies in one of some cells.
 * @param {Board} board
 * @param {number[]} cells
 */
const largestWithin = (board, cells) => Number(cells.some((cell) => ranksOf(board)[cell] === largestRank(board)));

/**
 * The board with rows and columns exchanged.
 * @param {Board} board
 * @returns {Board}
 */
const transpose = ([a, b, c, d]) => [
  (a & 15) | ((b & 15) << 4) | ((c & 15) << 8) | ((d & 15) << 12),
  ((a >> 4) & 15) | (b & 0xf0) | ((c & 0xf0) << 4) | ((d & 0xf0) << 8),
  ((a >> 8) & 15) | ((b >> 4) & 0xf0) | (c & 0xf00) | ((d & 0xf00) << 4),
  (a >> 12) | ((b >> 8) & 0xf0) | ((c >> 4) & 0xf00) | (d & 0xf000),
];

/**
 * The sum of a table's half over rows. Over columns it is the sum over the rows of the transposed
 * board.
 * @param {Float64Array} half
 * @param {Board} board
 */
const overRows = (half, board) => half[board[0]] + half[board[1]] + half[board[2]] + half[board[3]];

/**
 * @param {Float64Array} half
 * @param {Board} board
 */
function overSquares(half, board) {
  let sum = 0;
  for (let row = 0; row < 3; row++) {
    for (let shift = 0; shift < 12; shift += 4) {
      sum += half[((board[row] >> shift) & 0xff) | (((board[row + 1] >> shift) & 0xff) << 8)];
    }
  }
  return sum;
}

/**
 * The sum of a half by 16 x cell + rank.
 * @param {Float64Array} half
 * @param {Board} board
 */
function overCells(half, board) {
  let sum = 0;
  for (let cell = 0; cell < 16; cell++) sum += half[16 * cell + rankAt(board, cell)];
  return sum;
}

/**
 * The sum of the entries of a half by 16 x row + rank, of each different tile.
 * @param {Float64Array} half
 * @param {Board} board
 * @param {number} row
 */
function overTiles(half, board, row) {
  let sum = 0;
  for (const rank of new Set(ranksOf(board))) if (rank > 0) sum += half[16 * row + rank];
  return sum;
}

/**
 * The entry of a half by 16 x rank of the largest tile + rank in a cell.
 * @param {Float64Array} half
 * @param {Board} board
 * @param {number} cell
 */
const overCorner = (half, board, cell) => half[16 * largestRank(board) + rankAt(board, cell)];

/** @returns {Table} */
const newTable = () => [new Float64Array(65536), new Float64Array(65536)];

/**
 * @param {Table} table
 * @param {number} i
 * @param {bigint} value
 */
function put(table, i, value) {
  table[0][i] = Number(value >> 32n);
  table[1][i] = Number(value & 0xffffffffn);
}

/**
 * A sum of values as a number, from the sums of their halves.
 * @param {(half: 0 | 1) => number} sum
 */
const joined = (sum) => sum(0) * 4294967296 + sum(1);

/**
 * A half counts as the even number beside it.
 * @param {number} x
 */
function nearest(x) {
  const below = Math.floor(x);
  const up = x - below > 0.5 || (x - below === 0.5 && below % 2 !== 0);
  return BigInt(up ? below + 1 : below);
}

/**
 * x as a whole number of 1 / SCALE.
 * @param {number} x
 */
const fixed = (x) => nearest(x * SCALE);

/**
 * x as a whole number of 1 / scale, of a magnitude up to 2^50.
 * @param {number} x
 * @param {number} scale
 */
const rounded = (x, scale) => nearest(Math.max(Math.min(x, 1125899906842624), -1125899906842624) * scale);

/**
 * @param {bigint} x
 * @param {bigint} y
 */
const smaller = (x, y) => (x < y ? x : y);

/**
 * @param {bigint} x
 * @param {bigint} y
 */
const larger = (x, y) => (x > y ? x : y);

/**
 * x, or 0 if it is no finite number.
 * @param {number} x
 */
const finiteOr0 = (x) => (Number.isFinite(x) ? x : 0);

/**
 * A number below 0 has the 0th power alone.
 * @param {number} x
 * @param {number} y
 */
const power = (x, y) => (x < 0 && y !== 0 ? 0 : finiteOr0(Math.pow(x, y)));

/* BEGIN heuristic */
/**
 * A line is worth 270 for each blank and 700 for each merge.
 * @param {number[]} line
 */
function lineValue(line) {
  return fixed(EMPTY_WEIGHT * countBlanks(line) + MERGES_WEIGHT * countEqual(line, 0));
}

const lineValues = newTable();

function prepareHeuristic() {
  for (let line = 0; line < 65536; line++) put(lineValues, line, lineValue(tilesOf(line)));
}

/**
 * The value of a board as it is.
 * @param {Board} board
 */
function evaluate(board) {
  const columns = transpose(board);
  return joined((half) => overRows(lineValues[half], board) + overRows(lineValues[half], columns)) / SCALE;
}

/**
 * The plies of the default search.
 * @param {Board} board
 */
const ownDepth = (board) => (countDistinct(board) > 9 ? 5 : 3);
/* END heuristic */

/**
 * The best value of a board's eight orientations.
 * @param {(board: Board) => number} asItLies
 * @param {Board} board
 */
function bestOrientation(asItLies, board) {
  let best = asItLies(board);
  for (let i = 0; i < 7; i++) {
    board = i % 2 ? [...board].reverse() : transpose(board);
    best = Math.max(best, asItLies(board));
  }
  return best;
}

/**
 * The tiles after they slid to the front.
 * @param {number[]} line
 */
function slide(line) {
  /** @type {number[]} */
  const tiles = [];
  let free = false; // whether the last tile may merge
  for (const rank of pack(line)) {
    if (rank > 0 && free && tiles[tiles.length - 1] === rank) {
      tiles[tiles.length - 1] = Math.min(rank + 1, 15);
      free = false;
    } else {
      tiles.push(rank);
      free = true;
    }
  }
  return [...tiles, 0, 0, 0].slice(0, 4);
}

/** Rows after a slide to the left or right. */
const slidLeft = new Uint16Array(65536);
const slidRight = new Uint16Array(65536);

let ready = false;

/** Fills the tables when they are first needed. */
function prepare() {
  if (ready) return;
  for (let row = 0; row < 65536; row++) {
    slidLeft[row] = rowOf(slide(tilesOf(row)));
    slidRight[row] = rowOf(slide(tilesOf(row).reverse()).reverse());
  }
  prepareHeuristic();
  ready = true;
}

/**
 * @param {Uint16Array} slid
 * @param {Board} board
 * @returns {Board | null} null if no row moves
 */
function slideRows(slid, board) {
  const a = slid[board[0]];
  const b = slid[board[1]];
  const c = slid[board[2]];
  const d = slid[board[3]];
  return a === board[0] && b === board[1] && c === board[2] && d === board[3] ? null : [a, b, c, d];
}

/**
 * The board after a move: 0 up, 1 down, 2 left, 3 right.
 * @param {Board} board
 * @param {number} move
 * @returns {Board | null} null if the move is not legal
 */
function afterMove(board, move) {
  const slid = move % 2 === 0 ? slidLeft : slidRight;
  if (move >= 2) return slideRows(slid, board);
  const columns = slideRows(slid, transpose(board));
  return columns && transpose(columns);
}

/**
 * Whether a move merges two 32768s, which ends the game.
 * @param {Board} board
 * @param {number} move
 */
const mergesLast = (board, move) =>
  (move < 2 ? transpose(board) : board).some((row) =>
    pack(tilesOf(row)).some((rank, i, tiles) => rank === 15 && tiles[i + 1] === 15),
  );

let endgame = false; // whether two 32768s may meet

/**
 * The last values of boards after a move, by the board.
 * @type {Map<string, { plies: number, prob: number, value: number }>}
 */
const known = new Map();

/**
 * The value of the best move with so many plies to go, or DEAD. The board's probability is prob.
 * @param {Board} board
 * @param {number} plies
 * @param {number} prob
 */
function position(board, plies, prob) {
  let best = -Infinity;
  for (let move = 0; move < 4; move++) {
    const after = afterMove(board, move);
    if (after === null) continue;
    if (plies === 0) return evaluate(board);
    const value = chance(after, endgame && mergesLast(board, move) ? 0 : plies - 1, prob);
    if (value > best) best = value;
  }
  return best === -Infinity ? DEAD : best;
}

/**
 * The value of a board after a move.
 * @param {Board} board
 * @param {number} plies
 * @param {number} prob
 */
function chance(board, plies, prob) {
  if (plies === 0 || prob < CUT) return evaluate(board);
  if (plies === 1) return mean(board, plies, prob);
  const key = String.fromCharCode(board[0], board[1], board[2], board[3]);
  const last = known.get(key);
  if (last?.plies === plies && last.prob === prob) return last.value;
  const value = mean(board, plies, prob);
  known.set(key, { plies, prob, value });
  return value;
}

/**
 * The mean over the tiles that may come.
 * @param {Board} board
 * @param {number} plies
 * @param {number} prob
 */
function mean(board, plies, prob) {
  let blanks = 0;
  for (let cell = 0; cell < 16; cell++) if (rankAt(board, cell) === 0) blanks++;
  const share = prob / blanks;
  let sum2 = 0;
  let sum4 = 0;
  for (let row = 0; row < 4; row++) {
    for (let shift = 0; shift < 16; shift += 4) {
      const line = board[row];
      if ((line >> shift) & 15) continue;
      board[row] = line | (1 << shift);
      sum2 += position(board, plies - 1, share * TWO);
      board[row] = line | (2 << shift);
      sum4 += position(board, plies - 1, share * FOUR);
      board[row] = line;
    }
  }
  return sum2 * (TWO / blanks) + sum4 * (FOUR / blanks);
}

/**
 * @param {number[][]} board of faces
 * @returns {Board}
 */
const boardOf = (board) => board.map((row) => rowOf(row.map((face) => (face ? Math.min(31 - Math.clz32(face), 15) : 0))));

/**
 * What a board is worth as it is, without a search, and whether or not a move is legal.
 * @param {number[][]} board
 * @returns {number}
 */
export function value(board) {
  prepare();
  return evaluate(boardOf(board));
}

/** @typedef {"up" | "down" | "left" | "right"} Move */

/** @type {Move[]} */
const MOVES = ["up", "down", "left", "right"];

/**
 * The values of the legal moves by a search of so many plies; none once a 65536 is there. 1 values
 * the board after the move, 2 after the tile that comes then, 3 after the next move, and so on. 0
 * is the default search.
 * @param {number[][]} faces
 * @param {number} [depth]
 * @returns {Map<Move, number>} in the order up, down, left, right
 */
export function moveValues(faces, depth = 0) {
  if (depth < 0) throw new RangeError(`want a depth of 0 or more, got ${depth}`);
  prepare();
  const board = boardOf(faces);
  const plies = depth || ownDepth(board);
  const prob = depth ? Infinity : 1; // no board is of less than a part of infinity
  const all = faces.flat();
  endgame = all.reduce((sum, face) => sum + face) + 4 * plies >= 65536;
  known.clear();
  /** @type {Map<Move, number>} */
  const values = new Map();
  if (all.includes(65536)) return values;
  for (let move = 0; move < 4; move++) {
    const after = afterMove(board, move);
    if (after === null) continue;
    values.set(MOVES[move], chance(after, endgame && mergesLast(board, move) ? 0 : plies - 1, prob));
  }
  return values;
}

/**
 * The move of the largest value, the first of equals; null if no move is legal.
 * @param {number[][]} board
 * @param {number} [depth]
 * @returns {Move | null}
 */
export function bestMove(board, depth = 0) {
  let best = null;
  let most = -Infinity;
  for (const [move, value] of moveValues(board, depth)) {
    if (value > most) {
      best = move;
      most = value;
    }
  }
  return best;
}
