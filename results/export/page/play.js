// The page on which a champion plays 2048, or a person with its advice. The champion searches in a worker, so the page never waits.
"use strict";
(() => {
  const { element, slide, whole, lossOf, makeBoard, makeMoves } = board2048;
  const about = JSON.parse(document.getElementById("about").textContent); // see Page in page.go
  const speeds = [1, 2, 5, 10, 30, Infinity]; // moves per second
  const explainedUpTo = 10; // moves per second at which a person can read what a move is worth

  // spawns deals the tiles of a seed as tune does: SplitMix64, whose upper half chooses the blank, its lower half a 2 or a 4.
  function spawns(seed) {
    const bits = (1n << 64n) - 1n, fours = BigInt(Math.floor(about.fours * 2 ** 32));
    let state = BigInt(seed);
    return (faces) => {
      state = (state + 0x9e3779b97f4a7c15n) & bits;
      let z = state;
      z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & bits;
      z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & bits;
      z ^= z >> 31n;
      const blanks = faces.flatMap((face, cell) => face ? [] : [cell]);
      faces[blanks[Number(((z >> 32n) * BigInt(blanks.length)) >> 32n)]] = (z & 0xffffffffn) < fours ? 4 : 2;
    };
  }

  const worker = new Worker(URL.createObjectURL(new Blob([document.getElementById("player").textContent], { type: "text/javascript" })));
  let faces, spawn, score, moves; // the game
  let answer = null; // on this board; null: not there yet
  let asked = false, stale = false; // the worker thinks; stale: of a board that is no more
  let playing = false, oneMove = false, due = 0, timer = 0; // due: when the next move is, in ms
  let losses = [], thought = 0, answers = 0; // of this game: what moves would have lost; ms, and how often
  let ready = false, frame = 0; // ready: the worker has its tables

  const board = makeBoard(), table = makeMoves("What each move would lose against the one that the champion would play, by its search.");
  const figures = Object.fromEntries(["score", "moves", "a move"].map((name) => [name, element("dd")]));
  const message = element("p", { class: "replay-message", role: "status" });
  const watch = element("button", { type: "button", class: "watch", onclick: () => playing ? pause() : play() });
  // A control that has changed lets go of the keyboard: arrows are moves again.
  const seed = element("input", { type: "number", min: 0, max: 2 ** 53 - 1, value: 1, onchange: () => { seed.blur(); start(); } });
  const speed = element("select", { onchange: () => speed.blur() }, ...speeds.map((s) => element("option", {}, s === Infinity ? "as fast as it can" : s === 1 ? "1 move a second" : `${s} moves a second`)));
  const depth = element("select", { onchange: () => { depth.blur(); thought = answers = 0; changed(); } }, element("option", { value: 0 }, `its own: ${about.search}`),
    ...[1, 2, 3, 4, 5].map((d) => element("option", { value: d }, `depth ${d}`)));
  speed.selectedIndex = 2;
  const label = (text, control) => element("label", {}, element("span", {}, text), " ", control);
  document.getElementById("play").append(element("div", { class: "replay-stage", "aria-keyshortcuts": "Space Enter N ArrowUp ArrowDown ArrowLeft ArrowRight" },
    element("dl", { class: "play-figures" }, ...Object.entries(figures).map(([name, figure]) => element("div", {}, element("dt", {}, name), figure))),
    board.host,
    element("div", { class: "replay-controls play-controls" }, watch,
      element("button", { type: "button", onclick: () => step() }, "Its move"),
      element("button", { type: "button", onclick: () => another() }, "New game"),
      label("speed", speed), message),
    element("div", { class: "replay-side" }, table.table, document.getElementById("weights")),
    element("div", { class: "play-controls play-options" }, label("search", depth), label("seed", seed),
      element("span", { class: "replay-keys" }, ...[["← ↑ → ↓", "your move"], ["space", "watch"], ["enter", "its move"], ["n", "new game"]].flatMap(([key, does]) => [element("kbd", {}, key), ` ${does} `])))));
  const cells = [...document.querySelectorAll("[data-feature]")].map((row) => [...row.querySelectorAll("[data-move]")]);

  function start() {
    const n = Number(seed.value);
    if (!Number.isSafeInteger(n) || n < 0) {
      message.textContent = "A seed is a whole number from 0 to 2^53 - 1.";
      return;
    }
    pause();
    message.textContent = ready ? "" : "The champion is getting ready ...";
    spawn = spawns(n);
    faces = new Array(16).fill(0);
    spawn(faces);
    spawn(faces);
    score = moves = thought = answers = 0;
    losses = [];
    changed();
  }

  function another() {
    seed.value = Number(seed.value) + 1;
    start();
  }

  const legal = (direction) => slide(faces, direction).after.some((face, cell) => face !== faces[cell]);
  const ended = () => faces.includes(65536) || ![0, 1, 2, 3].some(legal);

  // changed asks for the values of a new board. An answer to an older one is dropped.
  function changed() {
    answer = null;
    if (ended()) {
      pause();
      message.textContent = (faces.includes(65536) ? "The highest tile" : "No move left") + `: ${whole.format(score)} points in ${whole.format(moves)} moves.`;
    } else if (asked) {
      stale = true;
    } else {
      asked = true;
      worker.postMessage({ faces: [0, 4, 8, 12].map((i) => faces.slice(i, i + 4)), depth: Number(depth.value), explained: !playing || speeds[speed.selectedIndex] <= explainedUpTo });
    }
    draw();
  }

  worker.onmessage = ({ data }) => {
    asked = false;
    if (stale) {
      stale = false;
      return changed();
    }
    answer = data;
    if (!ready) message.textContent = "";
    ready = true;
    thought += data.took;
    answers++;
    const values = data.moves.map((move) => move ? move.value : NaN);
    losses = [...losses, ...values.map((v) => lossOf(v, values[data.best])).filter((loss) => loss > 0)].slice(-300);
    draw();
    if (oneMove) step();
    else if (playing) whenDue();
  };
  worker.onerror = (event) => { message.textContent = "The champion cannot play: " + event.message; };

  function whenDue() {
    clearTimeout(timer);
    const wait = due - performance.now();
    if (wait > 0) timer = setTimeout(() => playing && answer && move(answer.best), wait);
    else move(answer.best);
  }

  function move(direction) {
    if (ended() || !legal(direction)) return;
    const before = faces, { after, points } = slide(faces, direction), pace = playing ? speeds[speed.selectedIndex] : 1;
    faces = after;
    score += points;
    moves++;
    if (!faces.includes(65536)) spawn(faces);
    due = Math.max(performance.now(), due) + 1000 / pace;
    changed();
    if (pace <= explainedUpTo) {
      board.draw(faces);
      board.animate(before, direction, Math.min(120, 600 / pace));
    }
  }

  // step plays the champion's move, as soon as it is known.
  function step() {
    pause();
    oneMove = !answer && !ended();
    if (answer) move(answer.best);
  }

  function play() {
    if (ended()) another();
    playing = true;
    due = performance.now();
    draw();
    if (answer) whenDue();
  }

  function pause() {
    const slower = playing && speeds[speed.selectedIndex] > explainedUpTo;
    playing = oneMove = false;
    clearTimeout(timer);
    if (slower && faces && !ended()) changed(); // with what each feature adds
    draw();
  }

  // draw draws all, once a frame.
  function draw() {
    if (!frame) frame = requestAnimationFrame(paint);
  }
  const short = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 4 }), compact = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3, notation: "compact" });
  const figure = (v) => (Math.abs(v) < 1e4 ? short : compact).format(v).replace("-", "−");

  function paint() {
    frame = 0;
    board.draw(faces, playing);
    watch.textContent = playing ? "Pause" : "Watch it play";
    figures.score.textContent = whole.format(score);
    figures.moves.textContent = whole.format(moves);
    figures["a move"].textContent = answers ? `${(thought / answers).toPrecision(2)} ms` : "";
    document.body.classList.toggle("thinking", asked && !answer);
    if (!answer && !ended()) return; // the last values stay until new ones are there
    const known = answer ? answer.moves : [null, null, null, null], best = answer ? answer.best : -1;
    table.draw(known.map((move) => move ? move.value : NaN), best, [...losses].sort((a, b) => a - b)[Math.floor(0.9 * losses.length)] || 1);
    cells.forEach((row, feature) => row.forEach((cell, d) => {
      cell.textContent = known[d]?.added ? figure(known[d].added[feature]) : "";
      cell.classList.toggle("chosen", d === best);
    }));
  }

  function yourMove(direction) {
    pause();
    move(direction);
  }
  board.swiped(yourMove);
  board.host.addEventListener("touchmove", (event) => event.preventDefault(), { passive: false }); // a swipe does not move the page
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const on = event.target.tagName; // what has keys of its own keeps them
    if (on === "INPUT" || on === "SELECT" || on === "SUMMARY" || (on === "BUTTON" || on === "A") && (event.key === " " || event.key === "Enter")) return;
    const direction = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"].indexOf(event.key);
    const action = direction >= 0 ? () => yourMove(direction) : { " ": () => playing ? pause() : play(), Enter: step, n: another }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "copied";
    });
  }
  const save = document.getElementById("save");
  save.href = URL.createObjectURL(new Blob([document.getElementById("record").textContent], { type: "application/json" }));
  start();
})();
