#!/bin/sh
# Tunes the weights of configs/quickstart.yaml with irace through tune eval, in the current folder, and prints the best weights:
#
#   tune init quickstart
#   sh irace_eval.sh 312 8 1 > best.json        # experiments, games of each, irace's seed
#   tune compare best.json quickstart.yaml -config quickstart.yaml -games 1000 -seed 7
#
# irace asks for the experiments of a race together. One tune eval plays them on all processors. Its instance is irace's seed.
# Wants r-cran-irace (3.5); TUNE names the program.
set -e
export TUNE="${TUNE:-tune}"
cat > parameters.txt <<'END'
empty              "" r,log (10, 10000)
merges             "" r,log (10, 10000)
monotonicity       "" r     (-300, 0)
monotonicity_power "" r     (2, 6)
sum                "" r     (-400, 0)
sum_power          "" r     (1.5, 5.5)
END
echo games > instances.txt
Rscript - "$1" "$2" "$3" >&2 <<'END'
library(irace)
asked <- commandArgs(trailingOnly = TRUE)
parameters <- readParameters("parameters.txt")
json <- function(weights) sprintf("{%s}", paste(sprintf('"%s": %.10g', parameters$names, unlist(weights[parameters$names])), collapse = ", "))

evaluate <- function(experiments, ...) {
  lines <- sapply(experiments, function(e) {
    id <- paste(c("irace", asked, e$id.configuration), collapse = "-")
    sprintf('{"id": "%s", "weights": %s, "instance": %.0f}', id, json(e$configuration), e$seed)
  })
  answers <- system2(Sys.getenv("TUNE"), c("eval", "-config", "quickstart.yaml", "-games", asked[2]), input = lines, stdout = TRUE)
  wrong <- !grepl('"fitness":', answers)
  if (any(wrong)) stop(answers[wrong][1])
  lapply(as.numeric(sub('.*"fitness":([^,]*),.*', "\\1", answers)), function(fitness) list(cost = -fitness))
}

scenario <- checkScenario(list(targetRunnerParallel = evaluate, trainInstancesDir = "", trainInstancesFile = "instances.txt",
                               maxExperiments = as.integer(asked[1]), seed = as.integer(asked[3]), deterministic = FALSE, testType = "t-test", logFile = ""))
best <- irace(scenario, parameters)
writeLines(json(best[1, ]), "best.tmp")
END
cat best.tmp
rm best.tmp
