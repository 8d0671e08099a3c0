// The replays of a page: each <div class="replay"> holds a JSON script with one or several games (report.Replay), of which one
// is shown at a time. A game without a record is asked for, at data-src + its id + ".json", when somebody first wants to move.
// fillReplays(root) fills those below root that are not filled yet; a filled one may be moved about in the page as it plays.
"use strict";
(() => {
  const { element, icon, slide, whole, figure, makeBoard, makeMoves } = board2048;
  const speeds = [2, 5, 10, 20, 60, 240]; // moves per second
  const slidesUpTo = 10; // moves per second at which the eye can still follow a tile that slides

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

  function fill(host) {
    const games = JSON.parse(host.querySelector("script[type='application/json']").textContent);
    if (games.length === 0) return;
    const unrolled = new Map(); // by game id
    let shown = games[0], game = null; // game: shown, unrolled; null until its record is there
    let at = 0; // moves played
    let speed = 2; // of speeds
    let seen = false, playing = false, owed = 0, last = 0; // seen: the place was on a screen; owed: moves that are due, in fractions

    const board = makeBoard(), moves = makeMoves("What each move would lose against the one that the search chose, by its value.");
    const score = element("dd"), number = element("dd"), worth = element("dd"), about = element("dd");
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
    const stage = element("div", { class: "replay-stage", tabindex: 0, role: "group", "aria-keyshortcuts": "Space ArrowLeft ArrowRight Home End + -" }, board.host,
      element("div", { class: "replay-controls" },
        button("to the start", "start", () => jump(0)), button("one move back", "back", () => jump(at - 1)), toggle,
        button("one move on", "on", () => jump(at + 1, true)), button("to the end", "end", () => jump(Infinity)), pace,
        element("span", { class: "replay-keys" }, ...[["space", "play"], ["← →", "a move"], ["+ −", "speed"]].flatMap(([key, does]) => [element("kbd", {}, key), ` ${does} `])),
        element("div", { class: "replay-scrub" }, line, slider, marks), message),
      element("div", { class: "replay-side" },
        element("dl", {}, element("div", {}, element("dt", {}, "score"), score), element("div", {}, element("dt", {}, "move"), number),
          element("div", {}, element("dt", {}, "value"), worth),
          element("div", {}, element("dt", {}, "game"), about)),
        moves.table));
    board.host.addEventListener("click", () => press());
    board.swiped((direction) => { // to the left a move on, to the right a move back
      if (direction >= 2) jump(at + (direction === 2 ? 1 : -1), direction === 2);
    });
    const player = element("div", { class: "replay-player" },
      element("div", { class: "replay-choices", role: "group", "aria-label": "game" }, ...choices), stage);
    const paper = element("div", { class: "replay-paper", "aria-hidden": "true" }, ...games.map((g) => element("figure", {},
      makeBoard(g.final).host,
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
      board.draw(faces, playing);
      if (slid && (!playing || speeds[speed] <= slidesUpTo)) board.animate(game.board(at - 1), game.move(at - 1), Math.min(120, 600 / speeds[speed]));
      score.textContent = whole.format(game ? game.score(at) : shown.score);
      number.textContent = `${whole.format(at)} of ${whole.format(shown.moves)}` + (at < shown.moves ? "" : shown.max_tile > 32768 ? ", the highest tile" : ", no move left");
      slider.value = at;
      slider.setAttribute("aria-valuetext", `move ${number.textContent}, score ${score.textContent}`);
      const ended = !game || at === game.moves;
      const chosen = ended ? -1 : game.move(at), best = ended ? NaN : game.value(at, chosen);
      worth.textContent = ended ? "" : figure(best, 7);
      moves.draw(ended ? [NaN, NaN, NaN, NaN] : [0, 1, 2, 3].map((d) => game.value(at, d)), chosen, game?.measure);
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
