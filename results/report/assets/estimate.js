"use strict";
// The answer as an estimation plot (Gardner and Altman 1986; Ho et al. 2019): at the left the players' scores, a small dot for 1% of
// the games, with their means; at the right the differences, on an axis whose zero is level with the first player's mean.

// The players at the answer's search, the one that the others are compared with first, and their differences from it.
function answered(report) {
  const {unit, held_out: {players, gains}, games} = report, coloured = coloursOf(report), at = answerSearch(report);
  const here = players.filter(({search, role}) => search === at && role !== "reference");
  // Of a comparison the second best is first, which the headline names.
  const list = here.some(({role}) => role === "start") ? d3.sort(here, ({role}) => role === "start" ? 0 : 1) : [...here.slice(1, 2), ...here.filter((_, i) => i !== 1)].slice(0, 6);
  const scores = unit.title === "mean score" ? games.distribution : [];
  const shown = list.map(player => ({...player, estimate: scaled(player.fitness, unit.scale), colour: coloured(player.name),
    dots: scores.find(one => one.player === player.name)?.quantiles ?? []}));
  const base = shown[0];
  const differences = shown.slice(1).flatMap(player => {
    const gain = gains.find(g => g.search === at && (g.player === player.name && g.over === base.name || g.over === player.name && g.player === base.name));
    if (!gain || player.candidate === base.candidate) return [];
    const sign = gain.player === player.name ? 1 : -1, d = scaled(gain.difference, unit.scale * sign);
    const ratio = gain.ratio && (sign > 0 ? gain.ratio : {value: 1 / gain.ratio.value});
    return [{player, estimate: sign > 0 ? d : {value: d.value, low: d.high, high: d.low}, percent: unit.suffix === "%" || !ratio ? null : ratio.value - 1}];
  });
  return {base, shown, differences};
}

// The space of a difference beside the space of a player.
const shareOf = differences => differences.length > 1 ? 0.75 : 0.5;

