#!/usr/bin/env python3
"""Tunes the weights of a config with another program's optimizer through tune eval, and prints the best.

  tune init quickstart
  python3 rivals.py tpe -config quickstart.yaml -games 2500 > best.json
  tune compare best.json quickstart.yaml -config quickstart.yaml

  tpe      Optuna's multivariate TPE; wants optuna
  cmaes    the CMA-ES that Optuna calls, with learning rates that adapt to noise; wants cmaes 0.10 or newer
  pycma    CMA-ES with its handler of noise; wants cma
  random   random search with racing: the better half plays on, with twice the games; wants nothing

All search the unit cube of the config's own scales, and begin at the start weights. A tenth of the games
is kept for a playoff of eight finalists on other seeds, because the best of many trials on few games
each is mostly luck. The finalists are the best trials, and the centre of a search that has one.
"""
import argparse
import json
import math
import subprocess
import sys

class Problem:
    """The config: its ranges, and its games as tune eval plays them."""

    def __init__(self, tune, config, each, games, finalists):
        command = [tune, "eval", "-config", config]
        self.ranges = json.loads(subprocess.run(command + ["-ranges"], check=True, capture_output=True, text=True).stdout)
        self.eval = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for r in self.ranges:
            if r["scale"] == "ratio" and not r.get("near"):
                r["scale"] = "linear"  # of the least numbers of all
        self.each, self.left, self.finalists = each, games - games // 10, finalists
        self.kept = games - self.left
        self.trials = []  # [unit coordinates, sum of the fitness, games]
        self.instance = 0
        self.start = [self.unit(r) for r in self.ranges]

    @staticmethod
    def scaled(r, x):
        """Returns a number on the scale of its range, where equal steps are equal."""
        if r["scale"] == "log":
            return math.log(abs(x))
        return math.asinh(x / r["near"]) if r["scale"] == "ratio" else x

    def ends(self, r):
        half = 0.5 if r["whole"] else 0  # a whole number has the places that round to it
        return self.scaled(r, r["min"] - half), self.scaled(r, r["max"] + half)

    def unit(self, r):
        low, high = self.ends(r)
        return (self.scaled(r, r["start"]) - low) / (high - low) if high != low else 0.5

    def weights(self, place):
        """Returns the weights at a place of the unit cube."""
        named = {}
        for r, u in zip(self.ranges, place):
            low, high = self.ends(r)
            s = low + min(max(u, 0), 1) * (high - low)
            x = math.copysign(math.exp(s), r["min"]) if r["scale"] == "log" else r["near"] * math.sinh(s) if r["scale"] == "ratio" else s
            x = math.floor(x + 0.5) if r["whole"] else x
            named[r["name"]] = min(max(x, r["min"]), r["max"])
        return named

    def play(self, places, games, instance):
        """Returns the fitness of places in games of an instance, which has its own seeds."""
        for number, place in enumerate(places):
            line = {"id": str(number), "weights": self.weights(place), "games": games, "instance": instance}
            self.eval.stdin.write(json.dumps(line) + "\n")
        self.eval.stdin.flush()
        found = []
        for _ in places:
            answer = json.loads(self.eval.stdout.readline() or '{"error": "tune eval ended"}')
            if "error" in answer:
                sys.exit(answer["error"])
            found.append(answer["fitness"])
        return found

    def affords(self, number):
        """Reports whether the games are left for a number of trials."""
        return self.left >= number * self.each

    def measure(self, places):
        """Returns the fitness of new trials, which play the same games."""
        self.left -= len(places) * self.each
        self.instance += 1
        found = self.play(places, self.each, self.instance)
        self.trials += [[list(place), fitness * self.each, self.each] for place, fitness in zip(places, found)]
        return found

    def champion(self, centre):
        """Lets the finalists play the games that are kept or left, and returns the weights of the best."""
        best = sorted(self.trials, key=lambda t: -t[1] / t[2])
        finalists = ([list(centre)] if centre is not None else []) + [t[0] for t in best]
        finalists = finalists[:self.finalists]
        found = self.play(finalists, max(1, (self.kept + self.left) // len(finalists)), 0)
        self.eval.stdin.close()
        self.eval.wait()
        return self.weights(finalists[found.index(max(found))])


def tpe(problem, options):
    import optuna
    import warnings

    warnings.simplefilter("ignore")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=options.seed, multivariate=True))
    names = [r["name"] for r in problem.ranges]
    study.enqueue_trial(dict(zip(names, problem.start)))
    while problem.affords(1):
        trial = study.ask()
        study.tell(trial, problem.measure([[trial.suggest_float(name, 0, 1) for name in names]])[0])
    return None


