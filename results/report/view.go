package report

import (
	"strconv"
	"time"

	"tune2048/experiments/summary"
	"tune2048/results"
)

// Title is the title of a tab: the answer, then the run.
func (p Page) Title() string { return p.Headline.Lead + ": " + p.Name }

// Best names whose weights are marked.
func (p Page) Best() string {
	if p.Run.Champion < 0 {
		return "centre so far"
	}
	return summary.ChampionName
}

// Of returns the tables of a section.
func (p Page) Of(section string) (tables []Table) {
	for _, t := range p.Tables {
		if t.Section == section {
			tables = append(tables, t)
		}
	}
	return tables
}

func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) + "%" }

// weight writes a weight as a config has it. People copy it, so it has all its digits.
func weight(value float64) string { return results.Decimal(value) }

// formatTime writes a time of the store for people: 2025-11-22 08:08 UTC.
func formatTime(t time.Time) string { return t.Format("2006-01-02 15:04 MST") }
