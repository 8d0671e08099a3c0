/* BEGIN about */
/* A player of 2048 that counts blanks and merges. Export puts other players in the marked places.
 * END about
 *
 * Compile it with "cc -O2 -ffp-contract=off -c player.c": fused operations would change the last
 * bits of values. Link with -lm, and declare in your program (in C++ inside extern "C" { }):
 *
 *     double value(const int board[4][4]);
 *     int best_move(const int board[4][4], int depth);    0 up, 1 down, 2 left, 3 right, -1 none
 *
 * A board is four rows of four faces from the upper left: 0 for a blank, otherwise 2, 4, 8 ...
 * 65536, which counts as a 32768. Call the functions from one thread at a time.
 * IF BOT
 *
 * As a bot of tune: "cc -O2 -ffp-contract=off -DBOT -o player player.c -lm", see tune help bot.
 * END BOT
 */
#include <math.h>
#include <stdint.h>

/* Boards, rows and columns have ranks: 0 for a blank, 1 for a 2, 2 for a 4 ... 15 for a 32768. Each
 * takes four bits, the upper or left cell the lowest ones. A board has its first row in the lowest
 * 16 bits. */
typedef uint64_t Board;

/* Values by row, column or square of 2 x 2 cells. They are whole numbers of 1 / SCALE, so that sums
 * are exact, and boards that are equally good have exactly the same value. */
typedef int64_t Table[65536];

/* BEGIN constants */
#define SCALE 4294967296.0
#define DEAD 0.0 /* the value of a board without a legal move, in a search */
#define TWO 0.9 /* the probability that a new tile is a 2 */
#define FOUR 0.1
#define CUT 0.001 /* the default search ends at boards of less probability */

#define EMPTY_WEIGHT 270.0
#define MERGES_WEIGHT 700.0
/* END constants */

static int rank_at(Board b, int cell) { return (int)(b >> 4 * cell & 15); }

static int largest_rank(Board b)
{
    int largest = 0;
    for (; b; b >>= 4)
        largest = (int)(b & 15) > largest ? (int)(b & 15) : largest;
    return largest;
}

/* The lowest bit of each blank. */
static Board blanks_of(Board b)
{
    b |= b >> 2;
    return ~(b | b >> 1) & 0x1111111111111111;
}

static int count_blanks(Board b, int cells)
{
    int n = 0;
    for (Board blanks = blanks_of(b); blanks; blanks &= blanks - 1)
        n++;
    return n + cells - 16; /* a line has blanks above */
}

/* A line without its blanks. */
static Board pack(Board line)
{
    Board packed = 0;
    for (int cell = 3; cell >= 0; cell--)
        if (rank_at(line, cell))
            packed = packed << 4 | (Board)rank_at(line, cell);
    return packed;
}

/* Adjacent equal tiles once blanks are dropped: 2 2 2 counts 2. A run's first tile counts first. */
static int count_equal(Board line, int first)
{
    int n = 0, last = 0, run = 0;
    for (line = pack(line); line; line >>= 4) {
        run = (int)(line & 15) == last ? run + 1 : 0;
        n += run == 1 ? 1 + first : run > 1;
        last = (int)(line & 15);
    }
    return n;
}

/* How many different tiles there are. */
static int count_distinct(Board b)
{
    int seen = 0, n = 0;
    for (; b; b >>= 4)
        seen |= 1 << (b & 15);
    for (; seen >>= 1;)
        n += seen & 1;
    return n ? n : 1;
}

/* The score of the tiles, had all that came been a 2. */
static int count_points(Board b)
{
    int sum = 0;
    for (; b; b >>= 4)
        sum += b & 15 ? (int)((b & 15) - 1) << (b & 15) : 0;
    return sum;
}

static int largest_within(Board b, Board cells) { return largest_rank(b & cells) == largest_rank(b); }

static Board transpose(Board b)
{
    Board swap = (b ^ b >> 12) & 0x0000F0F00000F0F0;
    b ^= swap ^ swap << 12;
    swap = (b ^ b >> 24) & 0x00000000FF00FF00;
    return b ^ swap ^ swap << 24;
}

/* The sum of a table over rows. Its sum over columns is over rows of the transposed board. */
static int64_t over_rows(const Table table, Board b)
{
    return table[b & 0xFFFF] + table[b >> 16 & 0xFFFF] + table[b >> 32 & 0xFFFF] + table[b >> 48];
}

