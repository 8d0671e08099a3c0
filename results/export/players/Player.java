/* BEGIN about */
/**
 * A player of 2048 that counts blanks and merges. Export puts other players in the marked places.
 * END about
 *
 * <p>A board is four rows of four faces from the upper left: 0 for a blank, otherwise 2, 4, 8 ...
 * 65536, which counts as a 32768. Call it from one thread at a time. Needs Java 17 or later.
 */
public final class Player {
    /** The moves, in the order of ties. */
    public enum Move { UP, DOWN, LEFT, RIGHT }

    private Player() {}

    /** The value of a board as it is, without a search, and whether or not a move is legal. */
    public static double value(int[][] board) {
        return evaluate(boardOf(board));
    }

    /** The best move by the default search, or null if no move is legal. */
    public static Move bestMove(int[][] board) {
        return bestMove(board, 0);
    }

    /**
     * The best move by a search of so many plies: 1 values the board after the move, 2 after the
     * tile that comes then, 3 after the next move, and so on. 0 is the default search. The first of
     * equals in the order up, down, left, right. It is null if no move is legal.
     */
    public static Move bestMove(int[][] board, int depth) {
        search(board, depth);
        return best < 0 ? null : Move.values()[best];
    }

    /* BEGIN constants */
    private static final double SCALE = 4294967296.0;
    private static final double DEAD = 0.0; // the value of a board without a legal move, in a search
    private static final double TWO = 0.9; // the probability that a new tile is a 2
    private static final double FOUR = 0.1;
    private static final double CUT = 0.001; // the default search ends at boards of less probability

    private static final double EMPTY_WEIGHT = 270.0;
    private static final double MERGES_WEIGHT = 700.0;
    /* END constants */

    // Within the code boards and lines have ranks: 0 for a blank, 1 for a 2, 2 for a 4 ... 15 for a
    // 32768, four bits each. The upper or left cell has the lowest bits, the first row of a board
    // the lowest 16.
    //
    // Tables have values by row, column or square of 2 x 2 cells. They are whole numbers of 1 /
    // SCALE, so boards that are equally good have exactly the same value, unsearched.

    private static long boardOf(int[][] faces) {
        long board = 0;
        for (int cell = 15; cell >= 0; cell--) {
            int face = faces[cell / 4][cell % 4];
            board = board << 4 | (face == 0 ? 0 : Math.min(31 - Integer.numberOfLeadingZeros(face), 15));
        }
        return board;
    }

    private static int rankAt(long board, int cell) {
        return (int) (board >>> 4 * cell) & 15;
    }

    private static int largestRank(long board) {
        int largest = 0;
        for (; board != 0; board >>>= 4) {
            largest = Math.max(largest, (int) board & 15);
        }
        return largest;
    }

    private static int countBlanks(long board, int cells) {
        int n = 0;
        for (int cell = 0; cell < cells; cell++) {
            n += rankAt(board, cell) == 0 ? 1 : 0;
        }
        return n;
    }

    /** A line without its blanks. */
    private static int pack(long line) {
        int packed = 0;
        for (int cell = 3; cell >= 0; cell--) {
            if (rankAt(line, cell) != 0) {
                packed = packed << 4 | rankAt(line, cell);
            }
        }
        return packed;
    }

    /** Adjacent equal tiles without blanks: 2 2 2 counts 2. A run's first tile counts first. */
    private static int countEqual(long line, int first) {
        int n = 0, last = 0, run = 0;
        for (int rest = pack(line); rest != 0; rest >>= 4) {
            run = (rest & 15) == last ? run + 1 : 0;
            n += run == 0 ? 0 : run == 1 ? 1 + first : 1;
            last = rest & 15;
        }
        return n;
    }

    /** How many different tiles there are. */
    private static int countDistinct(long board) {
        int seen = 0;
        for (; board != 0; board >>>= 4) {
            seen |= 1 << (board & 15);
        }
        return Math.max(Integer.bitCount(seen >> 1), 1);
    }

    /** The score of the tiles, had all that came been a 2. */
    private static int countPoints(long board) {
        int sum = 0;
        for (; board != 0; board >>>= 4) {
            sum += Math.max((int) (board & 15) - 1, 0) << (board & 15);
        }
        return sum;
    }

    /** The number of legal moves, and 1 if there is none. */
    private static int countMoves(long board) {
        int n = 0;
        for (int move = 0; move < 4; move++) {
            n += slide(board, move) == board ? 0 : 1;
        }
        return Math.max(n, 1);
    }

