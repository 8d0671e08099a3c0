// The replays of a page: each <div class="replay"> holds a JSON script with one or several games (report.Replay), of which one
// is shown at a time. A game without a record is asked for, at data-src + its id + ".json", when somebody first wants to move.
// fillReplays(root) fills those below root that are not filled yet; a filled one may be moved about in the page as it plays.
"use strict";
(() => {
  const directions = [["up", "↑"], ["down", "↓"], ["left", "←"], ["right", "→"]];
  const speeds = [2, 5, 10, 20, 60, 240]; // moves per second
  const slidesUpTo = 10; // moves per second at which the eye can still follow a tile that slides
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  const whole = new Intl.NumberFormat("en-US");
  const compact = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 4, notation: "compact" });
  function figure(v, digits) {
    const format = Math.abs(v) < 1e7 ? new Intl.NumberFormat("en-US", { maximumSignificantDigits: digits }) : compact;
    return format.format(v);
  }

  // element makes one: attributes as they are, "on..." as listeners.
  function element(tag, attributes = {}, ...children) {
    const e = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "function") e.addEventListener(name.slice(2), value);
      else e.setAttribute(name, value);
    }
    e.append(...children);
    return e;
  }

  // Icons, as paths in a square of 16.
  const icons = {
    start: "M3 3v10h2V3zM13 3v10L6 8z", back: "M11 3v10L4 8z", play: "M4 2.5v11L13 8z", pause: "M4 3v10h3V3zM9 3v10h3V3z",
    on: "M5 3v10l7-5z", end: "M3 3v10l7-5zM11 3v10h2V3z",
  };
  function icon(name) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"), path = document.createElementNS(svg.namespaceURI, "path");
    svg.setAttribute("viewBox", "0 0 16 16");
    path.setAttribute("d", icons[name]);
    svg.append(path);
    return svg;
  }

  // By direction and line: the cells of the line in the order in which its tiles are met from the side they slide to.
  const cells = directions.map((_, direction) => [0, 1, 2, 3].map((line) => [0, 1, 2, 3].map((k) =>
    [4 * k + line, 4 * (3 - k) + line, 4 * line + k, 4 * line + 3 - k][direction])));

  // slide plays a move on a board of 16 faces: the afterstate, the points, and for each cell the farthest one that its tile came from.
  function slide(board, direction) {
    const after = new Array(16).fill(0), from = new Array(16).fill(-1);
    let points = 0;
    for (const way of cells[direction]) {
      let n = 0, mergeable = false;
      for (const cell of way) {
        const face = board[cell];
        if (!face) continue;
        if (mergeable && after[way[n - 1]] === face) {
          after[way[n - 1]] = 2 * face;
          from[way[n - 1]] = cell;
          points += 2 * face;
          mergeable = false;
        } else {
          after[way[n]] = face;
          from[way[n]] = cell;
          mergeable = true;
          n++;
        }
      }
    }
    return { after, points, from };
  }

  function bytes(base64) {
    const text = atob(base64), all = new Uint8Array(text.length);
    for (let i = 0; i < all.length; i++) all[i] = text.charCodeAt(i);
    return all;
  }

  // unroll has all boards of a record, 16 faces each, so that any move of a long game is there at once.
  function unroll(record) {
    const packed = bytes(record.boards), moves = bytes(record.moves), values = new DataView(bytes(record.values).buffer);
    const boards = Uint32Array.from({ length: 2 * packed.length }, (_, i) => (1 << ((packed[i >> 1] >> (4 * (i & 1))) & 15)) & ~1);
    const board = (at) => boards.subarray(16 * at, 16 * at + 16), scores = new Uint32Array(moves.length + 1);
    moves.forEach((move, at) => {
      const { after, points } = slide(board(at), move);
      if (after.includes(65536)) board(at + 1).set(after); // which a packed board cannot hold
      scores[at + 1] = scores[at] + points;
    });
    const game = {
      moves: moves.length,
      board,
      score: (at) => scores[at],
      move: (at) => moves[at],
      value: (at, direction) => values.getFloat32(16 * at + 4 * direction, true), // NaN: illegal
    };
    // The bars are drawn to one measure through the game: nine of ten moves not chosen are worse by less.
    const losses = new Float32Array(3 * game.moves);
    let n = 0;
    for (let at = 0; at < game.moves; at++) {
      for (let d = 0; d < 4; d++) {
        const loss = game.value(at, game.move(at)) - game.value(at, d);
        if (d !== game.move(at) && loss === loss) losses[n++] = loss;
      }
    }
    game.measure = losses.subarray(0, n).sort()[Math.floor(0.9 * n)] || 1;
    // The moves after which a tile was there for the first time.
    game.milestones = [];
    for (let at = 0, highest = 256; at <= game.moves; at++) {
      for (const face of game.board(at)) {
        if (face > highest) {
          highest = face;
          game.milestones.push({ at, face });
        }
      }
    }
    return game;
  }

  const tile = (face) => element("div", { class: "tile", "data-face": face }, face ? String(face) : "");

  function describe(board) {
    const rows = [0, 4, 8, 12].map((i) => Array.from(board.slice(i, i + 4), (face) => face || "blank").join(" "));
    return "Board: " + rows.join("; ");
  }

  function fill(host) {
    const games = JSON.parse(host.querySelector("script[type='application/json']").textContent);
    if (games.length === 0) return;
    const unrolled = new Map(); // by game id
    let shown = games[0], game = null; // game: shown, unrolled; null until its record is there
    let at = 0; // moves played
    let speed = 2; // of speeds
    let seen = false, playing = false, owed = 0, last = 0; // seen: the place was on a screen; owed: moves that are due, in fractions

    const tiles = Array.from({ length: 16 }, () => tile(0));
    const board = element("div", { class: "replay-board", role: "img" }, ...tiles);
    const score = element("dd"), number = element("dd"), worth = element("dd"), about = element("dd");
    const rows = directions.map(([name, arrow]) => {
      const bar = element("span", { class: "replay-bar" }), value = element("td", { class: "replay-value" });
      const row = element("tr", {}, element("th", { scope: "row" }, element("span", { "aria-hidden": "true" }, arrow), " " + name),
        element("td", { class: "replay-track", "aria-hidden": "true" }, bar), value);
      return { row, bar, value };
    });
    const message = element("p", { class: "replay-message", role: "status" });
    const button = (label, name, onclick) => element("button", { type: "button", "aria-label": label, title: label, onclick }, icon(name));
    const toggle = button("play", "play", () => press());
    const slider = element("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "move", oninput: () => jump(slider.valueAsNumber) });
    const line = document.createElementNS("http://www.w3.org/2000/svg", "svg"), path = document.createElementNS(line.namespaceURI, "path");
    line.setAttribute("viewBox", "0 0 100 100");
    line.setAttribute("preserveAspectRatio", "none");
    line.setAttribute("aria-hidden", "true");
    line.append(path);
    const marks = element("div", { class: "replay-marks" });
    const pace = element("select", { "aria-label": "speed", title: "speed", onchange: () => { speed = pace.selectedIndex; } },
      ...speeds.map((s) => element("option", {}, s + " moves/s")));
    pace.selectedIndex = speed;
    const choices = games.map((g) => element("button", { type: "button", class: "replay-choice", onclick: () => choose(g) },
      element("span", {}, g.which), element("b", {}, whole.format(g.score))));
    const stage = element("div", { class: "replay-stage", tabindex: 0, role: "group", "aria-keyshortcuts": "Space ArrowLeft ArrowRight Home End + -" }, board,
      element("div", { class: "replay-controls" },
        button("to the start", "start", () => jump(0)), button("one move back", "back", () => jump(at - 1)), toggle,
        button("one move on", "on", () => jump(at + 1, true)), button("to the end", "end", () => jump(Infinity)), pace,
        element("span", { class: "replay-keys" }, ...[["space", "play"], ["← →", "a move"], ["+ −", "speed"]].flatMap(([key, does]) => [element("kbd", {}, key), ` ${does} `])),
        element("div", { class: "replay-scrub" }, line, slider, marks), message),
      element("div", { class: "replay-side" },
        element("dl", {}, element("div", {}, element("dt", {}, "score"), score), element("div", {}, element("dt", {}, "move"), number),
          element("div", {}, element("dt", {}, "value"), worth),
          element("div", {}, element("dt", {}, "game"), about)),
        element("table", { class: "replay-values" },
          element("caption", {}, "What each move would lose against the one that the search chose, by its value."),
          element("tbody", {}, ...rows.map((r) => r.row)))));
    board.addEventListener("click", () => press());
    // A swipe to the left goes a move on, to the right a move back.
    let touched = null;
    board.addEventListener("touchstart", (event) => { touched = event.touches[0].clientX; }, { passive: true });
    board.addEventListener("touchend", (event) => {
      const by = event.changedTouches[0].clientX - touched;
      if (Math.abs(by) < 24) return;
      event.preventDefault(); // no click
      jump(at + (by < 0 ? 1 : -1), by < 0);
    });
    const player = element("div", { class: "replay-player" },
      element("div", { class: "replay-choices", role: "group", "aria-label": "game" }, ...choices), stage);
    const paper = element("div", { class: "replay-paper", "aria-hidden": "true" }, ...games.map((g) => element("figure", {},
      element("div", { class: "replay-board" }, ...g.final.map(tile)),
      element("figcaption", {}, `${g.which}: ${whole.format(g.score)} points, ${whole.format(g.moves)} moves`))));
    host.append(player, paper);
    host.addEventListener("keydown", key);
    choose(shown);
    // A live page asks for a game when somebody sees its place.
    new IntersectionObserver(([{ isIntersecting }], observer) => {
      if (!isIntersecting) return;
      observer.disconnect();
      seen = true;
      load();
    }).observe(stage);

    // scrub draws the score line and the milestones of the game.
    function scrub() {
      path.setAttribute("d", "");
      marks.replaceChildren();
      if (!game) return;
      const step = Math.max(1, Math.floor(game.moves / 200)), all = Math.max(1, game.score(game.moves));
      let d = "M0 100";
      for (let m = 0; m <= game.moves; m += step) d += `L${(100 * m / game.moves).toFixed(2)} ${(100 - 100 * game.score(m) / all).toFixed(2)}`;
      path.setAttribute("d", d + "L100 0V100Z");
      marks.append(...game.milestones.map(({ at, face }) => {
        const mark = element("button", { type: "button", "aria-label": `first ${face}, move ${at}`, onclick: () => jump(at) }, String(face));
        mark.style.setProperty("--at", at / game.moves);
        return mark;
      }));
      // Where marks would lie over one another the higher tile stays.
      let free = Infinity;
      for (const mark of [...marks.children].reverse()) {
        if (mark.offsetLeft + mark.offsetWidth > free) mark.remove();
        else free = mark.offsetLeft;
      }
    }

    // choose shows the board with the highest tile, or the end of a game without a record.
    function choose(g) {
      pause();
      shown = g;
      game = unrolled.get(g.game) || null;
      at = g.moves;
      message.textContent = "";
      games.forEach((other, i) => choices[i].setAttribute("aria-pressed", other === g));
      stage.setAttribute("aria-label", `replay of the ${g.which} game`);
      about.textContent = `seed ${g.seed}, ${g.search}`;
      slider.max = g.moves;
      if (seen || g.record) load();
      open();
    }

    // open shows the move after which the highest tile was there.
    function open() {
      if (game) at = game.milestones.at(-1)?.at ?? Math.floor(game.moves / 2);
      scrub();
      draw();
    }

    // load has the game there, sooner or later. It answers whether it is there now.
    function load() {
      if (game) return true;
      const g = shown;
      const ready = (record) => {
        unrolled.set(g.game, unroll(record));
        if (shown !== g) return;
        game = unrolled.get(g.game);
        message.textContent = "";
        if (playing) scrub();
        else open();
      };
      if (g.record) {
        ready(g.record);
      } else if (!g.asked) {
        g.asked = true;
        message.textContent = "playing the game again ...";
        fetch(host.dataset.src + g.game + ".json").then(async (answer) => {
          if (!answer.ok) throw new Error((await answer.text()).slice(0, 500) || answer.statusText);
          ready(await answer.json());
        }).catch((e) => {
          pause();
          if (shown === g) message.textContent = "this game cannot be shown: " + e.message;
        }).finally(() => { g.asked = false; });
      }
      return game !== null;
    }

    function draw(slid) {
      const faces = game ? game.board(at) : shown.final;
      tiles.forEach((t, i) => {
        t.dataset.face = faces[i];
        t.textContent = faces[i] || "";
      });
      if (slid) animate();
      if (!playing) board.setAttribute("aria-label", describe(faces));
      score.textContent = whole.format(game ? game.score(at) : shown.score);
      number.textContent = `${whole.format(at)} of ${whole.format(shown.moves)}` + (at < shown.moves ? "" : shown.max_tile > 32768 ? ", the highest tile" : ", no move left");
      slider.value = at;
      slider.setAttribute("aria-valuetext", `move ${number.textContent}, score ${score.textContent}`);
      const ended = !game || at === game.moves;
      const chosen = ended ? -1 : game.move(at), best = ended ? NaN : game.value(at, chosen);
      worth.textContent = ended ? "" : figure(best, 7);
      rows.forEach(({ row, bar, value }, d) => {
        const v = ended ? NaN : game.value(at, d), legal = v === v;
        row.classList.toggle("chosen", d === chosen);
        bar.style.width = legal ? 100 * Math.min(1, (best - v) / game.measure) + "%" : "0";
        value.textContent = !legal ? "" : d === chosen ? "chosen" : v === best ? "-0" : figure(v - best, 4);
        if (d === chosen) row.setAttribute("aria-current", "true");
        else row.removeAttribute("aria-current");
      });
    }

    // animate lets the tiles of the last move slide to where they are drawn.
    function animate() {
      if (still.matches || playing && speeds[speed] > slidesUpTo) return;
      const { after, from } = slide(game.board(at - 1), game.move(at - 1)), pitch = tiles[1].offsetLeft - tiles[0].offsetLeft;
      const timing = { duration: Math.min(120, 600 / speeds[speed]), easing: "ease-out" };
      tiles.forEach((t, i) => {
        if (!after[i] && game.board(at)[i]) t.animate([{ transform: "scale(0)" }, { transform: "scale(0)" }, { transform: "none" }], { ...timing, duration: 1.5 * timing.duration });
        else if (from[i] >= 0 && from[i] !== i) {
          const x = (from[i] % 4 - i % 4) * pitch, y = (Math.floor(from[i] / 4) - Math.floor(i / 4)) * pitch;
          t.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], timing);
        }
      });
    }

    function jump(to, slid) {
      pause();
      if (!load()) return;
      to = Math.max(0, Math.min(game.moves, to));
      slid = slid && to === at + 1;
      at = to;
      draw(slid);
    }

    function press() {
      if (playing) return pause();
      load();
      if (at === shown.moves) at = 0;
      playing = true;
      owed = last = 0;
      offer("pause");
      draw();
      requestAnimationFrame(frame);
    }

    function pause() {
      if (!playing) return;
      playing = false;
      offer("play");
      draw();
    }

    function offer(what) {
      toggle.replaceChildren(icon(what));
      toggle.setAttribute("aria-label", toggle.title = what);
    }

    // frame plays what is due since the frame before; a page that slept does not catch up.
    function frame(now) {
      if (!playing) return;
      if (!host.isConnected) return pause();
      if (game) {
        if (last) owed += Math.min(0.25, (now - last) / 1000) * speeds[speed];
        last = now;
        const due = Math.min(Math.floor(owed), game.moves - at);
        if (due > 0) {
          owed -= due;
          at += due;
          draw(due === 1);
        }
        if (at === game.moves) return pause();
      }
      requestAnimationFrame(frame);
    }

    function key(event) {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const on = event.target.tagName; // what has keys of its own keeps them
      const actions = {
        " ": on !== "BUTTON" && on !== "SELECT" && press,
        ArrowLeft: on !== "SELECT" && (() => jump(at - 1)), ArrowRight: on !== "SELECT" && (() => jump(at + 1, true)),
        Home: on !== "SELECT" && (() => jump(0)), End: on !== "SELECT" && (() => jump(Infinity)),
        "+": () => faster(1), "=": () => faster(1), "-": () => faster(-1),
      };
      if (!actions[event.key]) return;
      event.preventDefault();
      actions[event.key]();
    }

    function faster(by) {
      speed = pace.selectedIndex = Math.max(0, Math.min(speeds.length - 1, speed + by));
    }
  }

  window.fillReplays = (root) => {
    for (const host of root.querySelectorAll(".replay:not([data-filled])")) {
      host.dataset.filled = "";
      fill(host);
    }
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => fillReplays(document));
  else fillReplays(document);
})();
