"use strict";
// A weight in its range: the last population as bands, the start and the champion as dots.

charts.strip = (report, {width, row}) => {
  const weight = report.weights.weights.find(({name}) => name === row), {min, max, start, champion, population} = weight;
  const at = value => unitOf(weight, value);
  const band = (low, high, fillOpacity) => population && Plot.rectX([population], {x1: p => at(p[low]), x2: p => at(p[high]), y1: 0, y2: 1, fill: "var(--ink)", fillOpacity, ariaDescription: "band"});
  return plot({
    width, height: 36, marginLeft: 5, marginRight: 5, marginTop: 4, marginBottom: 16,
    x: {domain: [0, 1], axis: null}, y: {domain: [0, 1], axis: null},
    marks: [
      Plot.ruleY([0.5], {x1: 0, x2: 1, stroke: "var(--faint)", strokeWidth: 2}),
      band("p05", "p95", 0.12), band("p25", "p75", 0.24),
      Plot.text([min], {x: 0, text: write.short, frameAnchor: "bottom", dy: 14, dx: -5, fontSize: 11, textAnchor: "start"}),
      Plot.text([max], {x: 1, text: write.short, frameAnchor: "bottom", dy: 14, dx: 5, fontSize: 11, textAnchor: "end"}),
      Plot.dot([start], {x: at, y: 0.5, r: 4.5, fill: "var(--start)", stroke: "var(--paper)", ariaDescription: "start"}),
      champion == null ? null : Plot.dot([champion], {x: at, y: 0.5, r: 4.5, fill: "var(--champion)", stroke: "var(--paper)", ariaDescription: "champion"}),
    ],
  });
};
charts.strip.words = (report, row) => {
  const {min, max, start, champion, name} = report.weights.weights.find(({name}) => name === row);
  return `${name} between ${write.weight(min)} and ${write.weight(max)}: start ${write.weight(start)}` + (champion == null ? "" : `, champion ${write.weight(champion)}`);
};