    /** 1 if a largest tile lies in the cells of a mask. */
    private static int largestWithin(long board, long cells) {
        return largestRank(board & cells) == largestRank(board) ? 1 : 0;
    }

    private static long transpose(long board) {
        long swap = (board ^ board >>> 12) & 0x0000F0F00000F0F0L;
        board ^= swap ^ swap << 12;
        swap = (board ^ board >>> 24) & 0x00000000FF00FF00L;
        return board ^ swap ^ swap << 24;
    }

    /** The sum of a table over rows. Its sum over columns is over rows of the transposed board. */
    private static long overRows(long[] table, long board) {
        return table[(int) board & 0xFFFF] + table[(int) (board >>> 16) & 0xFFFF]
            + table[(int) (board >>> 32) & 0xFFFF] + table[(int) (board >>> 48)];
    }

    private static long overSquares(long[] table, long board) {
        long sum = 0;
        for (int row = 0; row < 3; row++, board >>>= 16) {
            for (int shift = 0; shift < 12; shift += 4) {
                sum += table[(int) (board >>> shift & 0xFF | board >>> (shift + 8) & 0xFF00)];
            }
        }
        return sum;
    }

    /** The sum of a table by 16 x cell + rank. */
    private static long overCells(long[] table, long board) {
        long sum = 0;
        for (int cell = 0; cell < 16; cell++) {
            sum += table[16 * cell + rankAt(board, cell)];
        }
        return sum;
    }

    /** The entry of a table by 16 x rank of the largest tile + rank in a corner cell. */
    private static long overCorner(long[] table, long board, int cell) {
        return table[16 * largestRank(board) + rankAt(board, cell)];
    }

    /** x as a whole number of 1 / SCALE, a half as the even one. */
    private static long fixed(double x) {
        return (long) Math.rint(x * SCALE);
    }

    /** x as a whole number of 1 / scale, of a magnitude up to 2^50. */
    private static long rounded(double x, double scale) {
        return (long) Math.rint(Math.min(Math.max(x, -0x1p50), 0x1p50) * scale);
    }

    /** x, or 0 if it is no finite number. */
    private static double finiteOr0(double x) {
        return Double.isFinite(x) ? x : 0;
    }

    /** A number below 0 has the 0th power alone. */
    private static double power(double x, double y) {
        return x < 0 && y != 0 ? 0 : finiteOr0(Math.pow(x, y));
    }

    /** The binary logarithm, exact for powers of 2. */
    private static double binaryLog(double x) {
        int exponent = Math.getExponent(x);
        return finiteOr0(exponent + Math.log(Math.scalb(x, -exponent)) / Math.log(2));
    }

    /* BEGIN heuristic */
    /** A line is worth 270 for each blank and 700 for each merge. */
    private static long rowValue(int line) {
        return fixed(EMPTY_WEIGHT * countBlanks(line, 4) + MERGES_WEIGHT * countEqual(line, 0));
    }

    private static final long[] rowValues = new long[65536];
    private static final long[] columnValues = rowValues;

    static {
        for (int line = 0; line < 65536; line++) {
            rowValues[line] = rowValue(line);
        }
    }

    /** The value of a board as it is. */
    private static double evaluate(long board) {
        long columns = transpose(board);
        return (overRows(rowValues, board) + overRows(columnValues, columns)) / SCALE;
    }

    /** The plies of the default search. */
    private static int ownDepth(long board) {
        return countDistinct(board) > 9 ? 5 : 3;
    }
    /* END heuristic */

    /** The best value of a board's eight orientations. */
    private static double bestOrientation(java.util.function.LongToDoubleFunction asItLies, long board) {
        double best = asItLies.applyAsDouble(board);
        for (int i = 0; i < 7; i++) {
            board = i % 2 == 0 ? transpose(board)
                : board << 48 | board << 16 & 0xFFFF00000000L | board >>> 16 & 0xFFFF0000L | board >>> 48;
            best = Math.max(best, asItLies.applyAsDouble(board));
        }
        return best;
    }

    // Rows after a slide to the left or right.
    private static final char[] slidLeft = new char[65536];
    private static final char[] slidRight = new char[65536];

