"use strict";
// Draws the charts of the page, and on a live page keeps it up to date.

(() => {
  const parsed = new WeakMap(); // by the <script> that holds the JSON

  // The report, as far as its sections are there: {unit, held_out ...}.
  function report() {
    const made = {};
    for (const script of document.querySelectorAll("script[data-part]")) {
      if (!parsed.has(script)) parsed.set(script, JSON.parse(script.textContent));
      made[script.dataset.part] = parsed.get(script);
    }
    return made;
  }

  // The keys of captions: the players of a chart with their colours.
  function fillKeys(report) {
    for (const place of document.querySelectorAll("[data-keys]")) {
      const coloured = coloursOf(report);
      const names = report.held_out.players.filter(({search, role}) => search === answerSearch(report) && role !== "reference").map(({name}) => name);
      place.replaceChildren(...Array.from(new Set(names), name => {
        const key = document.createElement("bdi");
        key.className = "key";
        key.style.setProperty("--key", coloured(name));
        key.textContent = name;
        return key;
      }).flatMap((key, i) => i ? [" ", key] : [key]));
    }
  }

  // The table behind a chart, made when somebody wants to see it.
  function figures(div, rows) {
    const caption = div.nextElementSibling?.matches("figcaption") ? div.nextElementSibling : div;
    if (caption.nextElementSibling?.matches(".behind")) return;
    const details = document.createElement("details"), summary = document.createElement("summary");
    details.className = "behind made";
    summary.textContent = "The figures";
    details.append(summary);
    details.addEventListener("toggle", () => {
      if (!details.open || details.querySelector("table")) return;
      const table = document.createElement("table"), place = document.createElement("div");
      rows().forEach((cells, i) => {
        const line = (i ? table.tBodies[0] ?? table.createTBody() : table.createTHead()).insertRow();
        for (const text of cells) {
          const cell = document.createElement(i ? "td" : "th");
          if (!i) cell.scope = "col";
          cell.textContent = text;
          line.append(cell);
        }
      });
      place.className = "wide";
      place.tabIndex = 0;
      place.role = "group";
      place.ariaLabel = "the figures";
      place.append(table);
      details.append(place);
    });
    caption.after(details);
  }

  const widths = new WeakMap();
  function draw(divs, given) {
    const now = report();
    fillKeys(now);
    const sizes = divs.map(div => given ?? div.clientWidth);
    divs.forEach((div, i) => {
      const width = sizes[i], {chart, row} = div.dataset;
      widths.set(div, width);
      if (width < 60) return;
      div.replaceChildren(charts[chart](now, {width, domain: charts[chart].domain?.(now), row}));
      for (const svg of div.querySelectorAll("svg")) svg.setAttribute("aria-hidden", "true"); // the words say it all
      div.setAttribute("role", "img");
      div.setAttribute("aria-label", charts[chart].words(now, row));
      if (charts[chart].rows) figures(div, () => charts[chart].rows(report()));
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
    for (const div of divs().filter(div => div.clientWidth)) draw([div], Math.floor(paper * div.clientWidth / div.closest("figure").clientWidth));
  });
  addEventListener("afterprint", () => {
    printing = false;
    draw(divs());
  });

  const localTimes = root => {
    for (const time of root.querySelectorAll("time[datetime]")) time.textContent = new Date(time.dateTime).toLocaleString([], {dateStyle: "medium", timeStyle: "short"});
  };

  const parts = root => [...root.querySelectorAll("section[id]")];
  const sources = new Map(); // by id: the HTML that a part was made from, before charts were drawn into it
  const live = document.getElementById("reached");
  if (live) for (const part of parts(document)) sources.set(part.id, part.outerHTML);

  draw(divs());
  watch();
  localTimes(document);

  // Buttons that copy a command or a config.
  document.addEventListener("click", async event => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const was = button.textContent;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "copied";
    } catch {
      button.textContent = "not allowed here";
    }
    setTimeout(() => { button.textContent = was; }, 1500);
  });
  // What is folded has no width to be drawn in until somebody opens it.
  document.addEventListener("toggle", event => {
    if (event.target.open) draw([...event.target.querySelectorAll("[data-chart]")]);
  }, true);
  if (!live) return;

  // Takes over what changed of the page: what is open stays open, what plays goes on, and what one looks at stays where it is.
  function take(page) {
    const seen = parts(document).find(part => part.id !== "live" && part.getBoundingClientRect().bottom > 0), top = seen?.getBoundingClientRect().top;
    const fresh = [];
    for (const part of parts(page)) {
      const old = document.getElementById(part.id), source = part.outerHTML;
      if (!old || source === sources.get(part.id)) continue;
      sources.set(part.id, source);
      const was = [...old.querySelectorAll("details:not(.made)")]; // those of charts are made anew
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
    localTimes(document);
    announce();
    draw(fresh.flatMap(part => [...part.querySelectorAll("[data-chart]")]));
    fresh.forEach(fillReplays);
    watch();
    const now = seen && document.getElementById(seen.id);
    if (now) scrollBy({top: now.getBoundingClientRect().top - top, behavior: "instant"});
    return true;
  }

  // The tab says the verdict, or how far the run is. Who asked for it is told of the end.
  const top = () => document.getElementById("top");
  const running = () => top().dataset.state === "running";
  let was = running();
  function announce() {
    document.title = top().dataset.title;
    if (was && !running() && window.Notification?.permission === "granted") new Notification(document.title, {body: document.querySelector(".lead")?.textContent});
    was = running();
    notify.hidden = !was || window.Notification?.permission !== "default";
  }
  const notify = document.getElementById("notify");
  notify.addEventListener("click", async () => {
    await Notification.requestPermission();
    announce();
  });

  // A run that records nothing for long may be dead.
  const silence = 5; // minutes
  setInterval(() => {
    const stale = document.querySelector(".stale"), quiet = (Date.now() - new Date(top().dataset.updated)) / 60000;
    if (!stale) return;
    stale.hidden = !(quiet >= silence);
    if (!stale.hidden) stale.textContent = `No news for ${Math.floor(quiet)} minutes: the run may be dead, or it plays long games.`;
  }, 5000);
  announce();

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
