"use strict";
// The centre of the search by games of tuning, on games of its own, with its interval; faintly the mean of the candidates, which are drawn widely;
// start and champion on held-out games.

// The means on held-out games that a stage may be compared with: those at its search.
function goals({unit, held_out, convergence}) {
  const players = (held_out?.players ?? []).filter(({role}) => role === "start" || role === "champion");
  return convergence.stages.flatMap(stage => players.filter(({search}) => search === stage.search)
    .map(player => ({...player, ...scaled(player.fitness, unit.scale), from: stage.from, to: stage.to, colour: colour(player.role)})));
}

charts.convergence = (report, {width, domain}) => {
  const {unit, convergence} = report, {stages} = convergence;
  const figure = value => write.fitness({...unit, scale: 1}, value);
  const generations = convergence.generations.map(generation => ({...generation, ...scaled(generation.fitness, unit.scale)}));
  const looks = convergence.looks.map(look => ({...look, ...scaled(look.fitness, unit.scale)}));
  const centres = convergence.centres.map(centre => ({...centre, ...scaled(centre.fitness, unit.scale)}));
  const held = goals(report), wide = width > 560 && held.length, marginLeft = 60, marginRight = wide ? 150 : 12, size = 12, several = stages.length > 1;
  const [upper, lower] = d3.sort(d3.groups(held, ({role}) => role).map(([, all]) => all.at(-1)), ({value}) => -value);
  const [bottom, top] = domain.y, near = value => Math.max(2 * bottom - top, Math.min(2 * top - bottom, value)); // no drawing goes further
  const pixels = games => (games - domain.x[0]) / (domain.x[1] - domain.x[0]) * (width - marginLeft - marginRight);
  const told = (thing, what, games) => `${what}\n${write.whole(thing.games)} games of tuning\n${write.estimate(figure, thing)} ${unitWord(unit)}${games}`;
  return plot({
    width, height: Math.round(Math.min(400, 200 + width * 0.25)), marginLeft, marginRight, marginTop: several ? 48 : 24, marginBottom: 46,
    x: {domain: domain.x, label: "games of tuning", labelAnchor: "center", labelArrow: "none", tickFormat: ticks, ticks: width / 110},
    y: {domain: domain.y, label: null, grid: true, ticks: 6},
    marks: [
      Plot.axisY({label: null, ticks: 6, tickFormat: ticks, tickSize: 0}),
      Plot.text([axisOfFitness(unit)], {frameAnchor: "top-left", dx: -marginLeft, dy: several ? -46 : -22, textAnchor: "start"}),
      Plot.ruleY(held, {y: h => near(h.value), x1: "from", x2: "to", stroke: "colour", strokeWidth: 2, clip: true, ariaDescription: "held out"}),
      Plot.ruleX(stages.slice(1), {x: "from", stroke: "var(--muted)", ariaDescription: "stage"}),
      ...convergence.refines ? [
        Plot.ruleX([convergence.refines], {stroke: "var(--muted)", strokeDasharray: "1 4", strokeWidth: 1.5, ariaDescription: "refines"}),
        Plot.text([convergence.refines], {x: refines => refines, text: () => "CMA-ES", frameAnchor: "bottom", dx: 5, dy: -6, textAnchor: "start", fill: "var(--muted)"}),
      ] : [],
      Plot.dot(generations, {x: "games", y: g => near(g.value), r: 1.6, fill: "var(--muted)", fillOpacity: 0.6, clip: true, ariaDescription: "generation"}),
      Plot.areaY(looks, {x: "games", z: "stage", y1: l => near(l.low ?? bottom), y2: l => near(l.high ?? top), fill: "var(--ink)", fillOpacity: 0.16, clip: true, ariaDescription: "interval"}),
      // Of a stage with one look the area has no width.
      Plot.ruleX(looks.filter(look => looks.filter(({stage}) => stage === look.stage).length === 1), {x: "games", y1: l => near(l.low ?? bottom), y2: l => near(l.high ?? top), stroke: "var(--ink)",
        strokeWidth: 8, strokeOpacity: 0.16, ariaDescription: "only look"}),
      Plot.lineY(looks, {x: "games", y: l => near(l.value), z: "stage", stroke: "var(--ink)", strokeWidth: 1.5, clip: true, ariaDescription: "looks"}),
      Plot.dot(looks, {x: "games", y: l => near(l.value), r: 2.6, fill: "var(--ink)", clip: true, ariaDescription: "look"}),
      Plot.ruleX(centres, {x: "games", y1: c => c.low ?? domain.y[0], y2: c => c.high ?? domain.y[1], stroke: "var(--other)", strokeWidth: 10, strokeOpacity: 0.4, ariaDescription: "interval"}),
      Plot.dot(centres, {x: "games", y: "value", symbol: "diamond", r: 4, fill: "var(--other)", stroke: "var(--paper)", strokeWidth: 1, ariaDescription: "centre"}),
      ...[[upper, -8], [lower, 10]].filter(([player]) => player?.value > bottom && player.value < top).map(([player, dy]) => Plot.text([player], {x: "to", y: "value", dx: wide ? 10 : -4, dy, textAnchor: wide ? "start" : "end",
        text: ({name, value}) => `${name} ${figure(value)}`, fill: "colour", stroke: "var(--paper)", strokeWidth: 4, fontWeight: 600, fontSize: 13, ariaDescription: "label"})),
      // Of several stages each is named above its part of the frame if there is room.
      ...["name", "search"].map((what, line) => Plot.text(stages.filter(stage => several && stage[what].length * 0.6 * size < pixels(stage.to) - pixels(stage.from)), {
        x: "from", text: what, frameAnchor: "top", dy: -30 + 15 * line, dx: 4, textAnchor: "start", fontWeight: line ? 400 : 600, fill: line ? "var(--muted)" : "var(--ink)",
      })),
      Plot.tip(generations, Plot.pointer({x: "games", y: g => near(g.value), ...tip, title: g => told(g, `candidates, drawn widely: ${g.stage}, generation ${g.generation}`, "")})),
      ...[looks, centres].map(all => Plot.tip(all, Plot.pointer({x: "games", y: c => near(c.value), ...tip,
        title: c => told(c, `the centre of the search: ${c.stage}, generation ${c.generation}`, `\n${write.whole(c.played)} games of its own at ${c.search}`)}))),
    ],
  });
};
charts.convergence.words = report => {
  const {unit, convergence: {generations, looks, text}} = report, figure = value => write.fitness(unit, value);
  const shown = looks.length ? looks : generations, first = shown[0], last = shown.at(-1);
  return `${unit.title} of ${looks.length ? "the centre of the search" : "the candidates, drawn widely,"} after ${write.whole(first.games)} games of tuning ${write.estimate(figure, first.fitness)}, after ${write.whole(last.games)} games ${write.estimate(figure, last.fitness)}. ${text}`;
};
charts.convergence.domain = report => {
  const {unit, convergence} = report, held = goals(report);
  const {generations, looks, centres, stages} = convergence;
  const all = list => list.map(({fitness}) => scaled(fitness, unit.scale)), ends = ({value, low, high}) => [value, low, high];
  const shown = usual([...all(centres), ...held].flatMap(ends).concat([...all(looks), ...all(generations)].map(({value}) => value)));
  // A look of few games may have an interval many times as wide as all means: it runs out of the frame.
  const [least, most] = d3.extent(shown), beyond = (most - least) / 2;
  const drawn = [...shown, Math.max(d3.min(all(looks), ({low}) => low) ?? least, least - beyond), Math.min(d3.max(all(looks), ({high}) => high) ?? most, most + beyond)];
  const [low, high] = around(drawn);
  return {x: [0, d3.max([...stages.map(stage => stage.to), ...generations.map(generation => generation.games)])], y: [notBelow0(low, drawn), high]};
};
