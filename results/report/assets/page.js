"use strict";
// Draws the charts of the page, and on a live page keeps it up to date.

(() => {
  const parsed = new WeakMap(); // by the <script> that holds the JSON

  // The reports of the page by their index, each as far as its sections are there: {unit, held_out ...}.
  function reports() {
    const all = [];
    for (const script of document.querySelectorAll("script[data-part]")) {
      if (!parsed.has(script)) parsed.set(script, JSON.parse(script.textContent));
      (all[script.dataset.run] ??= {})[script.dataset.part] = parsed.get(script);
    }
    return all;
  }

  // Charts of the same name and unit have the same axes, so that runs side by side can be compared.
  function domainOf(name, unit, all) {
    const domain = {};
    if (!charts[name].domain) return domain;
    for (const div of document.querySelectorAll(`[data-chart="${name}"]`)) {
      const report = all[div.dataset.run];
      if (report.unit.title !== unit.title) continue;
      for (const [axis, ends] of Object.entries(charts[name].domain(report))) domain[axis] = d3.extent([...domain[axis] ?? [], ...ends]);
    }
    return domain;
  }

  // Names that would lie over one another: the first stays.
  function thin(chart) {
    const kept = [];
    for (const text of chart.querySelectorAll('[aria-description="names"] text')) {
      const box = text.getBoundingClientRect();
      const hit = other => box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom;
      if (kept.some(hit)) text.remove(); else kept.push(box);
    }
  }

  const widths = new WeakMap();
  function draw(divs, given) {
    const all = reports(), domains = new Map();
    const sizes = divs.map(div => given ?? div.clientWidth);
    divs.forEach((div, i) => {
      const width = sizes[i], {chart, run, index} = div.dataset, report = all[run], key = `${chart} ${report.unit.title}`;
      widths.set(div, width);
      if (width < 60) return;
      if (!domains.has(key)) domains.set(key, domainOf(chart, report.unit, all));
      div.replaceChildren(charts[chart](report, {width: Math.min(width, given ?? width), domain: domains.get(key), index}));
      thin(div);
    });
  }
  const divs = () => [...document.querySelectorAll("[data-chart]")];

  let waiting;
  const observer = new ResizeObserver(() => {
    clearTimeout(waiting);
    waiting = setTimeout(() => draw(divs().filter(div => Math.abs(div.clientWidth - widths.get(div)) >= 1)), 120);
  });
  function watch() {
    observer.disconnect();
    for (const div of divs()) observer.observe(div);
  }

  draw(divs());
  watch();
})();
