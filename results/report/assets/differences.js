"use strict";
// The champion's changes beside the headline's: at other searches, and over the references.

function otherGains(report) {
  const {unit, held_out: {gains}} = report, at = answerSearch(report);
  const relative = unit.suffix !== "%" && gains.every(gain => gain.ratio);
  return gains.filter(gain => !(gain.search === at && gain.over === "start weights")).map(gain => ({
    label: `${gain.over}, ${gain.search}`, colour: colour("champion"), title: gain.text,
    estimate: relative ? {value: gain.ratio.value - 1, low: gain.ratio.low == null ? null : gain.ratio.low - 1, high: gain.ratio.high == null ? null : gain.ratio.high - 1} : scaled(gain.difference, unit.scale),
    relative,
  }));
}
const figureOf = ({unit}, {relative}) => relative ? write.change : value => (value > 0 ? "+" : "") + write.fitness({...unit, scale: 1}, value);

charts.differences = (report, {width}) => {
  const rows = otherGains(report), [low, high] = ends(rows.map(row => row.estimate));
  const figure = figureOf(report, rows[0]);
  return forest(rows, {width, domain: [Math.min(low, 0), Math.max(high, 0)], figure, zero: 0, label: `change of the ${report.unit.changes} over`,
    tickFormat: rows[0].relative ? write.change : ticks});
};
charts.differences.words = report => "The champion over " + otherGains(report).map(row => `${row.label}: ${write.estimate(figureOf(report, row), row.estimate)}`).join("; ");
charts.differences.rows = report => [["over, search", "change", "95% interval"], ...otherGains(report).map(row =>
  [row.label, figureOf(report, row)(row.estimate.value), write.interval(figureOf(report, row), row.estimate)])];
