"use strict";
// Every player on held-out games, search by search; hollow beside the champion what the playoff flattered it by.

function heldOutRows(report) {
  const {unit, held_out: {players, playoff}} = report, coloured = coloursOf(report);
  const figure = value => write.fitness({...unit, scale: 1}, value);
  const row = player => ({
    label: player.name, colour: player.role === "playoff" ? colour("champion") : coloured(player.name), hollow: player.role === "playoff", estimate: scaled(player.fitness, unit.scale),
    title: `${player.name}\n${player.search}\n${write.estimate(figure, scaled(player.fitness, unit.scale))} ${unitWord(unit)}\n${write.whole(player.games)} games`,
  });
  const rows = [];
  const searches = d3.group(playoff ? [...players, {...playoff, role: "playoff"}] : players, player => player.search);
  for (const [search, those] of searches) {
    rows.push({heading: search});
    const first = those.filter(player => player.role === "champion" || player.role === "playoff");
    for (const player of new Set([...first, ...those])) rows.push(row(player));
  }
  return {rows, figure};
}

charts.heldOut = (report, {width, domain}) => {
  const {rows, figure} = heldOutRows(report);
  return forest(rows, {width, domain: domain.x, figure, label: axisOfFitness(report.unit), tickFormat: ticks});
};
charts.heldOut.domain = report => ({x: ends(heldOutRows(report).rows.flatMap(row => row.estimate ?? []))});
