"use strict";
// The change of fitness when the champion plays without a feature, with its interval.

charts.effect = (report, {width, domain, row}) => {
  const {change} = report.weights.rows.find(({name}) => name === row);
  return plot({
    width, height: 26, marginLeft: 4, marginRight: 4, marginTop: 4, marginBottom: 4, x: {domain: domain.x, axis: null}, y: {domain: [0, 1], axis: null},
    marks: [
      Plot.rectX([change], {x1: 0, x2: "value", y1: 0.1, y2: 0.9, fill: "var(--champion)", fillOpacity: 0.3, ariaDescription: "effect"}),
      Plot.ruleX([0], {stroke: "var(--muted)"}),
      Plot.ruleY([change], {y: 0.5, x1: "low", x2: "high", stroke: "var(--champion)", strokeWidth: 2.5, ariaDescription: "interval"}),
    ],
  });
};
charts.effect.domain = report => {
  const [low, high] = ends(report.weights.rows.flatMap(({change}) => change ?? []));
  return {x: [Math.min(low, 0), Math.max(high, 0)]};
};
charts.effect.words = (report, row) => {
  const {change, effect} = report.weights.rows.find(({name}) => name === row);
  return `without ${row}: ${effect || write.estimate(write.change, change)}`;
};
