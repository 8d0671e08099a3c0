"use strict";
// A weight in its range: the last population as bands, the start and the champion as dots.

charts.strip = (report, {width, row}) => {
  const {min, max, log, start, champion, population} = report.weights.weights.find(({name}) => name === row);
  const band = (low, high, fillOpacity) => population && Plot.rectX([population], {x1: low, x2: high, y1: 0, y2: 1, fill: "var(--ink)", fillOpacity, ariaDescription: "band"});
  return plot({
    width, height: 36, marginLeft: 5, marginRight: 5, marginTop: 4, marginBottom: 16,
    x: {domain: [min, max], type: log ? "log" : "linear", axis: null}, y: {domain: [0, 1], axis: null},
    marks: [
      Plot.ruleY([0.5], {x1: min, x2: max, stroke: "var(--faint)", strokeWidth: 2}),
      band("p05", "p95", 0.12), band("p25", "p75", 0.24),
      Plot.text([min], {x: d => d, text: write.short, frameAnchor: "bottom", dy: 14, dx: -5, fontSize: 11, textAnchor: "start"}),
      Plot.text([max], {x: d => d, text: write.short, frameAnchor: "bottom", dy: 14, dx: 5, fontSize: 11, textAnchor: "end"}),
      Plot.dot([start], {x: d => d, y: 0.5, r: 4.5, fill: "var(--start)", stroke: "var(--paper)", ariaDescription: "start"}),
      champion == null ? null : Plot.dot([champion], {x: d => d, y: 0.5, r: 4.5, fill: "var(--champion)", stroke: "var(--paper)", ariaDescription: "champion"}),
    ],
  });
};
charts.strip.words = (report, row) => {
  const {min, max, start, champion, name} = report.weights.weights.find(({name}) => name === row);
  return `${name} between ${write.weight(min)} and ${write.weight(max)}: start ${write.weight(start)}` + (champion == null ? "" : `, champion ${write.weight(champion)}`);
};
