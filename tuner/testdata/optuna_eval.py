#!/usr/bin/python3
"""Tunes the weights of a config with Optuna through tune eval, and prints the best weights.

  tune init quickstart
  python3 optuna_eval.py -config quickstart.yaml -games 2500 > best.json
  tune compare best.json quickstart.yaml -config quickstart.yaml

The first trial has the start weights. A tenth of the games is kept for a playoff of the best eight
trials, on other seeds: the best of many trials on few games each is mostly luck. Wants
python3-optuna.
"""
import argparse
import json
import subprocess
import sys
import warnings

import optuna

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("-tune", default="tune", help="the program")
parser.add_argument("-config", required=True)
parser.add_argument("-games", type=int, default=2500, help="in all")
parser.add_argument("-each", type=int, default=8, help="games of a trial")
parser.add_argument("-sampler", choices=["tpe", "cma_es"], default="tpe")
parser.add_argument("-seed", type=int, default=1, help="of Optuna")
options = parser.parse_args()

command = [options.tune, "eval", "-config", options.config, "-games", str(options.each)]
ranges = json.loads(subprocess.run(command + ["-ranges"], check=True, capture_output=True, text=True).stdout)
tune = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def play(weights, games, instance):
    """Returns the fitness of weights in games of an instance, which has its own seeds."""
    line = {"id": "optuna", "weights": weights, "games": games, "instance": instance}
    tune.stdin.write(json.dumps(line) + "\n")
    tune.stdin.flush()
    answer = json.loads(tune.stdout.readline() or '{"error": "tune ended"}')
    if "error" in answer:
        sys.exit(answer["error"])
    return answer["fitness"]


def suggest(trial, r):
    """Returns the trial's number for a range. Optuna's log scale wants a range above 0."""
    if r["whole"]:
        return trial.suggest_int(r["name"], int(r["min"]), int(r["max"]))
    if r["scale"] == "log" and r["max"] < 0:
        return -trial.suggest_float(r["name"], -r["max"], -r["min"], log=True)
    return trial.suggest_float(r["name"], r["min"], r["max"], log=r["scale"] == "log")


warnings.simplefilter("ignore")
optuna.logging.set_verbosity(optuna.logging.ERROR)
if options.sampler == "tpe":
    sampler = optuna.samplers.TPESampler(seed=options.seed, multivariate=True)
else:
    sampler = optuna.samplers.CmaEsSampler(seed=options.seed)
study = optuna.create_study(direction="maximize", sampler=sampler)
study.enqueue_trial({r["name"]: -r["start"] if r["scale"] == "log" and r["max"] < 0 else r["start"] for r in ranges})
kept = options.games // 10
weights = []
for number in range((options.games - kept) // options.each):
    trial = study.ask()
    weights.append({r["name"]: suggest(trial, r) for r in ranges})
    study.tell(trial, play(weights[-1], options.each, number + 1))

order = sorted(range(len(weights)), key=lambda number: -study.trials[number].value)
finalists = [weights[number] for number in order[:8]]
final = [play(w, kept // len(finalists), 0) for w in finalists]
tune.stdin.close()
tune.wait()
print(f"the best of {len(weights)} trials: {study.best_value:.1f}, as luck has it", file=sys.stderr)
print(json.dumps(finalists[final.index(max(final))]))
