"use strict";
// How the population's values of one weight drew together, in the weight's whole range, between its start and the champion's.

charts.narrowing = (report, {width, domain, row}) => {
  const tuned = report.weights.weights.find(({name}) => name === row);
  if (!tuned) return ""; // a fixed weight
  const {min, max, log, start, champion, narrowing, name} = tuned;
  const band = (low, high, fillOpacity) =>
    Plot.areaY(narrowing, {x: "games", y1: low, y2: high, fill: "var(--ink)", fillOpacity, ariaDescription: "band"});
  return plot({
    width, height: 44, marginLeft: 6, marginRight: 8, marginTop: 5, marginBottom: 5, ariaLabel: name,
    x: {domain: domain.x, axis: null}, y: {domain: [min, max], type: log ? "log" : "linear", axis: null},
    marks: [
      Plot.ruleY([min, max], {stroke: "var(--faint)"}),
      band("p05", "p95", 0.1), band("p25", "p75", 0.22),
      Plot.lineY(narrowing, {x: "games", y: "p50", stroke: "var(--ink)", strokeWidth: 1.25, ariaDescription: "median"}),
      Plot.dot([start], {x: domain.x[0], y: start, r: 4, fill: "var(--start)", ariaDescription: "start"}),
      champion == null ? null : Plot.dot([champion], {x: domain.x[1], y: champion, r: 4, fill: "var(--champion)", ariaDescription: "champion"}),
      width < 160 ? null : Plot.tip(narrowing, Plot.pointerX({x: "games", y: "p50", ...tip, anchor: "bottom",
        title: b => `${write.whole(b.games)} games: median ${write.weight(b.p50)}\nhalf: ${write.weight(b.p25)} to ${write.weight(b.p75)}`
          + `\nnine tenths: ${write.weight(b.p05)} to ${write.weight(b.p95)}`})),
    ],
  });
};
charts.narrowing.domain = report => ({x: [0, d3.max(report.weights.weights, ({narrowing}) => d3.max(narrowing, band => band.games)) || 1]});
