"use strict";
// All charts by name: a function of a report and {width, domain, row} that returns an element. charts.NAME.words says the chart's
// result for those who do not see it. Here is what the charts share: how figures are written,
// and the colours of roles.

const charts = {};

d3.formatDefaultLocale({thousands: ",", grouping: [3], currency: ["", ""], minus: "-"}); // one minus sign in all places

const colours = {champion: "var(--champion)", playoff: "var(--champion)", start: "var(--start)"};
const colour = role => colours[role] ?? "var(--other)";

// The colours of the held-out players by name: champion and start have theirs, the others one after the other.
function coloursOf(report) {
  const players = report.held_out?.players ?? [], others = ["var(--other)", "var(--other2)", "var(--other3)", "var(--other4)"];
  const rest = new Set(players.filter(({role}) => !colours[role]).map(({name}) => name));
  const named = new Map([...rest].map((name, i) => [name, others[i % others.length]]));
  for (const {name, role} of players) if (colours[role]) named.set(name, colours[role]);
  return name => named.get(name) ?? others[0];
}

// The headline's search: the last one that was held out.
const answerSearch = report => report.held_out.players.at(-1)?.search;

// The place of a value in a weight's range, on its scale: 0 is its minimum, 1 its maximum.
const unitOf = (weight, value) => {
  const {min, max, scale} = weight, size = nearZero(weight);
  if (scale === "log") return Math.log(value / min) / Math.log(max / min);
  const at = scale === "ratio" ? x => Math.asinh(x / size) : x => x;
  return (at(value) - at(min)) / (at(max) - at(min));
};
// The number within which a ratio scale is nearly linear.
const nearZero = ({min, max, near}) => near || Math.max(Math.abs(min), Math.abs(max)) / 100;
// The value in the middle of a weight's range, on its scale.
const middleOf = weight => {
  const {min, max, scale} = weight, size = nearZero(weight);
  if (scale === "log") return Math.sign(min) * Math.sqrt(min * max);
  return scale === "ratio" ? size * Math.sinh((Math.asinh(min / size) + Math.asinh(max / size)) / 2) : (min + max) / 2;
};
// The least number of decimals, from the given one on, in which a number that is not 0 is not written as 0.
const sharp = (x, decimals) => x !== 0 && decimals < 9 && +x.toFixed(decimals) === 0 ? sharp(x, decimals + 1) : decimals;

const write = {
  whole: d3.format(",.0f"),
  short: value => d3.format(Math.abs(value) >= 1000 ? "~s" : "~g")(+value.toPrecision(12)), // ticks: 2.5k
  weight: value => String(Number.isInteger(value) ? value : +value.toPrecision(6)),
  // A figure of fitness, and one with its interval: 51,423 [50,827, 52,019].
  fitness: ({scale, decimals, suffix}, value) => d3.format(Math.abs(value) >= 1e15 ? ".3~g" : `,.${sharp(value * scale, decimals)}f`)(value * scale) + (suffix === "%" ? "%" : ""),
  // Without ends there is no interval: the games are too few, or all equal.
  interval: (figure, {low, high}) => low == null && high == null ? "" : ` [${low == null ? "open" : figure(low)}, ${high == null ? "open" : figure(high)}]`,
  estimate: (figure, estimate) => `${figure(estimate.value)}${write.interval(figure, estimate)}`,
  change: share => { // +59%, below a tenth +2.9%
    const percent = 100 * share, digits = sharp(percent, Math.abs(percent) < 10 && Math.abs(percent - Math.round(percent)) > 0.05 ? 1 : 0);
    return `${(+percent.toFixed(digits) > 0 ? "+" : "")}${String(+percent.toFixed(digits) || 0)}%`;
  },
};

// What follows a figure that is written so.
const unitWord = ({suffix}) => suffix === "%" ? "" : suffix;

// Ticks of figures: 50,000 or 0.25.
const ticks = d3.format(",~f");

// The name of the axis of fitness: mean score (points).
const axisOfFitness = ({title, suffix}) => suffix ? `${title} (${suffix})` : title;

// An estimate in the unit in which it is drawn.
const scaled = ({value, low, high}, scale) =>
  ({value: value * scale, low: low == null ? null : low * scale, high: high == null ? null : high * scale});

// The ends of an axis, somewhat beyond what it must show.
function around(values, beyond = 0.04) {
  const [low, high] = d3.extent(values.filter(value => value != null));
  const margin = (high - low || Math.abs(high) || 1) * beyond;
  return [low - margin, high + margin];
}

// A bot may score -1e38 as a penalty. What lies that far below the best would leave no room for the rest.
function usual(values) {
  const finite = values.filter(Number.isFinite), best = d3.max(finite);
  return finite.filter(value => value >= best - 100 * Math.max(Math.abs(best), best - d3.quantile(finite, 0.75)));
}

// The room around values stops at 0, unless a value is below it.
function notBelow0(low, values) {
  return values.some(value => value < 0) ? low : Math.max(low, 0);
}
const ends = estimates => around(estimates.flatMap(({value, low, high}) => [value, low, high]));

// All charts are plots with these settings; their text is as wide in every chart.
const plot = options => Plot.plot({...options, style: {fontSize: "12px", overflow: "visible"}});
const tip = {fontSize: 12, lineHeight: 1.35, stroke: "var(--faint)", pathFilter: "none"};
