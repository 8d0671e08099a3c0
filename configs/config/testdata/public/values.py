"""Prints what ten public evaluations of 2048 make of three boards, as JSON.

Each function is the formula of one source in our own words, as plain as possible. The config of
the same name has the source and says what is not reproduced. A board is four rows of four faces;
0 is a blank. Each board is one right after a move: it has a blank and a legal move.
"""
import json
from math import exp, log

BOARDS = [
    [[4, 2, 0, 0], [16, 0, 0, 0], [8, 4, 4, 0], [2, 8, 2, 0]],
    [[2, 0, 0, 0], [4, 0, 0, 4], [8, 0, 16, 32], [256, 128, 64, 32]],
    [[8, 512, 1024, 2048], [2, 128, 64, 8], [4, 16, 64, 8], [0, 2, 16, 2]],
]
CORNERS = [(0, 0), (0, 3), (3, 0), (3, 3)]


def rank(face):
    return face.bit_length() - 1 if face else 0


def cells(board):
    return [face for row in board for face in row]


def lines(board):
    return [list(row) for row in board] + [list(column) for column in zip(*board)]


def empty(board):
    return cells(board).count(0)


def weigh(board, weights):
    return sum(face * weight for face, weight in zip(cells(board), cells(weights)))


def points(board):
    """The score that makes these tiles, had only 2s come up."""
    return sum((rank(face) - 1) * face for face in cells(board) if face)


def touching(board):
    """Tiles side by side, without a blank between them."""
    return [(a, b) for line in lines(board) for a, b in zip(line, line[1:]) if a and b]


def in_corner(board):
    return max(cells(board)) in [board[r][c] for r, c in CORNERS]


def orientations(board):
    for _ in range(4):
        board = [list(column) for column in zip(*board[::-1])]
        yield board
        yield [row[::-1] for row in board]


def ovolve(board):
    def walk(line):  # from the first cell to each later tile, and to the last cell if that is blank
        stops = [line[0]] + [face for face in line[1:] if face] + ([0] if not line[3] else [])
        return [rank(b) - rank(a) for a, b in zip(stops, stops[1:])]

    smooth = 0
    for line in lines(board):
        tiles = [face for face in line if face]
        smooth -= sum(abs(rank(a) - rank(b)) for a, b in zip(tiles, tiles[1:]))
    order = 0
    for way in (lines(board)[:4], lines(board)[4:]):
        steps = [step for line in way for step in walk(line)]
        order += max(-sum(s for s in steps if s > 0), sum(s for s in steps if s < 0))
    return 0.1 * smooth + order + 2.7 * log(empty(board)) + rank(max(cells(board)))


def gavin_guiii(board):
    weights = [[0, 0, 1, 3], [0, 1, 3, 5], [1, 3, 5, 15], [3, 5, 15, 30]]
    apart = 0
    for r in range(4):
        for c in range(4):
            for y in range(max(0, r - 1), min(4, r + 2)):
                for x in range(max(0, c - 1), min(4, c + 2)):
                    apart += abs(board[r][c] - board[y][x])
    return weigh(board, weights) // 16 - apart // 2 + points(board) + empty(board) ** 2


def vaishnavrathod(board):
    order = 0
    for line in lines(board):
        steps = [rank(b) - rank(a) for a, b in zip(line, line[1:]) if a and b]
        order += max(sum(s for s in steps if s > 0), -sum(s for s in steps if s < 0))
    rough = sum(abs(rank(a) - rank(b)) for a, b in touching(board))
    largest = rank(max(cells(board)))
    return 2.7 * empty(board) + 1.5 * order - 0.8 * rough + largest + 2 * largest * in_corner(board)


def victorgavrish(board):
    heat = [[0, 0, 1, 3], [0, 1, 2, 4], [2, 3, 4, 6], [5, 8, 16, 128]]
    room = empty(board)
    for line in lines(board):
        at = 0
        while at < 3:
            twins = line[at] and line[at] == line[at + 1]
            room += 1 if twins else 0
            at += 2 if twins else 1
    squared = [[4 ** rank(face) for face in row] for row in board]  # of a blank 1
    best = max(weigh(turned, heat) for turned in orientations(squared))
    return best - 2 ** max(0, 6 - room)


def anmolrishi(board):
    snake = [[10, 8, 7, 6.5], [0.5, 0.7, 1, 3], [-0.5, -1.5, -1.8, -2], [-3.8, -3.7, -3.5, -3]]
    return weigh(board, [[exp(x) for x in row] for row in snake]) + empty(board) ** 2


def tanayko(board):
    merges = roomy = 0
    for line in lines(board):
        tiles = [face for face in line if face]
        merges += sum(a == b for a, b in zip(tiles, tiles[1:]))
        roomy += len(tiles) < 4
    return 100 * in_corner(board) + 100 * merges + 80 * empty(board) + 150 * roomy


def danielbatchford(board):
    if empty(board) == 0:
        return -100000
    cost = sum(c * board[r][c] for r in range(4) for c in range(4))
    for r in range(4):
        for c in range(3):
            for y in (r - 1, r + 1):
                cost += 0 <= y < 4 and board[r][c] > 0 and board[r][c] == board[y][c + 1]
    return -cost


def morganwl(board):
    order = 0
    for line in lines(board):
        steps = [(a, b) for a, b in zip(line, line[1:]) if b]
        if all(b >= a for a, b in steps) or all(b <= a for a, b in steps):
            order += sum((rank(b) - 1) * b for _, b in steps)
    return 0.75 * points(board) + 2 * (empty(board) - 8) + 0.25 * order


def koalacards(board):
    rough = 2 * sum(abs(rank(a) - rank(b)) for a, b in touching(board))
    corner = max([board[r][c] for r, c in CORNERS if board[r][c]], default=-1)
    crowded = empty(board) <= 3
    return 5 * points(board) + 10 * max(cells(board)) - 1000 * rough + 1000 * corner - 500 * crowded


def matpardoe(board):
    return 10 * empty(board) / (2 * sum(abs(rank(a) - rank(b)) for a, b in touching(board)))


EVALUATIONS = [ovolve, gavin_guiii, vaishnavrathod, victorgavrish, anmolrishi, tanayko,
               danielbatchford, morganwl, koalacards, matpardoe]

if __name__ == "__main__":
    values = {f.__name__: [f(board) for board in BOARDS] for f in EVALUATIONS}
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in values.items())
    print(f'{{"boards": {json.dumps(BOARDS)},\n"values": {{\n{rows}\n}}}}')