def cmaes(problem, options):
    import numpy
    from cmaes import CMA

    n = len(problem.start)
    search = CMA(mean=numpy.array(problem.start), sigma=options.step, bounds=numpy.array([[0.0, 1.0]] * n),
                 seed=options.seed, population_size=options.population or None, lr_adapt=True)
    while problem.affords(search.population_size):
        asked = [search.ask() for _ in range(search.population_size)]
        if not problem.trials:
            asked[0] = numpy.array(problem.start)
        search.tell([(place, -fitness) for place, fitness in zip(asked, problem.measure(asked))])
    return search.mean


def pycma(problem, options):
    import warnings

    warnings.simplefilter("ignore")
    import cma
    import numpy

    settings = {"bounds": [0, 1], "seed": options.seed, "verbose": -9, "tolx": 0, "tolfun": 0, "tolfunhist": 0, "tolstagnation": 10**9}
    if options.population:
        settings["popsize"] = options.population
    search = cma.CMAEvolutionStrategy(problem.start, options.step, settings)
    noise = cma.NoiseHandler(len(problem.start), maxevals=[1, 1, 30])

    class Spent(Exception):
        pass

    def loss(place):
        if not problem.affords(1):
            raise Spent
        return -problem.measure([place])[0]

    try:
        loss(numpy.array(problem.start))
        while True:
            asked, found = search.ask_and_eval(loss, evaluations=noise.evaluations, aggregation=numpy.mean)
            search.tell(asked, found)
            search.sigma *= noise(asked, found, loss, search.ask)
    except Spent:
        return search.result.xfavorite


def random(problem, options):
    """Sequential halving (Z. Karnin, T. Koren, O. Somekh, ICML 2013)."""
    import random as source

    draw = source.Random(options.seed)
    rounds = 5
    number = problem.left // (rounds * problem.each)
    problem.measure([problem.start] + [[draw.random() for _ in problem.start] for _ in range(number - 1)])
    live = list(problem.trials)
    for _ in range(rounds - 1):
        live = sorted(live, key=lambda t: -t[1] / t[2])[:max(problem.finalists, len(live) // 2)]
        games = min(live[0][2], problem.left // len(live))
        if games < 1:
            break
        problem.instance += 1
        problem.left -= games * len(live)
        for trial, fitness in zip(live, problem.play([t[0] for t in live], games, problem.instance)):
            trial[1], trial[2] = trial[1] + fitness * games, trial[2] + games
    problem.trials = live
    return None


# The settings of each, which were chosen on the problems of the folder suite.
RIVALS = {
    tpe: {"each": 4},
    cmaes: {"each": 4, "step": 0.2},
    pycma: {"each": 4, "step": 0.2},
    random: {"each": 2},
}
named = {f.__name__: f for f in RIVALS}
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("rival", choices=named)
parser.add_argument("-tune", default="tune", help="the program")
parser.add_argument("-config", required=True)
parser.add_argument("-games", type=int, default=2500, help="in all")
parser.add_argument("-each", type=int, help="games of a trial; of random its first")
parser.add_argument("-finalists", type=int, default=8, help="of the playoff")
parser.add_argument("-step", type=float, help="first step of a CMA-ES, as a share of the cube")
parser.add_argument("-population", type=int, default=0, help="of a CMA-ES; 0: its own default")
parser.add_argument("-seed", type=int, default=1)
rival = named[parser.parse_args().rival]
parser.set_defaults(**RIVALS[rival])
options = parser.parse_args()
problem = Problem(options.tune, options.config, options.each, options.games, options.finalists)
print(json.dumps(problem.champion(rival(problem, options))))
