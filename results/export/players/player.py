"""BEGIN about: a player of 2048 that counts blanks and merges.
END about. Export puts other players in the marked places.

    best_move([[0, 2, 0, 0], [8, 8, 4, 0], [1024, 2, 4, 2], [2048, 4, 16, 4]])  # such as "up"

A board is four rows of four faces from the upper left: 0 for a blank, otherwise 2, 4, 8 ... 65536.
"""

import functools
import itertools
import json
import math
import sys

__all__ = ["value", "move_values", "best_move"]

# BEGIN constants
SCALE = 2.0**32
DEAD = 0.0  # the value of a board without a legal move, in a search
TWO, FOUR = 0.9, 0.1  # the probabilities of new tiles
CUT = 0.001  # the default search ends at boards of less probability

EMPTY_WEIGHT = 270.0
MERGES_WEIGHT = 700.0
# END constants

# Within the code a tile is its rank: 0 for a blank, 1 for a 2, 2 for a 4 ... 15 for a 32768. A line
# is four ranks as bytes, a board 16, row by row. Features are whole numbers of 1 / SCALE.
RANKS = {2**rank if rank else 0: rank for rank in range(17)}


def rows(board):
    return board[:4], board[4:8], board[8:12], board[12:]


def columns(board):
    return board[::4], board[1::4], board[2::4], board[3::4]


def squares(board):
    """The squares of 2 x 2 cells."""
    return [board[i:i + 2] + board[i + 4:i + 6] for i in (0, 1, 2, 4, 5, 6, 8, 9, 10)]


def transpose(board):
    return b"".join(columns(board))


def pack(line):
    """The tiles of a line without its blanks, 0 behind the last one."""
    return line.replace(b"\0", b"").ljust(4, b"\0")


def count_merges(line):
    """Adjacent equal tiles once blanks are dropped: 2 2 2 counts 2."""
    tiles = line.replace(b"\0", b"")
    return sum(a == b for a, b in zip(tiles, tiles[1:]))


def count_runs(line):
    """Adjacent equal tiles once blanks are dropped, where k equal tiles count k: 2 2 2 counts 3."""
    runs = (len(list(run)) for tile, run in itertools.groupby(line.replace(b"\0", b"")))
    return sum(n for n in runs if n > 1)


def count_distinct(board):
    return max(len(set(board) - {0}), 1)


def count_moves(board):
    """The number of legal moves, and 1 if there is none."""
    return max(len(moves(board)), 1)


def count_points(board):
    """The score of the tiles, had all that came been a 2."""
    return sum((rank - 1) << rank for rank in board if rank)


def fixed(x):
    """x as a whole number of 1 / SCALE: each term is rounded as the program rounds it."""
    return round(x * SCALE)


def rounded(x, scale):
    """x as a whole number of 1 / scale, of a magnitude up to 2^50."""
    return round(max(min(x, 2.0**50), -(2.0**50)) * scale)


def finite_or_0(x):
    """x, or 0 if it is no finite number, as which results count that do not exist."""
    return x if math.isfinite(x) else 0.0


def divide(x, y):
    """x / y, or 0 where there is no such number."""
    return finite_or_0(x / y) if y else 0.0


def square_root(x):
    """The square root of x, or 0 where there is no such number."""
    return math.sqrt(x) if x > 0 else 0.0


def natural_log(x):
    """The natural logarithm of x, or 0 where there is no such number."""
    return math.log(x) if x > 0 else 0.0


def binary_log(x):
    """The binary logarithm of x, or 0 where there is no such number."""
    return math.log2(x) if x > 0 else 0.0


def exponential(x):
    """e^x, or 0 where it is too large a number."""
    return math.exp(x) if x < 709.78 else 0.0


def power(x, y):
    """x^y, or 0 where there is no such number, or x is less than 0."""
    try:
        return 0.0 if x < 0 and y else math.pow(x, y)
    except (OverflowError, ValueError):
        return 0.0


# BEGIN heuristic
@functools.lru_cache(maxsize=None)
def line_value(line):
    """The value of a row from the left, or of a column from above."""
    return fixed(EMPTY_WEIGHT * line.count(0)) + fixed(MERGES_WEIGHT * count_merges(line))


@functools.lru_cache(maxsize=1 << 18)
def evaluate(board):
    """The value of a board as it is. A 65536 counts as a 32768."""
    board = board.replace(b"\x10", b"\x0f")
    return sum(map(line_value, rows(board) + columns(board))) / SCALE


