#!/usr/bin/Rscript
# Tunes the weights of a config with irace through tune eval, and prints the best weights:
#
#   tune init quickstart
#   Rscript irace_eval.R quickstart.yaml 2500 1 > best.json      # games in all, irace's seed
#   tune compare best.json quickstart.yaml -config quickstart.yaml
#
# irace searches the unit cube of the config's own scales. It asks for the experiments of a race
# together, and one tune eval plays them on all processors. An experiment is EACH games, if not given 2,
# which were best on the problems of the folder suite, or 1 where irace would not race with so few
# experiments. Its instance is irace's seed. The first configuration has the
# start weights. A tenth of the games is for irace's own race of the best configurations of all races.
# Wants r-cran-irace; TUNE names the program.
suppressMessages(library(irace))
given <- commandArgs(trailingOnly = TRUE)
tune <- Sys.getenv("TUNE", "tune")

ranges <- system2(tune, c("eval", "-config", given[1], "-ranges"), stdout = TRUE)
lines <- grep('"name"', ranges, value = TRUE)
field <- function(name) ifelse(grepl(sprintf('"%s":', name), lines), sub(paste0('.*"', name, '": *"?([^",}]*)"?[,}].*'), "\\1", lines), "0")
number <- function(name) as.numeric(field(name))
names <- field("name")
each <- as.integer(Sys.getenv("EACH", if (as.integer(given[2]) %/% 2 < 32 * length(names)) "1" else "2"))
near <- number("near")
scale <- ifelse(field("scale") == "ratio" & near == 0, "linear", field("scale"))
half <- ifelse(field("whole") == "true", 0.5, 0)              # a whole number has the places that round to it
scaled <- function(x) ifelse(scale == "log", suppressWarnings(log(abs(x))), ifelse(scale == "ratio", asinh(x / near), x))
low <- scaled(number("min") - half)
high <- scaled(number("max") + half)
short <- paste0("p", seq_along(names))                        # names as irace takes them
parameters <- readParameters(text = sprintf('%s "" r (0, 1)', short), digits = 15)

json <- function(values) {
  s <- low + as.numeric(unlist(values[short])) * (high - low)
  x <- ifelse(scale == "log", sign(number("min")) * exp(s), ifelse(scale == "ratio", near * sinh(s), s))
  x <- ifelse(half > 0, floor(x + 0.5), x)
  x <- pmin(pmax(x, number("min")), number("max"))
  sprintf("{%s}", paste(sprintf('"%s": %.17g', names, x), collapse = ", "))
}
evaluate <- function(experiments, ...) {
  asked <- sapply(experiments, function(e)
    sprintf('{"id": "irace", "weights": %s, "instance": %.0f}', json(e$configuration), e$seed))
  answers <- system2(tune, c("eval", "-config", given[1], "-games", each), input = asked, stdout = TRUE, stderr = FALSE)
  wrong <- !grepl('"fitness":', answers)
  if (any(wrong)) stop(answers[wrong][1])
  lapply(as.numeric(sub('.*"fitness":([^,}]*)[,}].*', "\\1", answers)), function(fitness) list(cost = -fitness, time = 0))
}

start <- as.data.frame(as.list(setNames(ifelse(high != low, (scaled(number("start")) - low) / (high - low), 0.5), short)))
scenario <- checkScenario(list(targetRunnerParallel = evaluate, instances = "games", maxExperiments = as.integer(given[2]) %/% each,
                               seed = as.integer(given[3]), deterministic = FALSE, testType = "t-test", logFile = "",
                               initConfigurations = start, digits = 15, postselection = 0.1))
sink(stderr())
best <- irace(scenario, parameters)
sink()
cat(json(best[1, ]), "\n")
