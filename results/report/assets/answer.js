"use strict";
// The answer in two charts. gain: the differences, large, on a scale of their own with 0 (Gardner and Altman 1986). scores: below it the
// players' scores, a small dot for 1% of the games, with their means. Labels stand above their rows, so a phone has room for them.

charts.gain = ({held_out: {drawn}}, {width, domain}) => {
  const row = 54, [low, high] = domain.x, {suffix} = drawn[0], at = i => i + 0.68;
  const tick = value => (value > 0 ? "+" : "") + ticks(value) + (suffix === "%" ? "%" : "");
  const fill = ({role}) => colour(role);
  return plot({
    width, height: row * drawn.length + 44, marginLeft: 16, marginRight: 16, marginTop: 2, marginBottom: 42,
    x: {domain: domain.x, label: suffix === "%" ? "change" : suffix.trim(), labelAnchor: "center", labelArrow: "none", ticks: Math.min(9, width / 70), tickFormat: tick, grid: true},
    y: {domain: [drawn.length, 0], axis: null},
    marks: [
      Plot.ruleX(drawn, {x: 0, y1: (_, i) => i + 0.4, y2: (_, i) => i + 1, stroke: "var(--ink)", strokeWidth: 1.5}),
      Plot.ruleY(drawn, {y: (_, i) => at(i), x1: d => d.change.low ?? low, x2: d => d.change.high ?? high, stroke: fill, strokeWidth: 14, strokeOpacity: 0.4, ariaDescription: "interval"}),
      Plot.dot(drawn, {x: d => d.change.value, y: (_, i) => at(i), r: 8, fill, stroke: "var(--paper)", strokeWidth: 1.5, ariaDescription: "difference"}),
      Plot.text(drawn, {x: low, y: (_, i) => i + 0.24, text: "text", textAnchor: "start", fill, stroke: "var(--paper)", strokeWidth: 4, fontSize: 14, fontWeight: 600, ariaDescription: "label"}),
    ],
  });
};
charts.gain.domain = ({held_out: {drawn}}) => ({x: around([0, ...drawn.flatMap(({change: {value, low, high}}) => [value, low, high])], 0.08)});
charts.gain.words = ({held_out: {drawn}}) => drawn.map(({text}) => text).join("; ");

// The players at the answer's search, the best or the champion first, with the scores of their games.
function shownPlayers(report) {
  const {unit, held_out: {players}, games} = report, coloured = coloursOf(report), scores = unit.title === "mean score" ? games.distribution : [];
  return players.filter(({search, role}) => search === answerSearch(report) && role !== "reference").slice(0, 6).map(player => ({...player,
    ...scaled(player.fitness, unit.scale), colour: coloured(player.name), dots: scores.find(one => one.player === player.name)?.quantiles ?? []}));
}

charts.scores = (report, {width, domain: {x}}) => {
  const {unit} = report, shown = shownPlayers(report).map(player => ({...player, dots: player.dots.filter(dot => dot >= x[0])})), dotted = shown.some(({dots}) => dots.length);
  const figure = value => write.fitness({...unit, scale: 1}, value);
  const row = dotted ? 88 : 48, marginLeft = 16, marginRight = 16, inner = width - marginLeft - marginRight, base = dotted ? 0.82 : 0.68;
  // Dots of one column lie upon one another. They are as large as the highest column allows.
  const columns = (dots, r) => d3.groups(dots, dot => Math.floor((dot - x[0]) / (x[1] - x[0]) * inner / (2 * r)));
  const high = r => 2 * r * d3.max(shown, p => d3.max(columns(p.dots, r), ([, those]) => those.length) ?? 0);
  let r = 3.6;
  while (r > 1 && high(r) > row * base - 30) r -= 0.2;
  const dots = shown.flatMap((p, i) => columns(p.dots, r).flatMap(([column, those]) => those.map((_, k) =>
    ({x: x[0] + (2 * column + 1) * r / inner * (x[1] - x[0]), y: i + base - (6 + (2 * k + 1) * r) / row, r, colour: p.colour}))));
  return plot({
    width, height: row * shown.length + 44, marginLeft, marginRight, marginTop: 2, marginBottom: 42,
    x: {domain: x, label: dotted ? "score (points)" : axisOfFitness(unit), labelAnchor: "center", labelArrow: "none", ticks: Math.min(8, width / 80), tickFormat: width < 560 ? write.short : ticks, grid: true},
    y: {domain: [shown.length, 0], axis: null},
    marks: [
      Plot.dot(dots, {x: "x", y: "y", r: d => d.r - 0.4, fill: "colour", fillOpacity: 0.55, ariaDescription: "games"}),
      Plot.ruleY(shown, {y: (_, i) => i + base, x1: p => p.low ?? x[0], x2: p => p.high ?? x[1], stroke: "colour", strokeWidth: 7, strokeOpacity: 0.5, clip: true, ariaDescription: "interval"}),
      Plot.dot(shown, {x: "value", y: (_, i) => i + base, r: 4.5, fill: "colour", stroke: "var(--paper)", clip: true, ariaDescription: "mean"}),
      Plot.text(shown, {x: x[0], y: (_, i) => i + 0.12, text: p => `${p.name}: ${write.estimate(figure, p)}`, textAnchor: "start", fill: "colour", stroke: "var(--paper)", strokeWidth: 4,
        fontSize: 13, fontWeight: 600, lineWidth: inner / 13, textOverflow: "ellipsis", ariaDescription: "label"}),
    ],
  });
};
charts.scores.domain = report => {
  const shown = shownPlayers(report), drawn = usual(shown.flatMap(({dots, value, low, high}) => [...dots, value, low, high])), [low, high] = around(drawn);
  return {x: [shown[0].dots.length ? Math.min(low, 0) : notBelow0(low, drawn), high]};
};
charts.scores.words = report => shownPlayers(report).map(p => `${p.name}: ${report.unit.title} ${write.estimate(value => write.fitness({...report.unit, scale: 1}, value), p)} in ${write.whole(p.games)} games`).join("; ");