def own_depth(board):
    """The plies of the default search."""
    return 5 if count_distinct(board) > 9 else 3
# END heuristic


def best_orientation(as_it_lies, board):
    """The best value of a board's eight orientations."""
    best = as_it_lies(board)
    for i in range(7):
        board = b"".join(reversed(rows(board))) if i % 2 else transpose(board)
        best = max(best, as_it_lies(board))
    return best


@functools.lru_cache(maxsize=None)
def slide(line):
    """A line after its tiles slid to the front. A 65536 is there when two 32768s merged."""
    tiles = []
    mergeable = False  # whether the last tile is
    for rank in line.replace(b"\0", b""):
        mergeable = not (mergeable and tiles[-1] == rank)
        if mergeable:
            tiles.append(rank)
        else:
            tiles[-1] += 1
    return bytes(tiles).ljust(4, b"\0")


@functools.lru_cache(maxsize=None)
def slide_back(line):
    """A line after its tiles slid to the end."""
    return slide(line[::-1])[::-1]


def moves(board):
    """The boards after the legal moves, by move, in the order of ties."""
    after = {
        "up": transpose(b"".join(map(slide, columns(board)))),
        "down": transpose(b"".join(map(slide_back, columns(board)))),
        "left": b"".join(map(slide, rows(board))),
        "right": b"".join(map(slide_back, rows(board))),
    }
    return {move: b for move, b in after.items() if b != board}


def search(board, plies, prob):
    """The values of the legal moves with so many plies to go. The board's probability is prob."""
    after = moves(board)
    if plies == 0:
        return dict.fromkeys(after, evaluate(board))
    if plies == 1 or prob < CUT:
        return {move: evaluate(b) for move, b in after.items()}
    plies -= 1  # a 65536 ends the game
    return {move: evaluate(b) if 16 in b else chance(b, plies, prob) for move, b in after.items()}


@functools.lru_cache(maxsize=1 << 18)
def chance(board, plies, prob):
    """The value of a board after a move: the mean over the tiles that may come."""
    blanks = [cell for cell, rank in enumerate(board) if rank == 0]
    share = prob / len(blanks)
    twos = fours = 0.0  # sum() would round otherwise since Python 3.12
    for cell in blanks:
        before, behind = board[:cell], board[cell + 1:]
        two = search(before + b"\1" + behind, plies - 1, share * TWO)
        four = search(before + b"\2" + behind, plies - 1, share * FOUR)
        twos += max(two.values(), default=DEAD)
        fours += max(four.values(), default=DEAD)
    return twos * (TWO / len(blanks)) + fours * (FOUR / len(blanks))


def ranks(board):
    """A board of faces as ranks."""
    faces = [face for row in board for face in row]
    if [len(row) for row in board] != [4, 4, 4, 4] or not RANKS.keys() >= set(faces):
        raise ValueError("want four rows of four faces, 0, 2, 4, 8 ... 65536, got %r" % (board,))
    return bytes(RANKS[face] for face in faces)


def value(board):
    """The value of a board as it is, without a search, and whether or not a move is legal."""
    return evaluate(ranks(board))


def move_values(board, depth=0):
    """The values of the legal moves; none once a 65536 is there.

    depth is in plies: 1 values the board after the move, 2 after the tile that comes then, 3 after
    the next move, and so on. 0 is the default search.
    """
    if depth < 0:
        raise ValueError("want a depth of 0 or more, got %r" % depth)
    cells = ranks(board)
    prob = math.inf if depth else 1.0  # no board is of less than a part of infinity
    return {} if 16 in cells else search(cells, depth or own_depth(cells), prob)


def best_move(board, depth=0):
    """The move of the largest value, the first of equals; None if no move is legal."""
    values = move_values(board, depth)
    return max(values, key=values.get, default=None)


# IF BOT
def main():
    """Answers boards as a bot, each with its move."""
    if sys.argv[1:] != ["--bot"]:
        sys.exit("usage: python3 player.py --bot: a bot of tune, see tune help bot")
    for line in sys.stdin:
        message = json.loads(line)
        if "board" in message:  # otherwise a game begins: there is no answer
            print(json.dumps({"move": best_move(message["board"])}), flush=True)


if __name__ == "__main__":
    main()
# END BOT
