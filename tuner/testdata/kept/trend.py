#!/usr/bin/env python3
"""A bot whose scores have heavy tails: it follows trends on a market of its own.

The rule is MACD, the difference of a fast and a slow average with a smoothed signal line (G. Appel; 12, 26
and 9 days are usual). The score is the wealth after 250 days, which began at 1,000. Gains multiply and
returns jump, so few games hold much of the mean. The score is a function of seed and weights: each
vector of weights has a market of its own. Arithmetic is + - * / and square root, so all machines agree.
"""
import json
import math
import random
import sys

DAYS, DRIFT, TURN, NOISE, COST = 250, 0.006, 0.03, 0.011, 0.004


def play(seed, w):
    """Returns the wealth at the end, and the days that were played."""
    luck = random.Random(f"{seed} {sorted(w.items())}").random
    fast, slow, signal = 2 / (1 + w["fast"]), 2 / (1 + w["slow"]), 2 / (1 + w["signal"])
    price = quick = lazy = 1.0
    line = held = 0.0
    wealth, drift = 1000.0, DRIFT if luck() < 0.5 else -DRIFT
    for day in range(DAYS):
        if luck() < TURN:
            drift = -drift
        jump = NOISE * 2 * (luck() - luck()) / math.sqrt(luck() + 0.01)
        change = max(-0.5, drift + jump)
        wealth *= 1 + held * change
        price *= 1 + change
        quick += fast * (price - quick)
        lazy += slow * (price - lazy)
        macd = (quick - lazy) / price
        line += signal * (macd - line)
        wanted = w["size"] * (macd - w["share"] * line)
        wanted = max(-w["limit"], min(w["limit"], wanted))
        wealth *= max(0.0, 1 - COST * abs(wanted - held) - 0.0005 * held * held)
        held = wanted
        if wealth < w["stop"] * 1000 or wealth < 1:
            break
    return max(wealth, 0.0), day + 1


for text in sys.stdin:
    start = json.loads(text)
    wealth, days = play(start["seed"], start["weights"])
    print(json.dumps({"score": wealth, "moves": days}), flush=True)
