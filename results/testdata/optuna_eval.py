#!/usr/bin/python3
"""Tunes the weights of configs/quickstart.yaml with Optuna's TPE through tune eval, and prints the best trial's weights.

  tune init quickstart
  python3 optuna_eval.py -games 2500 > best.json
  tune compare best.json quickstart.yaml -config quickstart.yaml -games 1000 -seed 7

The last command says what the weights are worth: the value of the best of many trials, on few games each, is luck for a
good part, and is told on stderr. Started again with the same seed it goes on where it stopped. Wants python3-optuna.
"""
import argparse
import json
import subprocess
import sys

import optuna

# The ranges of quickstart.yaml: low, high, whether on a log scale.
RANGES = {
    "empty": (10, 10000, True),
    "merges": (10, 10000, True),
    "monotonicity": (-300, 0, False),
    "monotonicity_power": (2, 6, False),
    "sum": (-400, 0, False),
    "sum_power": (1.5, 5.5, False),
}

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("-tune", default="tune", help="the program")
parser.add_argument("-config", default="quickstart.yaml")
parser.add_argument("-games", type=int, default=2500, help="in all")
parser.add_argument("-each", type=int, default=8, help="games of a trial")
parser.add_argument("-waiting", type=int, default=4, help="trials that are asked for at once")
parser.add_argument("-seed", type=int, default=1, help="of Optuna")
options = parser.parse_args()

tune = subprocess.Popen(
    [options.tune, "eval", "-config", options.config, "-games", str(options.each)],
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

optuna.logging.set_verbosity(optuna.logging.WARNING)
study = optuna.create_study(
    direction="maximize", sampler=optuna.samplers.TPESampler(seed=options.seed, constant_liar=options.waiting > 1))
trials = options.games // options.each
while len(study.trials) < trials:
    asked = {}
    for _ in range(min(options.waiting, trials - len(study.trials))):
        trial = study.ask()
        weights = {name: trial.suggest_float(name, low, high, log=log) for name, (low, high, log) in RANGES.items()}
        identity = f"optuna-{options.seed}-{options.each}-{trial.number}"
        asked[identity] = trial
        tune.stdin.write(json.dumps({"id": identity, "weights": weights}) + "\n")
    tune.stdin.flush()
    for _ in asked:
        answer = json.loads(tune.stdout.readline() or '{"error": "tune ended"}')
        if "error" in answer:
            sys.exit(answer["error"])
        study.tell(asked[answer["id"]], answer["fitness"])

tune.stdin.close()
tune.wait()
print(f"best of {trials} trials: {study.best_value:.1f}, as luck has it", file=sys.stderr)
print(json.dumps(study.best_params, indent=2))
