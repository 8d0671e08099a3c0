#!/usr/bin/env python3
"""A bot with scores of two values: 1 if it wins a game of Pig, and 0 if it loses.

A turn of Pig adds up rolls of a die until the player holds, and a 1 loses the turn. Whoever has 100 wins.
The rule is by T. Neller and C. Presser (Practical Play of the Dice Game Pig, 2010): hold at 21 and an
eighth of the other's lead, and never hold once either has 71. The opponent holds at 20. Who begins is
drawn.
"""
import json
import random
import sys


def turn(roll, own, hold):
    """Returns what a turn adds."""
    total = 0
    while total < hold and own + total < 100:
        n = 1 + int(6 * roll())
        if n == 1:
            return 0
        total += n
    return total


def play(seed, w):
    """Returns 1 for a victory, and the turns."""
    roll = random.Random(seed).random
    own = other = turns = 0
    mine = roll() < 0.5
    while own < 100 and other < 100:
        turns += 1
        if mine:
            hold = w["hold"] + w["behind"] * max(0, other - own) - w["ahead"] * max(0, own - other)
            if own >= w["race"] or other >= w["chase"]:
                hold = 100
            own += turn(roll, own, max(1, hold))
        else:
            other += turn(roll, other, 20)
        mine = not mine
    return int(own >= 100), turns


for text in sys.stdin:
    start = json.loads(text)
    score, turns = play(start["seed"], start["weights"])
    print(json.dumps({"score": score, "moves": turns}), flush=True)
