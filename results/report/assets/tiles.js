"use strict";
// How often each player reaches a tile, search by search.

charts.tiles = (report, {width}) => {
  const {players} = report.held_out, coloured = coloursOf(report);
  const searches = d3.groups(players, player => player.search);
  const rates = players.flatMap(({name, search, games, tiles}) => tiles.map(rate => ({name, search, games, ...rate})));
  // Tiles that all reach, and those that nobody does, say nothing.
  const tiles = d3.groups(rates, rate => rate.tile).filter(([, those]) => d3.max(those, r => r.share) > 0 && d3.min(those, r => r.share) < 0.995)
    .map(([tile]) => tile).sort(d3.ascending);
  const shown = rates.filter(rate => tiles.includes(rate.tile));
  const columns = Math.max(1, Math.min(searches.length, Math.floor(width / 340))), inner = Math.floor(width / columns);

  const all = document.createElement("div");
  all.className = "multiples";
  for (const [search, those] of searches) {
    const apart = Math.min(9, inner / tiles.length / (those.length + 1));
    all.append(plot({
      width: inner, height: 230, marginLeft: 46, marginRight: 14, marginTop: 42, marginBottom: 42,
      x: {type: "point", domain: tiles, padding: 0.6, label: "tile reached", labelAnchor: "center", labelArrow: "none", tickFormat: inner < 45 * tiles.length ? write.short : ",", tickSize: 0},
      y: {domain: [0, 1], label: null, grid: true, ticks: 5},
      marks: [
        Plot.axisY({label: null, tickFormat: "~%", ticks: 5, tickSize: 0}),
        Plot.text([search], {frameAnchor: "top-left", dx: -46, dy: -40, textAnchor: "start", fill: "var(--ink)", fontWeight: 600, lineWidth: inner / 12, textOverflow: "ellipsis"}),
        Plot.text(["share of games"], {frameAnchor: "top-left", dx: -46, dy: -24, textAnchor: "start"}),
        ...those.flatMap(({name}, i) => {
          const dx = (i - (those.length - 1) / 2) * apart, mine = shown.filter(rate => rate.search === search && rate.name === name);
          return [
            Plot.lineY(mine, {x: "tile", y: "share", dx, stroke: coloured(name), strokeOpacity: 0.35, ariaDescription: "player"}),
            Plot.ruleX(mine, {x: "tile", y1: "low", y2: "high", dx, stroke: coloured(name), strokeWidth: 8, strokeOpacity: 0.35, ariaDescription: "interval"}),
            Plot.dot(mine, {x: "tile", y: "share", dx, r: 2.2, fill: coloured(name), ariaDescription: "rate"}),
          ];
        }),
        Plot.tip(shown.filter(rate => rate.search === search), Plot.pointer({x: "tile", y: "share", ...tip,
          title: r => `${r.name}\n${write.whole(r.tile)}: ${write.estimate(d3.format(".1%"), {value: r.share, low: r.low, high: r.high})}\n${write.whole(r.games)} games`})),
      ],
    }));
  }
  return all;
};
