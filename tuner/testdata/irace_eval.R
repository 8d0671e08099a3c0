#!/usr/bin/Rscript
# Tunes the weights of a config with irace through tune eval, and prints the best weights:
#
#   tune init quickstart
#   Rscript irace_eval.R quickstart.yaml 2500 1 > best.json      # games in all, irace's seed
#   tune compare best.json quickstart.yaml -config quickstart.yaml
#
# irace asks for the experiments of a race together, and one tune eval plays them on all processors.
# An experiment is EACH games, if not given 2 of up to 2,000 in all and otherwise 4. Its instance is
# irace's seed. The first configuration has the start weights. Wants r-cran-irace; TUNE names the
# program.
suppressMessages(library(irace))
given <- commandArgs(trailingOnly = TRUE)
tune <- Sys.getenv("TUNE", "tune")
each <- as.integer(Sys.getenv("EACH", if (as.integer(given[2]) > 2000) "4" else "2"))

ranges <- system2(tune, c("eval", "-config", given[1], "-ranges"), stdout = TRUE)
field <- function(name, of) sub(paste0('.*"', name, '": *"?([^",}]*)"?[,}].*'), "\\1", of)
lines <- grep('"name"', ranges, value = TRUE)
names <- field("name", lines)
number <- function(name) as.numeric(field(name, lines))
log <- field("scale", lines) == "log"
sign <- ifelse(log & number("max") < 0, -1, 1)                # irace's log scale wants a range above 0
low <- pmin(sign * number("min"), sign * number("max"))
high <- pmax(sign * number("min"), sign * number("max"))
kind <- paste0(ifelse(field("whole", lines) == "true", "i", "r"), ifelse(log, ",log", ""))
short <- paste0("p", seq_along(names))                        # names as irace takes them
parameters <- readParameters(text = sprintf('%s "" %s (%.17g, %.17g)', short, kind, low, high), digits = 15)

json <- function(values) sprintf("{%s}", paste(sprintf('"%s": %.10g', names, sign * unlist(values[short])), collapse = ", "))
evaluate <- function(experiments, ...) {
  asked <- sapply(experiments, function(e)
    sprintf('{"id": "irace", "weights": %s, "instance": %.0f}', json(e$configuration), e$seed))
  answers <- system2(tune, c("eval", "-config", given[1], "-games", each), input = asked, stdout = TRUE, stderr = FALSE)
  wrong <- !grepl('"fitness":', answers)
  if (any(wrong)) stop(answers[wrong][1])
  lapply(as.numeric(sub('.*"fitness":([^,]*),.*', "\\1", answers)), function(fitness) list(cost = -fitness, time = 0))
}

start <- as.data.frame(as.list(setNames(sign * number("start"), short)))
scenario <- checkScenario(list(targetRunnerParallel = evaluate, instances = "games", maxExperiments = as.integer(given[2]) %/% each,
                               seed = as.integer(given[3]), deterministic = FALSE, testType = "t-test", logFile = "",
                               initConfigurations = start, digits = 15))
sink(stderr())
best <- irace(scenario, parameters)
sink()
cat(json(best[1, ]), "\n")
