package main

import (
	"tune2048/configs"
	"tune2048/results/report"
)

// unitOf is the unit of an objective as a database has it; that of scores if it is none.
func unitOf(objective string) report.Unit {
	o, err := configs.ParseObjective(objective)
	if err != nil {
		o.Kind = configs.MeanScore
	}
	return report.UnitOf(o)
}
