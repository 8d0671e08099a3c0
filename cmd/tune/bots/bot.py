# A bot for 2048: it looks one move ahead. tune help bot has the protocol.
import json
import sys


def slide(row):
    """A row moved to the left, and the points of its merges."""
    tiles, done, points = [t for t in row if t], [], 0
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile:
            tile += tiles.pop(0)
            points += tile
        done.append(tile)
    return done + [0] * (4 - len(done)), points


def after(board, move):
    """The board after a move, and the points of its merges."""
    rows = [list(r) for r in (zip(*board) if move in ("up", "down") else board)]
    back = -1 if move in ("down", "right") else 1
    moved = [slide(row[::back]) for row in rows]
    rows = [row[::back] for row, _ in moved]
    return [list(r) for r in (zip(*rows) if move in ("up", "down") else rows)], sum(p for _, p in moved)


def value(board, points, w):
    steps = sum(abs(a - b) for line in board + list(zip(*board)) for a, b in zip(line, line[1:]))
    return points + w["empty"] * sum(row.count(0) for row in board) + w["corner"] * board[3][0] - w["smooth"] * steps


for line in sys.stdin:
    message = json.loads(line)
    if "weights" in message:  # a game begins: there is no answer
        weights = message["weights"]
        continue
    board = message["board"]
    moves = {m: after(board, m) for m in ("up", "down", "left", "right")}
    legal = [m for m in moves if moves[m][0] != board]
    print(json.dumps({"move": max(legal, key=lambda m: value(*moves[m], weights))}), flush=True)
