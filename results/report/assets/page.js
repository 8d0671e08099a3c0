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

  // Where a run is: the figures of #live, of the page at first and then of the server.
  let recent = []; // what the server said in the last half minute
  function showLive(status) {
    const place = document.getElementById("live");
    place.hidden = status.state !== "running";
    if (place.hidden) return;
    recent = recent.filter(({updated}) => new Date(status.updated) - new Date(updated) < 30000);
    const before = recent[0] ?? {games: 0, updated: status.updated}, seconds = (new Date(status.updated) - new Date(before.updated)) / 1000;
    const rate = seconds > 0 ? (status.games - before.games) / seconds : status.took > 0 ? status.games / status.took : null;
    if (recent.at(-1)?.updated !== status.updated) recent.push(status);
    for (const {name, value} of status.figures) place.querySelector(`[data-figure="${name}"]`).textContent = value;
    place.querySelector('[data-figure="games a second"]').textContent = rate == null ? "…" : d3.format(rate < 10 ? ".2~r" : ",.0f")(rate);
    place.querySelector(".doing").textContent = "Now: " + (status.games ? status.doing : "the first games are being played");
    place.querySelector(".then").textContent = status.then ? `Then: ${status.then}` : "";
    const end = status.left == null ? null : new Date(+new Date(status.updated) + 1000 * status.left);
    place.querySelector('[data-figure="ends about"]').textContent = end > Date.now() ? end.toLocaleString([], {weekday: status.left > 43200 ? "short" : undefined, hour: "2-digit", minute: "2-digit"}) : "…";
    showSoFar(status);
    place.querySelector("progress").value = status.done ?? 0;
    const stale = place.querySelector(".stale"), quiet = (Date.now() - new Date(status.updated)) / 60000;
    stale.hidden = !(quiet >= silence);
    if (!stale.hidden) stale.textContent = `No news for ${Math.floor(quiet)} minutes: the run may be dead, or it plays long games.`;
    // The rest of the page takes longer to make than the status, and is made less often.
    const age = place.querySelector(".age"), made = new Date(document.getElementById("top").dataset.updated);
    age.hidden = !(new Date(status.updated) - made >= old);
    if (!age.hidden) age.textContent = `The figures below are as of ${made.toLocaleTimeString()}.`;
  }
  // The page has the same figure as its newest status, also where it was made before.
  function showSoFar({centre}) {
    const lead = document.querySelector(".lead"), sure = document.querySelector(".sure");
    if (!centre || lead.textContent === centre.lead) return;
    [lead.textContent, sure.textContent, sure.hidden] = [centre.lead, centre.sure, false];
    document.getElementById("top").dataset.title = document.title = document.title.replace(/^.*: /, () => `${centre.lead}: `);
    const {held_out} = report();
    held_out.drawn = centre.gain ? [centre.gain] : [];
    const place = document.querySelector("[data-chart=gain]");
    if (place && centre.gain) draw([place]);
  }
  const old = 10000; // milliseconds from which on the page says how old it is
  const silence = 5; // minutes after which a run that records nothing may be dead

  const parts = root => [...root.querySelectorAll("section[id]:not(#live)")];
  const sources = new Map(); // by id: the HTML that a part was made from, before charts were drawn into it
  const live = document.getElementById("reached");
  if (live) for (const part of parts(document)) sources.set(part.id, part.outerHTML);

  draw(divs());
  watch();
  localTimes(document);
  showLive(report().status);

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
  // The two weights of the map.
  document.addEventListener("change", event => {
    const {axis} = event.target.dataset;
    if (!axis) return;
    picked[axis] = event.target.value;
    draw([...document.querySelectorAll("[data-chart=map]")]);
  });
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
    localTimes(document);
    announce();
    draw(fresh.flatMap(part => [...part.querySelectorAll("[data-chart]")]));
    fresh.forEach(fillReplays);
    watch();
    if (running() && recent.length) showSoFar(recent.at(-1));
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

  announce();

  // Asks every two seconds where the run is. When it is elsewhere, the page is asked for at once.
  let doing = report().status.doing;
  setInterval(async () => {
    if (document.hidden || !running()) return;
    try {
      const answer = await fetch(location.pathname.replace(/\/?$/, "/now.json"), {cache: "no-store", signal: AbortSignal.timeout(10000)});
      if (!answer.ok) return; // the page says why
      const status = await answer.json();
      showLive(status);
      if (status.doing !== doing || status.state !== "running") pause = soonest, clearTimeout(timer), ask();
      doing = status.doing;
    } catch {} // the page says that the server is away
  }, 2000);

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
