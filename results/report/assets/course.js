"use strict";
// Each weight over the games of tuning, on its range: the population's median and quartiles, the start and the champion.

charts.course = (report, {width}) => {
  const {weights: {weights}} = report, columns = Math.max(1, Math.min(3, Math.floor(width / 230)));
  const cell = weights.map((weight, i) => ({weight, fx: i % columns, fy: Math.floor(i / columns)})), rows = Math.ceil(weights.length / columns);
  const steps = cell.flatMap(({weight, fx, fy}) => weight.course.map(step => ({...step, weight, fx, fy,
    low: unitOf(weight, step.p25), middle: unitOf(weight, step.p50), high: unitOf(weight, step.p75)})));
  const at = role => cell.filter(({weight}) => weight[role] != null).map(({weight, ...place}) => ({...place, y: unitOf(weight, weight[role])}));
  const place = {fx: "fx", fy: "fy"}, last = d3.max(steps, ({games}) => games);
  const end = (side, anchor, dy) => Plot.text(cell, {...place, text: ({weight}) => write.short(weight[side]), frameAnchor: anchor, dx: -4, dy, textAnchor: "end"});
  return plot({
    width, height: rows * 96 + 40, marginLeft: 46, marginRight: 8, marginTop: 18, marginBottom: 40,
    x: {domain: [0, last], label: "games of tuning", labelAnchor: "center", labelArrow: "none", labelOffset: 36, tickFormat: write.short, ticks: 2},
    y: {domain: [0, 1], axis: null}, fx: {axis: null, padding: 0.24}, fy: {axis: null, padding: 0.26},
    marks: [
      Plot.frame({stroke: "var(--faint)"}),
      Plot.text(cell, {...place, text: ({weight}) => weight.name, frameAnchor: "top-left", dy: -15, fill: "var(--ink)", lineWidth: width / columns / 13, textOverflow: "ellipsis"}),
      end("max", "top-left", 2), end("min", "bottom-left", -2),
      Plot.areaY(steps, {...place, x: "games", y1: "low", y2: "high", fill: "var(--ink)", fillOpacity: 0.2, ariaDescription: "quartiles"}),
      Plot.ruleY(at("start"), {...place, y: "y", stroke: "var(--start)", strokeWidth: 1.5, strokeDasharray: "4 3", ariaDescription: "start"}),
      Plot.ruleY(at("champion"), {...place, y: "y", stroke: "var(--champion)", strokeWidth: 1.5, ariaDescription: "champion"}),
      Plot.lineY(steps, {...place, x: "games", y: "middle", stroke: "var(--ink)", strokeWidth: 1.5, ariaDescription: "median"}),
      Plot.tip(steps, Plot.pointer({...place, x: "games", y: "middle", ...tip,
        title: ({weight, games, p25, p50, p75}) => `${weight.name}\n${write.whole(games)} games of tuning\nmedian ${write.weight(p50)}, half between ${write.weight(p25)} and ${write.weight(p75)}`})),
    ],
  });
};
charts.course.words = ({weights: {weights}}) => `the course of ${weights.length} weights: ` + weights.filter(({course}) => course.length).map(({name, course}) =>
  `${name} from ${write.weight(course[0].p50)} to ${write.weight(course.at(-1).p50)}`).join(", ");
charts.course.rows = ({weights: {weights}}) => [["weight", "games of tuning", "lower quartile", "median", "upper quartile"],
  ...weights.flatMap(({name, course}) => course.map(s => [name, write.whole(s.games), ...[s.p25, s.p50, s.p75].map(write.weight)]))];
