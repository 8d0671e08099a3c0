"use strict";
// The finalists' weights as lines through parallel axes, one below the other, each from the lower to the upper end of its range.

charts.parallel = (report, {width}) => {
  const {unit, weights: {weights, finalists}} = report;
  const figure = value => write.fitness(unit, value), size = 12;
  const points = (line, values) => weights.map((weight, y) => ({...line, weight, value: values[y], x: unitOf(weight, values[y]), y}));
  const best = finalists.filter(finalist => finalist.champion), others = finalists.filter(finalist => !finalist.champion && finalist.number !== 0);
  const start = points(finalists.find(finalist => finalist.number === 0) ?? {number: 0}, weights.map(weight => weight.start));
  const lines = list => list.flatMap(finalist => points(finalist, finalist.values));
  const end = side => weights.map((weight, y) => ({y, text: write.short(weight[side])}));
  const marginLeft = Math.min(d3.max(weights, ({name}) => name.length) * size * 0.56 + 62, width * 0.5), marginRight = 52;
  const line = (data, options) => Plot.line(data, {x: "x", y: "y", z: "number", ...options});
  return plot({
    width, height: weights.length * 34 + 24, marginLeft, marginRight, marginTop: 4, marginBottom: 4,
    x: {domain: [0, 1], axis: null, inset: 6}, y: {domain: d3.range(weights.length), type: "point", padding: 0.6, axis: null},
    marks: [
      Plot.ruleY(weights, {y: (_, y) => y, stroke: "var(--faint)", ariaDescription: "axis"}),
      Plot.text(weights, {y: (_, y) => y, text: "name", title: "name", frameAnchor: "left", dx: -marginLeft, textAnchor: "start", fill: "var(--ink)",
        lineWidth: (marginLeft - 56) / size, textOverflow: "ellipsis"}),
      Plot.text(end("min"), {y: "y", text: "text", frameAnchor: "left", dx: -4, textAnchor: "end"}),
      Plot.text(end("max"), {y: "y", text: "text", frameAnchor: "right", dx: 4, textAnchor: "start"}),
      line(start, {stroke: "var(--start)", strokeWidth: 2, ariaDescription: "start"}),
      line(lines(others), {stroke: "var(--other)", strokeOpacity: 0.55, ariaDescription: "finalists"}),
      line(lines(best), {stroke: "var(--champion)", strokeWidth: 2.5, ariaDescription: "champion"}),
      Plot.dot(start, {x: "x", y: "y", r: 3, fill: "var(--start)", ariaDescription: "start"}),
      Plot.dot(lines(others), {x: "x", y: "y", r: 2.5, fill: "var(--other)", ariaDescription: "finalists"}),
      Plot.dot(lines(best), {x: "x", y: "y", r: 4, fill: "var(--champion)", ariaDescription: "champion"}),
      Plot.tip(lines(finalists), Plot.pointer({x: "x", y: "y", ...tip,
        title: p => `candidate ${p.number}, rank ${p.rank}${p.champion ? ", the champion" : ""}\n${p.weight.name} ${write.weight(p.value)}`
          + `\nplayoff ${write.estimate(figure, p.fitness)} ${unitWord(unit)}\n${write.whole(p.games)} games`})),
    ],
  });
};
charts.parallel.words = ({weights: {finalists}}) => `the weights of ${finalists.length} finalists, of which candidate ${finalists.find(({champion}) => champion)?.number} is the champion`;
charts.parallel.rows = ({unit, weights: {weights, finalists}}) => [["rank", "candidate", "games", unit.title, ...weights.map(({name}) => name)],
  ...finalists.map(f => [String(f.rank), String(f.number), write.whole(f.games), write.estimate(value => write.fitness(unit, value), f.fitness), ...f.values.map(write.weight)])];
