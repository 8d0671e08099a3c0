"use strict";
// Score against cost: every held-out player of the database, and those that no other beats in both.

charts.frontier = (report, {width, domain}) => {
  const players = report.made.frontier.filter(player => player.nodes_per_move > 0);
  const shade = player => player.own ? "var(--champion)" : "var(--other)";
  const named = [...players.filter(player => player.own), ...players.filter(player => player.best && !player.own)];
  const middle = Math.sqrt(domain.x[0] * domain.x[1]);
  return plot({
    width, height: Math.round(Math.min(380, 220 + width * 0.18)), marginLeft: 60, marginRight: 24, marginTop: 30, marginBottom: 46,
    x: {type: "log", domain: domain.x, label: "nodes per move", labelAnchor: "center", labelArrow: "none", tickFormat: ticks, ticks: width / 100},
    y: {domain: domain.y, label: null, grid: true, ticks: 6},
    marks: [
      Plot.axisY({label: null, tickFormat: ticks, ticks: 6, tickSize: 0}),
      Plot.text(["mean score (points)"], {frameAnchor: "top-left", dx: -60, dy: -28, textAnchor: "start"}),
      Plot.lineY(d3.sort(players.filter(player => player.best), player => player.nodes_per_move), {x: "nodes_per_move", y: p => p.score.value, stroke: "var(--muted)", strokeDasharray: "4 3", ariaDescription: "frontier"}),
      Plot.ruleX(players, {x: "nodes_per_move", y1: p => p.score.low ?? domain.y[0], y2: p => p.score.high ?? domain.y[1], stroke: shade, strokeOpacity: 0.35, strokeWidth: 9, ariaDescription: "interval"}),
      Plot.dot(players, {x: "nodes_per_move", y: p => p.score.value, r: 3, fill: p => p.best ? shade(p) : "var(--paper)", stroke: shade, strokeWidth: 1.5, ariaDescription: "player"}),
      // A name that would lie over another is left out; the tip has it.
      ...[true, false].map(left => Plot.text(named.filter(p => p.nodes_per_move < middle === left), {x: "nodes_per_move", y: p => p.score.value, text: p => p.own ? `${p.name}, ${p.search}` : `${p.run}: ${p.name}, ${p.search}`, ariaDescription: "names",
        dx: left ? 8 : -8, dy: -9, textAnchor: left ? "start" : "end", fill: "var(--ink)", stroke: "var(--paper)", strokeWidth: 4, lineWidth: 16, textOverflow: "ellipsis"})),
      Plot.tip(players, Plot.pointer({x: "nodes_per_move", y: p => p.score.value, ...tip,
        title: p => `${p.run}: ${p.name}\n${p.search}, ${write.whole(p.nodes_per_move)} nodes a move\n${write.estimate(write.whole, p.score)} points\n${write.whole(p.games)} games`})),
    ],
  });
};
charts.frontier.domain = report => {
  const players = report.made.frontier.filter(player => player.nodes_per_move > 0);
  const [least, most] = d3.extent(players, player => player.nodes_per_move), y = ends(players.map(player => player.score));
  return {x: [least / 1.6, most * 1.3], y: [Math.max(0, y[0]), y[1]]};
};
