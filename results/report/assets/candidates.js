"use strict";
// Every candidate of tuning as a dot: a small chart for each weight, against fitness.

charts.candidates = (report, {width, domain}) => {
  const {unit, weights: {weights, candidates, finalists}} = report;
  const stages = report.convergence?.stages ?? [];
  const champion = finalists.find(finalist => finalist.champion)?.number;
  const dots = candidates.number.map((number, i) => ({
    i, number, stage: candidates.stage[i], games: candidates.games[i], fitness: candidates.fitness[i] * unit.scale,
  }));
  const marked = dots.filter(({number}) => number === 0 || number === champion);
  const gap = 28, axis = 48, columns = Math.max(2, Math.floor((width - axis) / 210));
  const inner = Math.floor((width - axis) / columns - gap);
  // Of many dots each is fainter, so that their density shows; earlier stages are fainter still.
  const opacity = Math.max(0.07, Math.min(0.5, 9 / Math.sqrt(dots.length)));
  const shade = ({stage}) => opacity * (stages.length < 2 ? 1 : 0.35 + 0.65 * stage / (stages.length - 1));
  const figure = value => write.fitness({...unit, scale: 1}, value);

  const all = document.createElement("div");
  all.className = "multiples";
  weights.forEach((weight, k) => {
    const {name, min, max, scale} = weight, constant = nearZero(weight);
    const first = k % columns === 0, values = candidates.values[k];
    const x = dot => values[dot.i], y = "fitness", r = "games";
    all.append(plot({
      width: inner + gap + (first ? axis : 0), height: 196, marginLeft: first ? axis : 0, marginRight: gap, marginTop: 36, marginBottom: 28, ariaLabel: name,
      x: {domain: [min, max], type: {log: "log", ratio: "symlog"}[scale] ?? "linear", constant, label: null, ticks: ticksOf(scale, min, max, constant, inner), tickFormat: write.short, inset: 5},
      y: {domain: domain.y, grid: true, label: null, ticks: 4, axis: first ? "left" : null, tickFormat: write.short, tickSize: 0},
      r: {type: "sqrt", domain: [0, d3.max(candidates.games)], range: [0, 3.6]},
      marks: [
        Plot.frame({stroke: "var(--faint)"}),
        Plot.text([name], {frameAnchor: "top-left", dy: -20, textAnchor: "start", fill: "var(--ink)", fontWeight: 600, lineWidth: inner / 12, textOverflow: "ellipsis", title: [name]}),
        first && k === 0 ? Plot.text([axisOfFitness(unit)], {frameAnchor: "top-left", dy: -34, dx: -axis, textAnchor: "start"}) : null,
        Plot.dot(dots, {x, y, r, fill: "var(--ink)", fillOpacity: shade, ariaDescription: "candidates"}),
        Plot.dot(marked, {x, y, r: 4.5, fill: ({number}) => number === champion ? colour("champion") : colour("start"), stroke: "var(--paper)", ariaDescription: "marked"}),
        Plot.tip(dots, Plot.pointer({x, y, ...tip, maxRadius: 20,
          title: dot => `candidate ${dot.number}${dot.number === champion ? ", the champion" : dot.number ? "" : ", the start weights"}`
            + `\n${name} ${write.weight(x(dot))}\n${figure(dot.fitness)} ${unitWord(unit)}\n${write.whole(dot.games)} games`})),
      ],
    }));
  });
  return all;
};
// 0 and powers of ten on a ratio scale, or how many ticks there may be.
const ticksOf = (scale, min, max, constant, inner) => {
  const powers = scale === "ratio" ? d3.range(Math.ceil(Math.log10(2 * constant)), Math.log10(1.01 * Math.max(Math.abs(min), Math.abs(max)))).map(k => 10 ** k) : [];
  const ticks = [...powers.map(x => -x), 0, ...powers].filter(x => x >= min && x <= max);
  return powers.length && ticks.length > 1 ? ticks : Math.max(2, inner / (scale === "log" ? 50 : 60));
};
charts.candidates.domain = ({unit, weights}) => ({y: around(weights.candidates.fitness.map(fitness => fitness * unit.scale), 0.03)});
charts.candidates.words = ({unit, weights: {weights, candidates}}) =>
  `${write.whole(candidates.number.length)} candidates, ${unit.title} against ${weights.map(({name}) => name).join(", ")}`;
charts.candidates.rows = ({unit, weights: {weights, candidates}}) => [["candidate", "games", unit.title, ...weights.map(({name}) => name)],
  ...candidates.number.map((number, i) => [String(number), write.whole(candidates.games[i]), write.fitness(unit, candidates.fitness[i]), ...candidates.values.map(values => write.weight(values[i]))])];
