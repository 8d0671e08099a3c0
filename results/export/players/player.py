# BEGIN about
"""A player of 2048 that counts blanks and merges. Export puts other players in the marked places.
# END about

    value([[0, 2, 0, 0], [8, 8, 4, 0], [1024, 2, 4, 2], [2048, 4, 16, 4]])
    best_move(board)        # "up", "down", "left", "right"; None if no move is legal
    best_move(board, 3)     # by a search of depth 3

A board is four rows of four faces from the upper left: 0 for a blank, otherwise 2, 4, 8 ... 65536,
which counts as a 32768. "python3 player.py --bot" is a bot of tune, see tune help bot. C is some
hundred times as fast (tune export -format c). To call it as a shared library:

    # cc -O2 -ffp-contract=off -shared -fPIC -o libplayer.so player.c -lm
    player = ctypes.CDLL("./libplayer.so")
    board = (ctypes.c_int * 16)(*[face for row in rows for face in row])
    move = player.best_move(board, 0)       # 0 up, 1 down, 2 left, 3 right, -1: no move is legal
"""

import functools
import math

__all__ = ["value", "best_move"]

# BEGIN constants
SCALE = 4294967296.0
DEAD = 0.0  # the value of a board without a legal move
TWO, FOUR = 0.9, 0.1  # the probabilities of new tiles
CUT = 0.0  # the default search ends at boards of less probability
# END constants

# Within the code tiles are ranks: 0 for a blank, 1 for a 2, 2 for a 4 ... 15 for a 32768. A line is
# four ranks as bytes, a board 16, row by row. Values are whole numbers of 1 / SCALE, so boards
# that are equally good have exactly the same value.


class Table(dict):
    """The values of a function, worked out when they are first asked for."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def __missing__(self, key):
        value = self[key] = self.function(key)
        return value


def pack(line):
    """The tiles of a line without its blanks, 0 behind the last one."""
    return line.replace(b"\0", b"").ljust(4, b"\0")


def count_merges(line):
    """Adjacent equal tiles once blanks are dropped: 2 2 2 counts 2."""
    tiles = [rank for rank in line if rank]
    return sum(a == b for a, b in zip(tiles, tiles[1:]))


def count_runs(line):
    """Adjacent equal tiles once blanks are dropped, where k equal tiles count k: 2 2 2 counts 3."""
    tiles = [rank for rank in line if rank]
    return sum(tile in tiles[max(i - 1, 0):i] + tiles[i + 1:i + 2] for i, tile in enumerate(tiles))


def count_distinct(board):
    return max(len(set(board) - {0}), 1)


def count_moves(board):
    """The number of legal moves, and 1 if there is none."""
    return max(len(moves(board)), 1)


def count_points(board):
    """The score of the tiles, had all that came been a 2."""
    return sum((rank - 1) << rank for rank in board if rank)


def fixed(x, scale=SCALE):
    """x as a whole number of 1 / scale."""
    return round((x if -(2.0**50) < x < 2.0**50 else math.copysign(2.0**50, x)) * scale)


# Arithmetic is total: a result that is no finite number counts as 0.


def finite_or_0(x):
    return x if math.isfinite(x) else 0.0


def divide(x, y):
    return finite_or_0(x / y) if y else 0.0


def square_root(x):
    return math.sqrt(x) if x > 0 else 0.0


def natural_log(x):
    return math.log(x) if x > 0 else 0.0


def binary_log(x):
    return math.log2(x) if x > 0 else 0.0


def exponential(x):
    return math.exp(x) if x < 709.78 else 0.0


def power(x, y):
    try:
        return 0.0 if x < 0 and y else math.pow(x, y)
    except (OverflowError, ValueError):
        return 0.0


def over_rows(table, board):
    return table[board[:4]] + table[board[4:8]] + table[board[8:12]] + table[board[12:]]


def over_columns(table, board):
    return table[board[::4]] + table[board[1::4]] + table[board[2::4]] + table[board[3::4]]


def over_squares(table, board):
    return sum(table[board[i:i + 2] + board[i + 4:i + 6]] for i in (0, 1, 2, 4, 5, 6, 8, 9, 10))


def over_cells(table, board):
    return sum(table[cell] for cell in enumerate(board))


# BEGIN heuristic
# A line is worth 270 for each blank and 700 for each merge.
def row_value(line):
    return fixed(270.0 * line.count(0) + 700.0 * count_merges(line))


row_values = Table(row_value)
column_values = row_values


def evaluate(board):
    """The value of a board as it is."""
    return (over_rows(row_values, board) + over_columns(column_values, board)) / SCALE


def own_depth(board):
    """The plies of the default search."""
    return 5 if count_distinct(board) > 9 else 3
# END heuristic


def best_orientation(as_it_lies, board):
    """The best value of a board's eight orientations."""
    best = as_it_lies(board)
    for i in range(7):
        board = board[12:] + board[8:12] + board[4:8] + board[:4] if i % 2 else transpose(board)
        best = max(best, as_it_lies(board))
    return best