static int64_t over_squares(const Table table, Board b)
{
    int64_t sum = 0;
    for (int row = 0; row < 3; row++, b >>= 16)
        for (int shift = 0; shift < 12; shift += 4)
            sum += table[(b >> shift & 0xFF) | (b >> (shift + 8) & 0xFF00)];
    return sum;
}

/* The sum of a table by 16 x cell + rank. */
static int64_t over_cells(const int64_t table[256], Board b)
{
    int64_t sum = 0;
    for (int cell = 0; cell < 16; cell++)
        sum += table[16 * cell + rank_at(b, cell)];
    return sum;
}

/* The sum of the entries of a table by 16 x row + rank, of each different tile. */
static int64_t over_tiles(const int64_t table[256], Board b, int row)
{
    int seen = 0;
    int64_t sum = 0;
    for (; b; b >>= 4)
        seen |= 1 << (b & 15);
    for (int rank = 1; rank < 16; rank++)
        sum += (seen >> rank & 1) * table[16 * row + rank];
    return sum;
}

/* The entry of a table by 16 x rank of the largest tile + rank in a corner cell. */
static int64_t over_corner(const int64_t table[256], Board b, int cell)
{
    return table[16 * largest_rank(b) + rank_at(b, cell)];
}

/* x as a whole number of 1 / SCALE, a half as the even one. */
static int64_t fixed(double x) { return llrint(x * SCALE); }

/* x as a whole number of 1 / scale, of a magnitude up to 2^50. */
static int64_t rounded(double x, double scale)
{
    const double most = 1125899906842624.0;
    return llrint(fmin(fmax(x, -most), most) * scale);
}

static int64_t smaller(int64_t x, int64_t y) { return x < y ? x : y; }

static int64_t larger(int64_t x, int64_t y) { return x > y ? x : y; }

static int smaller_rank(int x, int y) { return x < y ? x : y; }

static int larger_rank(int x, int y) { return x > y ? x : y; }

/* x, or 0 if it is no finite number. */
static double finite_or_0(double x) { return x - x == 0 ? x : 0; }

/* A number below 0 has the 0th power alone. */
static double power(double x, double y) { return x < 0 && y != 0 ? 0 : finite_or_0(pow(x, y)); }

/* The best value of a board's eight orientations. */
static double best_orientation(Board b, double (*as_it_lies)(Board))
{
    double best = as_it_lies(b);
    for (int i = 1; i < 8; i++) {
        b = i % 2 ? transpose(b) : b << 48 | (b << 16 & 0xFFFF00000000) | (b >> 16 & 0xFFFF0000) | b >> 48;
        best = fmax(best, as_it_lies(b));
    }
    return best;
}

static uint16_t slid_left[65536], slid_right[65536]; /* rows after a slide to the left or right */

static Board slide(const uint16_t slid[65536], Board b)
{
    return (Board)slid[b & 0xFFFF] | (Board)slid[b >> 16 & 0xFFFF] << 16 | (Board)slid[b >> 32 & 0xFFFF] << 32 |
           (Board)slid[b >> 48] << 48;
}

/* The number of legal moves, and 1 if there is none. */
static int count_moves(Board b)
{
    Board t = transpose(b);
    int n = (slide(slid_left, b) != b) + (slide(slid_right, b) != b) + (slide(slid_left, t) != t) + (slide(slid_right, t) != t);
    return n ? n : 1;
}

/* BEGIN heuristic */
/* A line is worth 270 for each blank and 700 for each merge. */
static int64_t row_value(Board line)
{
    return fixed(EMPTY_WEIGHT * count_blanks(line, 4) + MERGES_WEIGHT * count_equal(line, 0));
}

static Table row_values;
static int64_t *const column_values = row_values;

static void prepare_heuristic(void)
{
    for (int line = 0; line < 65536; line++)
        row_values[line] = row_value((Board)line);
}

/* The value of a board as it is. */
static double evaluate(Board b)
{
    int64_t sum = over_rows(row_values, b) + over_rows(column_values, transpose(b));
    return (double)sum / SCALE;
}

/* The plies of the default search. */
static int own_depth(Board b) { return count_distinct(b) > 9 ? 5 : 3; }
/* END heuristic */

/* The search. */

static int top;     /* the plies after the first move, which no other moves lead to */
static int endgame; /* whether two 32768s may meet: when they merge the game ends */

/* Values of boards after a move that were searched before. */
static struct known {
    Board board;
    int plies;
    double prob;
    double value;
} known[1 << 15];

