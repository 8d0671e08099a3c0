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

  // The keys of captions: the players of a chart with their colours.
  function fillKeys(all) {
    for (const place of document.querySelectorAll("[data-keys]")) {
      const {keys, run} = place.dataset, report = all[run], coloured = coloursOf(report);
      const names = keys === "games" ? report.games.distribution.map(({player}) => player) : report.held_out.players.map(({name}) => name);
      place.replaceChildren(...Array.from(new Set(names), name => {
        const key = document.createElement("bdi");
        key.className = "key";
        key.style.setProperty("--key", coloured(name));
        key.textContent = name;
        return key;
      }).flatMap((key, i) => i ? [" ", key] : [key]));
    }
  }

  const widths = new WeakMap();
  function draw(divs, given) {
    const all = reports(), domains = new Map();
    fillKeys(all);
    const sizes = divs.map(div => given ?? div.clientWidth);
    divs.forEach((div, i) => {
      const width = sizes[i], {chart, run, row} = div.dataset, report = all[run], key = `${chart} ${report.unit.title}`;
      widths.set(div, width);
      if (width < 60) return;
      if (!domains.has(key)) domains.set(key, domainOf(chart, report.unit, all));
      div.replaceChildren(charts[chart](report, {width, domain: domains.get(key), row, all}));
      thin(div);
    });
  }
  const divs = () => [...document.querySelectorAll("[data-chart]")];

  let waiting;
  const observer = new ResizeObserver(() => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (!printing) draw(divs().filter(div => Math.abs(div.clientWidth - widths.get(div)) >= 1));
    }, 120);
  });
  function watch() {
    observer.disconnect();
    for (const div of divs()) observer.observe(div);
  }

  // On paper charts are as wide as their places are there; afterwards as they were.
  let printing = false;
  const paper = 670; // CSS pixels between the margins of A4 and of letter
  addEventListener("beforeprint", () => {
    printing = true;
    for (const div of divs()) draw([div], Math.floor(paper * div.clientWidth / div.closest("figure").clientWidth));
  });
  addEventListener("afterprint", () => {
    printing = false;
    draw(divs());
  });

  const parts = root => [...root.querySelectorAll("header[id], section[id]")];
  const sources = new Map(); // by id: the HTML that a part was made from, before charts were drawn into it
  const live = document.getElementById("reached");
  if (live) for (const part of parts(document)) sources.set(part.id, part.outerHTML);

  draw(divs());
  watch();
  if (!live) return;

  // Takes over what changed of the page: what is open stays open, what plays goes on, and what one looks at stays where it is.
  function take(page) {
    const seen = parts(document).find(part => part.getBoundingClientRect().bottom > 0), top = seen?.getBoundingClientRect().top;
    const fresh = [];
    for (const part of parts(page)) {
      const old = document.getElementById(part.id), source = part.outerHTML;
      if (!old || source === sources.get(part.id)) continue;
      sources.set(part.id, source);
      const was = [...old.querySelectorAll("details")];
      part.querySelectorAll("details").forEach((details, i) => { details.open = was[i]?.open ?? false; });
      const games = host => host.querySelector("script")?.textContent, replays = [...old.querySelectorAll(".replay")];
      for (const place of part.querySelectorAll(".replay")) {
        const same = replays.find(replay => games(replay) === games(place));
        if (same) place.replaceWith(same);
      }
      old.replaceWith(part);
      fresh.push(part);
    }
    if (!fresh.length) return false;
    draw(fresh.flatMap(part => [...part.querySelectorAll("[data-chart]")]));
    fresh.forEach(fillReplays);
    watch();
    const now = seen && document.getElementById(seen.id);
    if (now) scrollBy({top: now.getBoundingClientRect().top - top, behavior: "instant"});
    return true;
  }

  // Asks for the page again: every 2 s while it changes, less and less often while it does not or cannot be reached, and not while
  // nobody looks.
  const soonest = 2000, latest = 30000;
  let pause = soonest, timer, tag, reached = new Date(), asking = false;
  const clock = time => time.toLocaleTimeString([], {hour: "2-digit", minute: "2-digit"});
  async function ask() {
    if (asking || document.hidden) return;
    asking = true;
    let changed = false, said = "";
    try {
      const answer = await fetch(location.href, {cache: "no-store", headers: tag ? {"If-None-Match": tag} : {}, signal: AbortSignal.timeout(20000)});
      if (answer.ok) {
        changed = take(new DOMParser().parseFromString(await answer.text(), "text/html"));
        tag = answer.headers.get("ETag");
      } else if (answer.status === 404) {
        said = "this run is no longer there; what it was stays here until you leave";
      } else if (answer.status !== 304) {
        said = `the server answers ${answer.status}, trying again`;
      }
      reached = new Date();
    } catch {
      said = `not reached since ${clock(reached)}, trying again`;
    }
    if (live.textContent !== said) live.textContent = said;
    pause = changed ? soonest : Math.min(latest, pause * 1.3);
    asking = false;
    timer = setTimeout(ask, pause);
  }
  timer = setTimeout(ask, pause);
  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    pause = soonest;
    ask();
  });
})();
