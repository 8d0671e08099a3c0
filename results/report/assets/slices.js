"use strict";
// Weights against luck-free fitness, a dot for each candidate of the last stage. slice: one weight in its range. map: two weights that the
// reader picks, the fitter a candidate the stronger its colour.

// Thousands of dots are a few paths: an element for each would be slow.
const cloud = (groups, size) => (_, {x, y}, __, ___, {document}) => {
  const all = document.createElementNS("http://www.w3.org/2000/svg", "g");
  all.setAttribute("aria-description", "candidates");
  for (const {stroke, opacity, points} of groups) {
    const path = document.createElementNS(all.namespaceURI, "path");
    path.setAttribute("d", points.map(([a, b]) => `M${x(a).toFixed(1)} ${y(b).toFixed(1)}h0`).join(""));
    path.setAttribute("style", `fill: none; stroke: ${stroke}; stroke-opacity: ${opacity}; stroke-width: ${size}; stroke-linecap: round`);
    all.append(path);
  }
  return all;
};

// The weight of a name with its candidates: at, their places in its range, and where start, champion or the centre so far are.
function tunedWeight({weights: {rows}}, name) {
  const weight = rows.find(row => row.name === name), best = weight.champion ?? weight.centre;
  const place = value => Math.max(0, Math.min(1, unitOf(weight, value)));
  return {...weight, place, at: weight.values.map(place), start: place(weight.start), best: best == null ? null : place(best), bestValue: best, startValue: weight.start};
}
const fitnessOf = ({unit, weights: {tuned}}) => tuned.fitness.map(value => value * unit.scale);

// The axis of fitness leaves out what lies far off: a bot's penalties, or the random weights of a first generation.
const axisOf = fitness => {
  const seen = usual(fitness);
  return seen.length ? around(seen) : [0, 1];
};

// The ends and the middle of a range, on its scale.
const marksOf = weight => [[weight.min, 0, "start"], [+middleOf(weight).toPrecision(2), 0.5, "middle"], [weight.max, 1, "end"]];
const endsOf = weight => marksOf(weight).map(([value, x, textAnchor]) =>
  Plot.text([value], {x: () => x, text: write.short, frameAnchor: "bottom", dy: 15, textAnchor, fontSize: 12}));

charts.slice = (report, {width, domain: {y}, row}) => {
  const weight = tunedWeight(report, row), fitness = fitnessOf(report), parts = 4, n = fitness.length;
  const near = value => Math.max(y[0], Math.min(y[1], value)), {place} = weight;
  const groups = d3.range(parts).map(part => ({stroke: "var(--ink)", opacity: 0.12 + 0.16 * part, // the later, the stronger
    points: weight.at.map((x, i) => [x, near(fitness[i])]).slice(Math.floor(part * n / parts), Math.floor((part + 1) * n / parts))}));
  return plot({
    width, height: 96, marginLeft: 40, marginRight: 8, marginTop: 6, marginBottom: 20, x: {domain: [0, 1], axis: null}, y: {domain: y, label: null, ticks: 3, tickFormat: write.short, tickSize: 0, grid: true},
    marks: [
      Plot.frame({stroke: "var(--faint)"}),
      weight.late ? Plot.rectX([weight.late], {x1: ({low}) => place(low), x2: ({high}) => place(high), fill: "var(--champion)", fillOpacity: 0.16, ariaDescription: "late"}) : null,
      cloud(groups, n > 1000 ? 2 : 3),
      Plot.ruleX([weight.start], {stroke: "var(--start)", strokeWidth: 2, strokeDasharray: "3 3", ariaDescription: "start"}),
      weight.best == null ? null : Plot.ruleX([weight.best], {stroke: "var(--champion)", strokeWidth: 2.5, ariaDescription: "champion"}),
      ...endsOf(weight),
    ],
  });
};
charts.slice.domain = report => ({y: axisOf(fitnessOf(report))});
charts.slice.words = (report, row) => {
  const {name, min, max, startValue, bestValue, values, late} = tunedWeight(report, row), fitness = fitnessOf(report), bar = d3.quantile(fitness, 0.9);
  const good = d3.extent(values.filter((_, i) => fitness[i] >= bar)), [first, last] = good.map(value => value == null ? "" : write.weight(value));
  return `${name} between ${write.weight(min)} and ${write.weight(max)}: start ${write.weight(startValue)}` + (bestValue == null ? "" : `, ${late ? "centre so far" : "champion"} ${write.weight(bestValue)}`) + (late ? `, asked for last ${write.weight(late.low)} to ${write.weight(late.high)}` : "") +
    (first ? `; the fittest tenth of ${write.whole(values.length)} candidates from ${first} to ${last}` : "");
};

// The two weights that the reader picked, by the names of the lists. They outlive a list that a live page replaces.
const picked = {};
function pick(report) {
  return ["x", "y"].map((axis, i) => {
    const list = document.querySelector(`select[data-axis=${axis}]`), names = [...list.options].map(({value}) => value);
    if (!names.includes(picked[axis])) picked[axis] = names[Math.min(i, names.length - 1)];
    list.value = picked[axis];
    return tunedWeight(report, picked[axis]);
  });
}

charts.map = (report, {width}) => {
  const [a, b] = pick(report), fitness = fitnessOf(report), parts = 6;
  const order = d3.sort(d3.range(fitness.length), i => fitness[i]), size = order.length > 1000 ? 3.5 : 5;
  const groups = d3.range(parts).map(part => ({stroke: `color-mix(in srgb, var(--champion) ${Math.round(100 * part / (parts - 1))}%, var(--faint))`, opacity: 0.9,
    points: order.slice(Math.floor(part * order.length / parts), Math.floor((part + 1) * order.length / parts)).map(i => [a.at[i], b.at[i]])}));
  const mark = (x, y, fill, what) => x == null || y == null ? null : Plot.dot([0], {x: () => x, y: () => y, r: 7, fill, stroke: "var(--paper)", strokeWidth: 2.5, ariaDescription: what});
  const side = Math.min(width, 520);
  return plot({
    width: side, height: side * 0.8, marginLeft: 52, marginRight: 10, marginTop: 10, marginBottom: 24, x: {domain: [0, 1], axis: null}, y: {domain: [0, 1], axis: null},
    marks: [
      Plot.frame({stroke: "var(--faint)"}), cloud(groups, size), mark(a.start, b.start, "var(--start)", "start"), mark(a.best, b.best, "var(--ink)", "champion"), ...endsOf(a),
      ...marksOf(b).map(([value, y]) => Plot.text([value], {y: () => y, text: write.short, frameAnchor: "left", dx: -6, textAnchor: "end", fontSize: 12})),
    ],
  });
};
charts.map.words = report => {
  const [a, b] = pick(report);
  return `${write.whole(report.weights.tuned.fitness.length)} candidates by ${a.name} and ${b.name}`;
};
