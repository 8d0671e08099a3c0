"use strict";
// A forest plot: a row for each estimate with its interval as a bar, and its figures in a column at the right where there is room.
// Rows are {label, estimate, colour, hollow, title} or, to head those below, {heading}.

function forest(rows, {width, domain, label, figure, tickFormat, zero}) {
  const wide = width >= 560, size = 12;
  const longest = d3.max(rows, row => row.label?.length ?? 0);
  const marginLeft = Math.min(longest * size * 0.56 + 16, width * 0.42), marginRight = wide ? 175 : 64;
  const some = Math.max(2, (width - marginLeft - marginRight) / 80);
  const estimates = rows.map((row, y) => ({...row, y})).filter(row => row.estimate);
  const [left, right] = domain;
  const text = {fontVariant: "tabular-nums", fill: "var(--ink)"};
  const height = rows.length * 27 + 58;
  return plot({
    width, height, marginLeft, marginRight, marginTop: 8, marginBottom: 44,
    x: {domain, label, labelAnchor: "center", labelArrow: "none", tickFormat, ticks: some},
    y: {domain: d3.range(rows.length), axis: null, type: "band"},
    marks: [
      Plot.gridX({ticks: some}),
      zero === undefined ? null : Plot.ruleX([zero], {stroke: "var(--muted)"}),
      Plot.text(rows.flatMap((row, y) => row.heading ? [{y, text: row.heading}] : []), {
        y: "y", text: "text", frameAnchor: "left", dx: -marginLeft, textAnchor: "start", fontWeight: 600, fill: "var(--ink)",
        lineWidth: (width - 8) / size, textOverflow: "ellipsis",
      }),
      Plot.text(estimates, {
        y: "y", text: "label", frameAnchor: "left", dx: -10, textAnchor: "end", fill: "var(--ink)",
        lineWidth: (marginLeft - 12) / size, textOverflow: "ellipsis", title: "label",
      }),
      // An open end runs to the edge of the frame.
      Plot.ruleY(estimates, {
        y: "y", x1: row => row.estimate.low ?? left, x2: row => row.estimate.high ?? right, ariaDescription: "interval",
        stroke: "colour", strokeWidth: 11, strokeOpacity: row => row.hollow ? 0.2 : 0.35,
      }),
      Plot.dot(estimates, {
        y: "y", x: row => row.estimate.value, r: 3, strokeWidth: 1.5, ariaDescription: "estimate",
        stroke: "colour", fill: row => row.hollow ? "var(--paper)" : row.colour,
      }),
      Plot.text(estimates, {
        y: "y", text: row => wide ? write.estimate(figure, row.estimate) : figure(row.estimate.value),
        frameAnchor: "right", dx: marginRight, textAnchor: "end", ...text,
      }),
      Plot.tip(estimates, Plot.pointerY({y: "y", x: row => row.estimate.value, title: "title", ...tip})),
    ],
  });
}
