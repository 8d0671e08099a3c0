"use strict";
// The scores of held-out games as histograms, one over the other.

const roleOf = (report, name) => (report.held_out?.players ?? []).find(player => player.name === name)?.role;

function steps(report) {
  return report.games.distribution.flatMap(({player, games, width, counts}) =>
    counts.map((count, i) => ({player, role: roleOf(report, player), from: i * width, to: (i + 1) * width, count, share: count / games})));
}

charts.distribution = (report, {width, domain}) => plot({
  width, height: Math.round(Math.min(300, 170 + width * 0.16)), marginLeft: 44, marginRight: 16, marginTop: 34, marginBottom: 46,
  x: {domain: domain.x, label: "score (points)", labelAnchor: "center", labelArrow: "none", tickFormat: ticks, ticks: width / 100},
  y: {domain: domain.y, label: null, tickFormat: "~%", ticks: 4, grid: true, tickSize: 0},
  marks: [
    Plot.axisY({label: null, tickFormat: "~%", ticks: 4, tickSize: 0}),
    Plot.text(["share of games"], {frameAnchor: "top-left", dx: -44, dy: -32, textAnchor: "start"}),
    // The start first: the champion lies over it.
    ...[...report.games.distribution].reverse().map(({player}) => Plot.rectY(steps(report).filter(step => step.player === player), {
      x1: "from", x2: "to", y: "share", fill: step => colour(step.role), fillOpacity: 0.38, insetLeft: 0.5, insetRight: 0.5, ariaDescription: "games",
    })),
    Plot.ruleX(report.games.distribution, {x: "median", stroke: d => colour(roleOf(report, d.player)), strokeWidth: 2, ariaDescription: "median"}),
    // The lower median's figure stands left of it, the upper one's right.
    ...d3.sort(report.games.distribution, d => d.median).map((d, i) => Plot.text([d], {
      x: "median", text: d => write.whole(d.median), frameAnchor: "top", dy: -14, dx: i ? 3 : -3, textAnchor: i ? "start" : "end", fill: colour(roleOf(report, d.player)), fontWeight: 600,
    })),
    Plot.ruleY([0], {stroke: "var(--muted)"}),
    Plot.tip(steps(report).filter(step => step.count), Plot.pointer({x: step => (step.from + step.to) / 2, y: "share", ...tip,
      title: step => `${step.player}\n${write.whole(step.from)} to ${write.whole(step.to - 1)} points\n${write.whole(step.count)} games, ${d3.format(".1%")(step.share)}`})),
  ],
});
charts.distribution.domain = report => ({x: [0, d3.max(steps(report), step => step.to)], y: [0, d3.max(steps(report), step => step.share) * 1.04]});
