"use strict";
// The generations' mean fitness by games of tuning, with its interval and the candidates' spread; the centre on games of its own; start
// and champion on held-out games as horizontal bands.

// The spread is one of scores: it is drawn where fitness is the score.
const spreadDrawn = ({generations}) => generations.every(({score, fitness}) => score === fitness.value);

// A bot may score -1e38 as a penalty. What lies that far out would leave no room for the rest.
function usual(values) {
  const finite = values.filter(Number.isFinite), middle = d3.median(finite), far = 50 * (d3.quantile(finite, 0.75) - d3.quantile(finite, 0.25));
  return far > 0 ? finite.filter(value => Math.abs(value - middle) <= far) : finite;
}

// The means on held-out games that a stage may be compared with: those at its search.
function goals({unit, held_out, convergence}) {
  const players = (held_out?.players ?? []).filter(({role}) => role === "start" || role === "champion");
  return convergence.stages.flatMap(stage => players.filter(({search}) => search === stage.search)
    .map(player => ({...player, ...scaled(player.fitness, unit.scale), from: stage.from, to: stage.to, colour: colour(player.role)})));
}

charts.convergence = (report, {width, domain}) => {
  const {unit, convergence} = report, {stages} = convergence;
  const figure = value => write.fitness({...unit, scale: 1}, value);
  const generations = convergence.generations.map(generation => ({
    ...generation, ...scaled(generation.fitness, unit.scale), spread: generation.spread,
  }));
  const centres = convergence.centres.map(centre => ({...centre, ...scaled(centre.fitness, unit.scale)}));
  const held = goals(report), marginLeft = 60, marginRight = 12, size = 12;
  const [bottom, top] = domain.y, near = value => Math.max(2 * bottom - top, Math.min(2 * top - bottom, value)); // no drawing goes further
  const pixels = games => (games - domain.x[0]) / (domain.x[1] - domain.x[0]) * (width - marginLeft - marginRight);
  const told = (thing, what, games) => `${what}\n${write.whole(thing.games)} games of tuning\n${write.estimate(figure, thing)} ${unitWord(unit)}${games}`;
  const band = (data, options) => Plot.areaY(data, {x: "games", z: "stage", fill: "var(--ink)", clip: true, ...options});
  return plot({
    width, height: Math.round(Math.min(400, 200 + width * 0.25)), marginLeft, marginRight, marginTop: 48, marginBottom: 46,
    x: {domain: domain.x, label: "games of tuning", labelAnchor: "center", labelArrow: "none", tickFormat: ticks, ticks: width / 110},
    y: {domain: domain.y, label: null, grid: true, ticks: 6},
    marks: [
      Plot.axisY({label: null, ticks: 6, tickFormat: ticks, tickSize: 0}),
      Plot.text([axisOfFitness(unit)], {frameAnchor: "top-left", dx: -marginLeft, dy: -46, textAnchor: "start"}),
      spreadDrawn(convergence) ? band(generations, {y1: g => near(g.value - g.spread), y2: g => near(g.value + g.spread), fillOpacity: 0.09, ariaDescription: "spread"}) : null,
      band(generations, {y1: g => near(g.low ?? bottom), y2: g => near(g.high ?? top), fillOpacity: 0.22, ariaDescription: "interval"}),
      Plot.rect(held, {x1: "from", x2: "to", y1: g => g.low ?? domain.y[0], y2: g => g.high ?? domain.y[1], fill: "colour", fillOpacity: 0.35, ariaDescription: "held out"}),
      Plot.ruleY(held, {y: "value", x1: "from", x2: "to", stroke: "colour", strokeWidth: 1.5}),
      Plot.ruleX(stages.slice(1), {x: "from", stroke: "var(--muted)", ariaDescription: "stage"}),
      convergence.refines ? Plot.ruleX([convergence.refines], {stroke: "var(--ink)", strokeDasharray: "1 4", strokeWidth: 1.5, ariaDescription: "refines"}) : null,
      Plot.ruleX(stages.filter(stage => stage.rose != null), {x: "rose", stroke: "var(--muted)", strokeDasharray: "4 4", ariaDescription: "rose"}),
      Plot.lineY(generations, {x: "games", y: g => near(g.value), z: "stage", stroke: "var(--ink)", strokeWidth: 1.5, clip: true, ariaDescription: "mean"}),
      Plot.dot(generations, {x: "games", y: g => near(g.value), r: 1.6, fill: "var(--ink)", clip: true, ariaDescription: "generation"}),
      Plot.ruleX(centres, {x: "games", y1: c => c.low ?? domain.y[0], y2: c => c.high ?? domain.y[1], stroke: "var(--other)", strokeWidth: 10, strokeOpacity: 0.4, ariaDescription: "interval"}),
      Plot.dot(centres, {x: "games", y: "value", symbol: "diamond", r: 4, fill: "var(--other)", stroke: "var(--paper)", strokeWidth: 1, ariaDescription: "centre"}),
      // A stage is named above its part of the frame if there is room.
      ...["name", "search"].map((what, line) => Plot.text(stages.filter(stage => stage[what].length * 0.6 * size < pixels(stage.to) - pixels(stage.from)), {
        x: "from", text: what, frameAnchor: "top", dy: -30 + 15 * line, dx: 4, textAnchor: "start", fontWeight: line ? 400 : 600, fill: line ? "var(--muted)" : "var(--ink)",
      })),
      Plot.tip(generations, Plot.pointer({x: "games", y: g => near(g.value), ...tip, title: g => told(g, `${g.stage}, generation ${g.number}`, "")})),
      Plot.tip(centres, Plot.pointer({x: "games", y: "value", ...tip,
        title: c => told(c, `the population's centre, generation ${c.generation}`, `\n${write.whole(c.played)} games at ${c.search}`)})),
    ],
  });
};
charts.convergence.words = report => {
  const {unit, convergence: {generations, text}} = report, figure = value => write.fitness(unit, value), first = generations[0], last = generations.at(-1);
  return `${unit.title} of the first generation ${write.estimate(figure, first.fitness)}, of the last one, after ${write.whole(last.games)} games, ${write.estimate(figure, last.fitness)}. ${text}`;
};
charts.convergence.domain = report => {
  const {unit, convergence} = report, held = goals(report);
  const {generations, centres, stages} = convergence;
  const estimates = [...generations, ...centres].map(({fitness}) => scaled(fitness, unit.scale));
  const spreads = spreadDrawn(convergence) ? generations.flatMap(({score, spread}) => [score - spread, score + spread]) : [];
  const drawn = estimates.flatMap(({value, low, high}) => [value, low, high]).concat(held.flatMap(({value, low, high}) => [value, low, high]));
  const [low, high] = around(usual(drawn.concat(spreads)));
  return {x: [0, d3.max([...stages.map(stage => stage.to), ...generations.map(generation => generation.games)])], y: [notBelow0(low, drawn), high]};
};