static void prepare(void)
{
    static int ready;
    if (ready)
        return;
    ready = 1;
    for (int row = 0; row < 65536; row++) {
        int slid = 0, mirrored = 0, back = 0, length = 0, mergeable = 0;
        for (int cell = 0; cell < 4; cell++) {
            int rank = row >> 4 * cell & 15;
            if (rank && rank == mergeable) {
                slid += (rank < 15) << 4 * (length - 1);
                mergeable = 0;
            } else if (rank) {
                slid |= rank << 4 * length++;
                mergeable = rank;
            }
        }
        for (int cell = 0; cell < 4; cell++) {
            mirrored = mirrored << 4 | (row >> 4 * cell & 15);
            back = back << 4 | (slid >> 4 * cell & 15);
        }
        slid_left[row] = (uint16_t)slid;
        slid_right[mirrored] = (uint16_t)back;
    }
    prepare_heuristic();
}

/* Whether a slide of the rows merges two 32768s. */
static int merges_last(Board b)
{
    for (int row = 0; row < 4; row++, b >>= 16) {
        Board line = pack(b & 0xFFFF);
        for (; line; line >>= 4)
            if ((line & 0xFF) == 0xFF)
                return 1;
    }
    return 0;
}

/* A row as the lowest row of columns. */
static Board spread(Board row) { return (row | row << 12 | row << 24 | row << 36) & 0x000F000F000F000F; }

/* The boards after the last tile and move are nearly all boards of a search, so they are never
 * built. The tile changes one row of a slide along the rows: the other rows stay, and their part of
 * the columns. best[cell] gets the best value after a 2 in a cell, best[cell + 16] after a 4. */
static void last_side(const Table along, const Table across, Board b, int down, int right, int64_t best[32])
{
    Board lefts = slide(slid_left, b), left_columns = transpose(lefts), left_moved = lefts ^ b;
    Board rights = slide(slid_right, b), right_columns = transpose(rights), right_moved = rights ^ b;
    int64_t left_sum = over_rows(along, lefts), right_sum = over_rows(along, rights);
    for (int row = 0; row < 4; row++) {
        int line = (int)(b >> 16 * row & 0xFFFF);
        Board mask = ~((Board)0xFFFF << 16 * row), across_mask = ~((Board)0x000F000F000F000F << 4 * row);
        /* whether other rows move */
        int left_moves = (left_moved & mask) != 0, right_moves = (right_moved & mask) != 0;
        int64_t left_rest = left_sum - along[lefts >> 16 * row & 0xFFFF];
        int64_t right_rest = right_sum - along[rights >> 16 * row & 0xFFFF];
        for (int rank = 1; rank <= 2; rank++) {
            int64_t *to = best + 16 * (rank - 1) + down * row, left_value = 0, right_value = 0;
            Board x = 0, y = 0; /* the row after a slide, often as for the blank before */
            for (int cell = 0; cell < 4; cell++) {
                if ((line >> 4 * cell & 15) == 0) {
                    Board full = (Board)(line | rank << 4 * cell);
                    int64_t value = to[right * cell];
                    if (slid_left[full] != x) {
                        x = slid_left[full];
                        left_value = left_rest + along[x] + over_rows(across, (left_columns & across_mask) | spread(x) << 4 * row);
                    }
                    if (slid_right[full] != y) {
                        y = slid_right[full];
                        right_value = right_rest + along[y] + over_rows(across, (right_columns & across_mask) | spread(y) << 4 * row);
                    }
                    if ((left_moves || x != full) && left_value > value)
                        value = left_value;
                    if ((right_moves || y != full) && right_value > value)
                        value = right_value;
                    to[right * cell] = value;
                }
            }
        }
    }
}

/* A value of last_side. There is none where no move is legal. */
static double last_value(int64_t best) { return best == INT64_MIN ? DEAD : (double)best / SCALE; }

/* The mean over the tiles that may come, where the move after it is the last one. */
static double last_mean(Board b, int blanks)
{
    double sum2 = 0, sum4 = 0;
    int64_t best[32];
    for (int i = 0; i < 32; i++)
        best[i] = INT64_MIN; /* where no move is legal */
    last_side(row_values, column_values, b, 4, 1, best);
    last_side(column_values, row_values, transpose(b), 1, 4, best);
    for (int cell = 0; cell < 16; cell++)
        if (rank_at(b, cell) == 0) {
            sum2 += last_value(best[cell]);
            sum4 += last_value(best[cell + 16]);
        }
    return sum2 * (TWO / blanks) + sum4 * (FOUR / blanks);
}

static double chance(Board b, int plies, double prob);

