"use strict";
// How often the players at the answer's search reach a tile: a dot each, joined, with the share in percent.

function tileRows(report) {
  const {players} = report.held_out, coloured = coloursOf(report);
  const those = players.filter(({search, role}) => search === answerSearch(report) && (role !== "reference")).slice(0, 6);
  const rates = those.flatMap(({name, games, tiles}) => tiles.map(rate => ({name, games, colour: coloured(name), ...rate})));
  // Tiles that all reach, and those that nobody does, say nothing.
  return d3.groups(rates, rate => rate.tile).filter(([, all]) => d3.max(all, r => r.share) > 0 && d3.min(all, r => r.share) < 0.995);
}
const share = d3.format(".1%");

charts.tiles = (report, {width}) => {
  const groups = tileRows(report), rates = groups.flatMap(([, all]) => all), tiles = groups.map(([tile]) => tile);
  const pair = d3.max(groups, ([, all]) => all.length) <= 2, marginLeft = 72, marginRight = pair ? 52 : 16;
  const bounds = groups.map(([tile, all]) => ({tile, low: d3.min(all, r => r.share), high: d3.max(all, r => r.share)}));
  // The share of the lower dot stands left of it, that of the higher one right.
  const end = rate => bounds.find(({tile}) => tile === rate.tile).high === rate.share;
  const narrowest = 0.12 * 520 / width;
  return plot({
    width, height: 34 * tiles.length + 50, marginLeft, marginRight, marginTop: 6, marginBottom: 44,
    x: {domain: [0, 1], label: "share of games", labelAnchor: "center", labelArrow: "none", tickFormat: "~%", ticks: 5, grid: true, tickSize: 0},
    y: {type: "band", domain: tiles, axis: null, padding: 0.1},
    marks: [
      Plot.rect(tiles, {y: d => d, x1: 0, x2: 0, insetLeft: -66, insetRight: 10, rx: 4, fill: tile => `var(--tile-${tile})`, ariaDescription: "tile"}),
      Plot.text(tiles, {y: d => d, x: 0, dx: -38, text: tile => String(tile), fontWeight: 700, fill: tile => tile >= 4096 ? "#f9f6f2" : "#332d26"}),
      Plot.ruleY(bounds, {y: "tile", x1: "low", x2: "high", stroke: "var(--muted)", strokeWidth: 1.5}),
      Plot.ruleY(rates, {y: "tile", x1: "low", x2: "high", stroke: "colour", strokeWidth: 8, strokeOpacity: 0.35, ariaDescription: "interval"}),
      Plot.dot(rates, {y: "tile", x: "share", r: 4.5, fill: "colour", stroke: "var(--paper)", ariaDescription: "rate"}),
      ...pair ? [true, false].map(high => Plot.text(rates.filter(rate => end(rate) === high), {y: "tile", x: high ? "high" : "low", text: rate => share(rate.share), fill: "colour", fontWeight: 600,
        textAnchor: high ? "start" : "end", dx: high ? 7 : -7, filter: rate => high || rate.share > narrowest})) : [],
      Plot.tip(rates, Plot.pointer({y: "tile", x: "share", ...tip, title: r => `${r.name}\n${r.tile}: ${write.estimate(share, {value: r.share, low: r.low, high: r.high})}\n${write.whole(r.games)} games`})),
    ],
  });
};
charts.tiles.words = report => "Games that reach a tile: " + tileRows(report).map(([tile, all]) => `${tile}: ${all.map(r => `${r.name} ${share(r.share)}`).join(", ")}`).join("; ");
