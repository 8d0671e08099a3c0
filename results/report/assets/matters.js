"use strict";
// The champion without each of its features, the most valuable first.

charts.matters = (report, {width, domain}) => forest(report.matters.features.map(({name, change, verdict, games}) => ({
  label: name, estimate: change, colour: colour("champion"), title: [name, write.estimate(write.percent, change), games && `${write.whole(games)} games`, verdict].filter(Boolean).join("\n"),
})), {width, domain: domain.x, figure: write.percent, label: `${report.unit.suffix === "%" ? "relative change" : "change"} of the ${report.unit.changes}`, tickFormat: share => share ? d3.format("+.0%")(share) : "0%", zero: 0});

charts.matters.domain = report => {
  const [low, high] = ends(report.matters.features.map(feature => feature.change));
  return {x: [Math.min(low, 0), Math.max(high, 0)]};
};