    static {
        for (int row = 0; row < 65536; row++) {
            int slid = 0, length = 0, mergeable = 0;
            for (int line = pack(row); line != 0; line >>= 4) {
                int rank = line & 15;
                if (rank == mergeable) {
                    slid += Math.min(15 - rank, 1) << 4 * length - 4;
                    mergeable = 0;
                } else {
                    slid |= rank << 4 * length++;
                    mergeable = rank;
                }
            }
            slidLeft[row] = (char) slid;
            slidRight[mirror(row)] = (char) mirror(slid);
        }
    }

    private static int mirror(int row) {
        return row >> 12 | row >> 4 & 0xF0 | row << 4 & 0xF00 | row << 12 & 0xF000;
    }

    private static long slideRows(char[] slid, long board) {
        return slid[(int) board & 0xFFFF] | (long) slid[(int) (board >>> 16) & 0xFFFF] << 16
            | (long) slid[(int) (board >>> 32) & 0xFFFF] << 32 | (long) slid[(int) (board >>> 48)] << 48;
    }

    /** The board after a move, which is the board itself if the move is not legal. */
    private static long slide(long board, int move) {
        char[] slid = move % 2 == 0 ? slidLeft : slidRight;
        return move < 2 ? transpose(slideRows(slid, transpose(board))) : slideRows(slid, board);
    }

    /** Whether a move merges two 32768s, which ends the game. */
    private static boolean mergesLast(long board, int move) {
        for (long rows = move < 2 ? transpose(board) : board; rows != 0; rows >>>= 16) {
            for (int line = pack(rows & 0xFFFF); line != 0; line >>= 4) {
                if ((line & 0xFF) == 0xFF) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean endgame; // whether two 32768s may meet
    private static int top; // the plies after the first move, which no other moves lead to
    private static int best; // the move that position found, -1 if none is legal

    /** A value of a board after a move. */
    private static final class Known {
        long board;
        int plies;
        double prob;
        double value;
    }

    private static final Known[] known = new Known[1 << 15];

    static {
        java.util.Arrays.setAll(known, i -> new Known());
    }

    /** The value of the best move with so many plies to go, or DEAD. The board's probability is prob. */
    private static double position(long board, int plies, double prob) {
        int bestMove = -1;
        double value = DEAD;
        for (int move = 0; move < 4; move++) {
            long after = slide(board, move);
            if (after == board) {
                continue;
            }
            if (plies == 0) {
                return evaluate(board);
            }
            double v = chance(after, endgame && mergesLast(board, move) ? 0 : plies - 1, prob);
            if (bestMove < 0 || v > value) {
                value = v;
                bestMove = move;
            }
        }
        best = bestMove;
        return value;
    }

    /** The value of a board after a move. */
    private static double chance(long board, int plies, double prob) {
        if (plies == 0 || prob < CUT) {
            return evaluate(board);
        }
        if (plies == 1 || plies == top) {
            return mean(board, plies, prob);
        }
        Known k = known[(int) ((board + plies) * 0x9E3779B97F4A7C15L >>> 49)];
        if (k.board != board || k.plies != plies || k.prob != prob) {
            double value = mean(board, plies, prob);
            k.board = board;
            k.plies = plies;
            k.prob = prob;
            k.value = value;
        }
        return k.value;
    }

    /** The mean over the tiles that may come. */
    private static double mean(long board, int plies, double prob) {
        int blanks = countBlanks(board, 16);
        double sum2 = 0, sum4 = 0;
        double share = prob / blanks;
        for (int cell = 0; cell < 16; cell++) {
            if (rankAt(board, cell) == 0) {
                sum2 += position(board | 1L << 4 * cell, plies - 1, share * TWO);
                sum4 += position(board | 2L << 4 * cell, plies - 1, share * FOUR);
            }
        }
        return sum2 * (TWO / blanks) + sum4 * (FOUR / blanks);
    }

    /** Finds the best move, and returns its value. */
    private static double search(int[][] faces, int depth) {
        long board = boardOf(faces);
        int plies = depth > 0 ? depth : ownDepth(board), sum = 0;
        best = -1;
        for (int cell = 0; cell < 16; cell++) {
            if (faces[cell / 4][cell % 4] > 32768) {
                return DEAD; // the game has ended
            }
            sum += faces[cell / 4][cell % 4];
        }
        top = plies - 1;
        endgame = sum + 4 * plies >= 65536;
        double prob = depth > 0 ? Double.POSITIVE_INFINITY : 1; // infinity has no end
        return position(board, plies, prob);
    }
}