/* The value of the best move with so many plies to go, or DEAD. The board's probability is prob. */
static double position(Board b, int plies, double prob, int *best_move)
{
    Board t = transpose(b), after[4] = {slide(slid_left, t), slide(slid_right, t), slide(slid_left, b), slide(slid_right, b)};
    double best = DEAD;
    after[0] = transpose(after[0]);
    after[1] = transpose(after[1]);
    *best_move = -1;
    for (int move = 0; move < 4; move++) {
        double v;
        if (after[move] == b)
            continue;
        if (plies == 0)
            return evaluate(b);
        v = chance(after[move], endgame && merges_last(move < 2 ? t : b) ? 0 : plies - 1, prob);
        if (*best_move < 0 || v > best) {
            best = v;
            *best_move = move;
        }
    }
    return best;
}

/* The mean over the tiles that may come. */
static double mean(Board b, int plies, double prob)
{
    int blanks = count_blanks(b, 16), move;
    double sum2 = 0, sum4 = 0;
    double share = prob / blanks;
    /* IF LINES */
    if (plies == 2 && !endgame)
        return last_mean(b, blanks);
    if (plies > 2 && !endgame && share * fmax(TWO, FOUR) < CUT) return last_mean(b, blanks);
    /* END LINES */
    for (int cell = 0; cell < 16; cell++)
        if (rank_at(b, cell) == 0) {
            sum2 += position(b | (Board)1 << 4 * cell, plies - 1, share * TWO, &move);
            sum4 += position(b | (Board)2 << 4 * cell, plies - 1, share * FOUR, &move);
        }
    return sum2 * (TWO / blanks) + sum4 * (FOUR / blanks);
}

/* The value of a board after a move. */
static double chance(Board b, int plies, double prob)
{
    struct known *k;
    if (plies == 0 || prob < CUT)
        return evaluate(b);
    if (plies == 1 || plies == top)
        return mean(b, plies, prob);
    k = known + (((b + (Board)plies) * 0x9E3779B97F4A7C15) >> 49);
    if (k->board != b || k->plies != plies || k->prob != prob) {
        double v = mean(b, plies, prob);
        k->board = b;
        k->plies = plies;
        k->prob = prob;
        k->value = v;
    }
    return k->value;
}

static Board board_of(const int faces[4][4])
{
    Board b = 0;
    for (int cell = 15; cell >= 0; cell--) {
        int face = faces[cell / 4][cell % 4], rank = 0;
        for (; face > 1 && rank < 15; face >>= 1)
            rank++;
        b = b << 4 | (Board)rank;
    }
    return b;
}

/* Finds the best move, -1 if none is legal, and returns its value. */
static double search(const int faces[4][4], int depth, int *best_move)
{
    Board b = board_of(faces);
    double prob = depth > 0 ? HUGE_VAL : 1; /* no board is of less than a part of infinity */
    int sum = 0;
    prepare();
    *best_move = -1;
    for (int cell = 0; cell < 16; cell++) {
        sum += faces[cell / 4][cell % 4];
        if (faces[cell / 4][cell % 4] > 32768)
            return DEAD; /* the game has ended */
    }
    depth = depth > 0 ? depth : own_depth(b);
    top = depth - 1;
    endgame = sum + 4 * depth >= 65536;
    return position(b, depth, prob, best_move);
}

/* The value of a board as it is, without a search, and whether or not a move is legal. */
double value(const int board[4][4])
{
    prepare();
    return evaluate(board_of(board));
}

/* The best move by a search of so many plies: 1 values the board after the move, 2 after the tile
 * that comes then, 3 after the next move, and so on. 0 is the default search. The first of equals
 * in the order up, down, left, right. */
int best_move(const int board[4][4], int depth)
{
    int move;
    search(board, depth, &move);
    return move;
}

/* IF BOT */
#ifdef BOT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    static const char *const names[] = {"up", "down", "left", "right"};
    static char text[65536];
    while (fgets(text, sizeof text, stdin)) {
        int board[4][4], n = 0;
        char *at = strstr(text, "\"board\":");
        while (at && *at && n < 16)
            if (*at >= '0' && *at <= '9') {
                board[n / 4][n % 4] = (int)strtol(at, &at, 10);
                n++;
            } else
                at++;
        if (n == 16) { /* otherwise a game begins: there is no answer */
            int move = best_move((const int (*)[4])board, 0);
            printf("{\"move\": \"%s\"}\n", move < 0 ? "none" : names[move]);
            fflush(stdout);
        }
    }
    return 0;
}
#endif
/* END BOT */
