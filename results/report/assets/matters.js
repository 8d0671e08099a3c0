"use strict";
// The champion without each of its features, the most valuable first; and with one weight moved.

const changed = parts => parts.map(({name, change, verdict, text, games}) => ({
  label: name, estimate: change, colour: colour("champion"), title: [name, write.estimate(write.percent, change), games && `${write.whole(games)} games`, verdict ?? text].filter(Boolean).join("\n"),
}));
const changes = parts => {
  const [low, high] = ends(parts.map(part => part.change));
  return {x: [Math.min(low, 0), Math.max(high, 0)]};
};
const drawChanges = (report, parts, {width, domain}) =>
  forest(changed(parts), {width, domain: domain.x, figure: write.percent, label: `change of the ${report.unit.changes}`, tickFormat: share => share ? d3.format("+.0%")(share) : "0%", zero: 0});

charts.matters = (report, options) => drawChanges(report, report.matters.features, options);
charts.matters.domain = report => changes(report.matters.features);

charts.moved = (report, options) => drawChanges(report, report.matters.weights, options);
charts.moved.domain = report => changes(report.matters.weights);