charts.estimate = (report, {width, domain: {y}}) => {
  const {unit} = report, {base, shown, differences: all} = answered(report);
  const figure = value => write.fitness({...unit, scale: 1}, value), signed = value => (value > 0 ? "+" : "") + figure(value);
  const narrow = width < 560, size = narrow ? 11 : 12, height = 288, marginTop = 26, marginBottom = 64;
  const marginLeft = 52, beside = narrow ? 46 : 104;
  // Several differences that have no room for their labels are left out: the figures have them.
  const roomy = (width - marginLeft - beside) / (shown.length / shareOf(all) + all.length) >= 8.5 * size;
  const differences = all.length === 1 || roomy ? all : [], marginRight = differences.length ? beside : 12;
  const inner = height - marginTop - marginBottom, pixels = value => (value - y[0]) / (y[1] - y[0]) * inner;

  // Places: a column for each player, a smaller one for each difference.
  const share = shareOf(differences), column = (width - marginLeft - marginRight) / (shown.length + share * differences.length);
  const at = i => marginLeft + 14 + i * column, place = k => marginLeft + shown.length * column + (k + 0.5) * share * column;

  // Dots of one height stand side by side.
  const stack = r => shown.flatMap(({dots, colour, name}, i) => {
    const rows = d3.groups(dots, dot => Math.floor(pixels(dot) / (2 * r)));
    return rows.flatMap(([row, those]) => those.map((_, k) => ({x: at(i) + 12 + (2 * k + 1) * r, y: y[0] + (2 * row + 1) * r / inner * (y[1] - y[0]), r, colour, name})));
  });
  let r = 3.6, dots = stack(r);
  const right = () => d3.max(shown, ({name}, i) => d3.max(dots.filter(dot => dot.name === name), dot => dot.x + r - at(i)) ?? 0);
  while (r > 1.2 && right() > column - 10) dots = stack(r -= 0.2);

  // Labels stand below their columns. On a phone those of a run are in the middle of thirds.
  const even = narrow && differences.length === 1;
  const labels = [...shown.map(({name, colour, estimate}, i) => ({x: at(i) - 6, colour, lines: [name, figure(estimate.value), write.interval(figure, estimate)]})),
    ...differences.map(({player, estimate, percent}, k) => ({x: place(k) - 20, colour: player.colour,
      lines: [shown.length > 2 ? player.name : "difference", signed(estimate.value) + (percent == null ? "" : ` (${write.change(percent)})`), write.interval(signed, estimate)]}))]
    .map((label, i, {length}) => even ? {...label, x: (i + 0.5) * width / length} : label);
  const room = even ? width / labels.length : column * (differences.length > 1 ? share : 1);
  const zero = base.estimate.value, relative = narrow && unit.suffix !== "%" && zero > 0;
  const diffTicks = relative ? d3.ticks(y[0] / zero - 1, y[1] / zero - 1, 5).map(share => share * zero) : d3.ticks(y[0] - zero, y[1] - zero, 7);
  const from = differences.length ? place(0) - share * column / 2 : 0;
  return plot({
    width, height, marginLeft, marginRight, marginTop, marginBottom,
    x: {type: "identity", axis: null}, y: {domain: y, label: null, ticks: 6},
    marks: [
      Plot.axisY({label: null, ticks: 6, tickFormat: narrow ? write.short : ticks, tickSize: 0}),
      Plot.text([dots.length ? "score (points)" : axisOfFitness(unit)], {frameAnchor: "top-left", dx: -marginLeft, dy: -24, textAnchor: "start"}),
      ...differences.length ? [
        Plot.text([unit.suffix === "%" ? "difference (percentage points)" : narrow ? "difference" : "difference of the means"], {frameAnchor: "top-right", dx: marginRight, dy: -24, textAnchor: "end"}),
        Plot.ruleX([width - marginRight], {y1: y[0], y2: y[1], stroke: "var(--faint)"}),
        Plot.text(diffTicks, {x: width - marginRight, dx: 6, y: d => zero + d, textAnchor: "start", fill: "var(--muted)",
          text: d => relative ? write.change(d / zero) : signed(d) + (unit.suffix === "%" || zero <= 0 ? "" : `  ${write.change(d / zero)}`)}),
        Plot.ruleY([zero], {x1: at(0), x2: width - marginRight, stroke: base.colour, strokeDasharray: "3 3"}),
        ...differences.map(({player, estimate}, k) => Plot.ruleY([zero + estimate.value], {x1: at(shown.indexOf(player)), x2: place(k), stroke: player.colour, strokeDasharray: "3 3", strokeOpacity: 0.7})),
      ] : [],
      Plot.dot(dots, {x: "x", y: "y", r: d => d.r - 0.4, fill: "colour", fillOpacity: 0.55, ariaDescription: "games"}),
      Plot.ruleX(shown, {x: (_, i) => at(i), y1: p => p.estimate.low ?? y[0], y2: p => p.estimate.high ?? y[1], stroke: "colour", strokeWidth: 7, strokeOpacity: 0.5, ariaDescription: "interval"}),
      Plot.dot(shown, {x: (_, i) => at(i), y: p => p.estimate.value, r: 4.5, fill: "colour", stroke: "var(--paper)", ariaDescription: "mean"}),
      Plot.ruleX(differences, {x: (_, k) => place(k), y1: d => zero + (d.estimate.low ?? y[0] - zero), y2: d => zero + (d.estimate.high ?? y[1] - zero),
        stroke: d => d.player.colour, strokeWidth: 7, strokeOpacity: 0.5, ariaDescription: "interval"}),
      Plot.dot(differences, {x: (_, k) => place(k), y: d => zero + d.estimate.value, r: 4.5, fill: d => d.player.colour, stroke: "var(--paper)", ariaDescription: "difference"}),
      ...(room < 8 * size ? [0, 1] : [0, 1, 2]).map(line => Plot.text(labels, {x: "x", text: label => label.lines[line], frameAnchor: "bottom", dy: 14 + 16 * line, lineAnchor: "top",
        textAnchor: even ? "middle" : "start", fill: line ? "var(--ink)" : "colour", fontWeight: line === 2 ? 400 : 600, fontSize: size,
        ...line ? {} : {lineWidth: (room - 6) / size, textOverflow: "ellipsis"}, ariaDescription: "label"})),
    ],
  });
};
charts.estimate.domain = report => {
  const {base, shown, differences} = answered(report);
  const drawn = shown.flatMap(({dots, estimate}) => [...dots, estimate.value, estimate.low, estimate.high])
    .concat(differences.flatMap(({estimate: {low, high}}) => [low, high].map(end => end == null ? null : base.estimate.value + end)));
  const [low, high] = around(drawn);
  return {y: [base.dots.length ? Math.min(low, 0) : notBelow0(low, drawn), high]};
};
charts.estimate.words = report => {
  const {unit} = report, {shown, differences} = answered(report), figure = value => write.fitness({...unit, scale: 1}, value);
  return [...shown.map(({name, estimate, games}) => `${name}: ${unit.title} ${write.estimate(figure, estimate)} in ${write.whole(games)} games`),
    ...differences.map(({player, estimate, percent}) => `difference of ${player.name}: ${write.estimate(figure, estimate)}${percent == null ? "" : `, ${write.change(percent)}`}`)].join("; ");
};
