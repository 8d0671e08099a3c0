"use strict";
// Score against the time of a move: a line for each player of a comparison, through its best
// searches. Each search is a report of the page.

charts.pace = (_, {width, all}) => {
  const players = all.flatMap(report => report.held_out?.players ?? []).filter(player => player.ms_per_move);
  const coloured = coloursOf({held_out: {players}});
  const points = players.map(player => ({...player, colour: coloured(player.name)}));
  // A line has a player's searches that no faster search beats.
  const unbeaten = those => d3.sort(those, point => point.ms_per_move)
    .filter((point, i, sorted) => sorted.slice(0, i).every(faster => faster.score.value < point.score.value));
  const lines = d3.groups(points, point => point.name).map(([, those]) => unbeaten(those));
  const [least, most] = d3.extent(points, point => point.ms_per_move), [low, high] = ends(points.map(point => point.score));
  const x = [least / Math.max(1.5, (most / least) ** 0.15), most * 1.15], y = [Math.max(0, low), high]; // room for a name at the left
  const span = x[1] / x[0], round = span > (width < 560 ? 50 : 200) ? [1] : [1, 2, 5];
  const times = span > 10 ? d3.scaleLog(x, [0, 1]).ticks().filter(time => round.includes(+time.toExponential()[0])) : d3.ticks(...x, width / 120);

  // The players' names stand at the right, each as near to the height of its line's end as the rest let it.
  const named = d3.sort(lines.map(line => line.at(-1)), point => point.score.value);
  const apart = 15;
  const height = Math.max(Math.round(Math.min(480, 240 + width * 0.2)), 76 + apart * named.length);
  const marginTop = 30, marginBottom = 46, marginRight = Math.min(180, width * 0.27);
  const heightOf = d3.scaleLinear(y, [height - marginBottom, marginTop]);
  let free = height - marginBottom + apart;
  for (const name of named) name.at = free = Math.min(heightOf(name.score.value), free - apart);
  free = marginTop - apart;
  for (const name of named.toReversed()) name.at = free = Math.max(name.at, free + apart);

  const highest = ({search}) => d3.greatest(lines.flat().filter(point => point.search === search), point => point.score.value);
  const search = text => text.replace(/^(depth by \w+) /, "$1\n");
  const place = {x: "ms_per_move", y: point => point.score.value};
  return plot({
    width, height, marginLeft: 60, marginRight, marginTop, marginBottom,
    x: {type: "log", domain: x, label: "time a move", labelAnchor: "center", labelArrow: "none", tickFormat: write.time, ticks: times},
    y: {domain: y, label: null, grid: true, ticks: 6},
    marks: [
      Plot.axisY({label: null, tickFormat: ticks, ticks: 6, tickSize: 0}),
      Plot.text(["mean score (points)"], {frameAnchor: "top-left", dx: -60, dy: -28, textAnchor: "start"}),
      Plot.line(lines.flat(), {...place, z: "name", stroke: "colour", strokeWidth: 2, ariaDescription: "line"}),
      // The searches that nobody's faster search beats have names at their best player, under the
      // points and over the lines. A name that would lie over another one is left out: the tip
      // has it.
      Plot.text([...new Set(unbeaten(points).map(highest))], {...place, text: p => search(p.search), dx: 4, dy: -9, lineAnchor: "bottom", textAnchor: "end", fill: "var(--ink)", stroke: "var(--paper)", strokeWidth: 4,
        lineHeight: 1.2, lineWidth: 14, textOverflow: "ellipsis", ariaDescription: "names"}),
      Plot.ruleX(points, {x: "ms_per_move", y1: p => Math.max(y[0], p.score.low ?? y[0]), y2: p => p.score.high ?? y[1], stroke: "colour", strokeWidth: 7, strokeOpacity: 0.35, ariaDescription: "interval"}),
      Plot.dot(points, {...place, r: 3, fill: "colour", stroke: "colour", strokeWidth: 1.2, ariaDescription: "player"}),
      Plot.link(named, {x1: "ms_per_move", y1: p => p.score.value, x2: x[1], y2: p => heightOf.invert(p.at), stroke: "colour", strokeDasharray: "2 3"}),
      Plot.text(named, {x: x[1], y: p => heightOf.invert(p.at), text: "name", dx: 5, textAnchor: "start", fill: "colour", fontWeight: 600,
        lineWidth: (marginRight - 8) / 12, textOverflow: "ellipsis", ariaDescription: "end"}),
      Plot.tip(points, Plot.pointer({...place, ...tip,
        title: p => `${p.name}\n${p.search}, ${write.time(p.ms_per_move)} a move\n${write.estimate(write.whole, p.score)} points\n${write.whole(p.games)} games`})),
    ],
  });
};
charts.pace.rows = (_, all) => [["player", "search", "time a move", "mean score"], ...all.flatMap(report => report.held_out?.players ?? []).filter(player => player.ms_per_move)
  .map(p => [p.name, p.search, write.time(p.ms_per_move), write.estimate(write.whole, p.score)])];
charts.pace.words = (_, __, all) => charts.pace.rows(_, all).slice(1).map(row => row.join(", ")).join("; ");
