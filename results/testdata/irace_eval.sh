#!/bin/sh
# Tunes the weights of configs/quickstart.yaml with irace through tune eval, in the current folder, and prints the best weights:
#
#   tune init quickstart
#   sh irace_eval.sh 312 8 1 > best.json        # experiments, games of each, irace's seed
#   tune compare best.json quickstart.yaml -config quickstart.yaml -games 1000 -seed 7
#
# Wants r-cran-irace; TUNE names the program.
set -e
TUNE=${TUNE:-tune}
cat > parameters.txt <<'END'
empty              "--empty "              r,log (10, 10000)
merges             "--merges "             r,log (10, 10000)
monotonicity       "--monotonicity "       r     (-300, 0)
monotonicity_power "--monotonicity_power " r     (2, 6)
sum                "--sum "                r     (-400, 0)
sum_power          "--sum_power "          r     (1.5, 5.5)
END
cat > target-runner <<END
#!/bin/sh
exec "$TUNE" eval -config quickstart.yaml -games $2 -target-runner "\$@"
END
chmod +x target-runner
echo games > instances.txt
Rscript - "$1" "$3" >&2 <<'END'
library(irace)
asked <- as.integer(commandArgs(trailingOnly = TRUE))
scenario <- checkScenario(list(targetRunner = "./target-runner", trainInstancesDir = "", trainInstancesFile = "instances.txt", maxExperiments = asked[1], seed = asked[2],
                               deterministic = FALSE, testType = "t-test", parallel = 2, logFile = ""))
best <- irace(scenario, readParameters("parameters.txt"))
best <- removeConfigurationsMetaData(best)[1, ]
writeLines(paste0("{", paste(sprintf('"%s": %s', names(best), format(unlist(best), digits = 10)), collapse = ", "), "}"), "best.tmp")
END
cat best.tmp
rm best.tmp