TRANSPOSED = bytes([0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15])


def transpose(board):
    return TRANSPOSED.translate(board.ljust(256))  # the ranks in these cells


def slide(line):
    """A line after its tiles slid to the front."""
    tiles = []
    free = False  # whether the last tile may merge
    for rank in line:
        if rank and free and tiles[-1] == rank:
            tiles[-1], free = min(rank + 1, 15), False
        elif rank:
            tiles.append(rank)
            free = True
    return bytes(tiles).ljust(4, b"\0")


SLID = Table(slide)  # to the front
BACK = Table(lambda line: slide(line[::-1])[::-1])  # to the end


def moves(board):
    """The boards after the legal moves, by move, in the order of ties."""
    after = {}
    for lines, front, back in ((transpose(board), "up", "down"), (board, "left", "right")):
        a, b, c, d = lines[:4], lines[4:8], lines[8:12], lines[12:]
        for move, slid in ((front, SLID), (back, BACK)):
            moved = slid[a] + slid[b] + slid[c] + slid[d]
            if moved != lines:
                after[move] = moved if lines is board else transpose(moved)
    return after


def merges_last(board, move):
    """Whether a move merges two 32768s, which ends the game."""
    board = board if move in ("left", "right") else transpose(board)
    return any(b"\x0f\x0f" in pack(board[i:i + 4]) for i in (0, 4, 8, 12))


class Search:
    """A search of some depth. Boards that are reached with less probability than cut are leaves."""

    def __init__(self, cut):
        self.cut = cut
        self.known = {}  # values of boards after a move
        self.evaluate = functools.lru_cache(None)(evaluate)  # slides often lead to the same board

    def values(self, board, plies, p):
        """The values of the legal moves with so many plies to go. p is the board's probability."""
        after = moves(board)
        if plies == 0:
            return dict.fromkeys(after, self.evaluate(board))
        if plies == 1 or p < self.cut:
            return {move: self.evaluate(board) for move, board in after.items()}
        values = {}
        for move in after:
            ends = board.count(15) > 1 and merges_last(board, move)
            values[move] = self.evaluate(after[move]) if ends else self.chance(after[move], plies - 1, p)
        return values

    def best(self, board, plies, p):
        """The value of the best move, or DEAD."""
        return max(self.values(board, plies, p).values(), default=DEAD)

    def chance(self, board, plies, p):
        """The value of a board after a move: the mean over the tiles that may come."""
        key = board, plies, p
        if key not in self.known:
            blanks = [cell for cell, rank in enumerate(board) if rank == 0]
            share = p / len(blanks)
            sum2 = sum4 = 0.0
            for cell in blanks:
                before, behind = board[:cell], board[cell + 1:]
                sum2 += self.best(before + b"\1" + behind, plies - 1, share * TWO)
                sum4 += self.best(before + b"\2" + behind, plies - 1, share * FOUR)
            self.known[key] = sum2 * (TWO / len(blanks)) + sum4 * (FOUR / len(blanks))
        return self.known[key]


def ranks(board):
    return bytes(max(min(int(face).bit_length() - 1, 15), 0) for row in board for face in row)


def search(board, depth):
    """The best move and its value."""
    if max(map(max, board)) > 32768:
        return None, DEAD  # the game has ended
    if depth > 0:
        values = Search(0.0).values(ranks(board), depth, 0.0)
    else:
        values = Search(CUT).values(ranks(board), own_depth(ranks(board)), 1.0)
    best = max(values, key=values.get, default=None)  # the first of equals
    return best, values.get(best, DEAD)


def value(board):
    """The value of a board as it is, without a search, and whether or not a move is legal."""
    return evaluate(ranks(board))


def best_move(board, depth=0):
    """The best move by a search of so many plies, None if no move is legal.

    1 values the board after the move, 2 after the tile that comes then, 3 after the next move, and
    so on. 0 is the default search. The first of equals in the order up, down, left, right.
    """
    return search(board, depth)[0]


if __name__ == "__main__":
    import json
    import sys

    if "--bot" in sys.argv:
        for text in sys.stdin:
            message = json.loads(text)
            if "board" in message:  # otherwise a game begins: there is no answer
                print(json.dumps({"move": best_move(message["board"])}), flush=True)
