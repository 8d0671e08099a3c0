"use strict";
// The scores of held-out games as histograms, one over the other.

const steps = ({player, games, width, counts}) =>
  counts.map((count, i) => ({player, from: i * width, to: (i + 1) * width, count, share: count / games}));

charts.distribution = (report, {width, domain}) => {
  const {distribution} = report.games, coloured = coloursOf(report);
  return plot({
    width, height: Math.round(Math.min(300, 170 + width * 0.16)), marginLeft: 44, marginRight: 16, marginTop: 34, marginBottom: 46,
    x: {domain: domain.x, label: "score (points)", labelAnchor: "center", labelArrow: "none", tickFormat: ticks, ticks: width / 100},
    y: {domain: domain.y, label: null, ticks: 4, grid: true},
    marks: [
      Plot.axisY({label: null, tickFormat: "~%", ticks: 4, tickSize: 0}),
      Plot.text(["share of games"], {frameAnchor: "top-left", dx: -44, dy: -32, textAnchor: "start"}),
      // The start first: the champion lies over it.
      ...distribution.toReversed().map(one => Plot.rectY(steps(one), {
        x1: "from", x2: "to", y1: 0, y2: "share", fill: coloured(one.player), fillOpacity: 0.38, insetLeft: 0.5, insetRight: 0.5, ariaDescription: "games",
      })),
      Plot.ruleX(distribution, {x: "median", stroke: one => coloured(one.player), strokeWidth: 2, ariaDescription: "median"}),
      // The lower median's figure stands left of it, the upper one's right.
      ...d3.sort(distribution, one => one.median).map((one, i) => Plot.text([one], {
        x: "median", text: ({median}) => write.whole(median), frameAnchor: "top", dy: -14, dx: i ? 3 : -3, textAnchor: i ? "start" : "end",
        fill: coloured(one.player), fontWeight: 600,
      })),
      Plot.ruleY([0], {stroke: "var(--muted)"}),
      Plot.tip(distribution.flatMap(steps).filter(step => step.count), Plot.pointer({x: step => (step.from + step.to) / 2, y: "share", ...tip,
        title: step => `${step.player}\n${write.whole(step.from)} to ${write.whole(step.to - 1)} points\n${write.whole(step.count)} games, ${d3.format(".1%")(step.share)}`})),
    ],
  });
};
charts.distribution.domain = report => {
  const all = report.games.distribution.flatMap(steps);
  return {x: [0, d3.max(all, step => step.to)], y: [0, d3.max(all, step => step.share) * 1.04]};
};
