// The board of 2048 as pages show it, and the values of its four moves: for replays (replay.js), and for the page on which a
// champion plays (results/export).
"use strict";
const board2048 = (() => {
  // A direction is its index here.
  const directions = [["up", "↑"], ["down", "↓"], ["left", "←"], ["right", "→"]];
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

  const tile = (face) => element("div", { class: "tile", "data-face": face }, face ? String(face) : "");

  // makeBoard makes a board of 16 faces, row by row.
  function makeBoard(faces = new Array(16).fill(0)) {
    const tiles = Array.from(faces, tile), host = element("div", { class: "replay-board", role: "img" }, ...tiles);

    // draw shows other faces. A board that changes fast is not described.
    function draw(faces, fast) {
      tiles.forEach((t, i) => {
        t.dataset.face = faces[i];
        t.textContent = faces[i] || "";
      });
      const rows = [0, 4, 8, 12].map((i) => Array.from(faces.slice(i, i + 4), (face) => face || "blank").join(" "));
      if (!fast) host.setAttribute("aria-label", "Board: " + rows.join("; "));
    }

    // animate lets the tiles of a move slide to where they are drawn.
    function animate(before, direction, duration) {
      if (still.matches) return;
      const { after, from } = slide(before, direction), pitch = tiles[1].offsetLeft - tiles[0].offsetLeft;
      const timing = { duration, easing: "ease-out" };
      tiles.forEach((t, i) => {
        if (!after[i] && t.textContent) t.animate([{ transform: "scale(0)" }, { transform: "scale(0)" }, { transform: "none" }], { ...timing, duration: 1.5 * duration });
        else if (from[i] >= 0 && from[i] !== i) {
          const x = (from[i] % 4 - i % 4) * pitch, y = (Math.floor(from[i] / 4) - Math.floor(i / 4)) * pitch;
          t.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], timing);
        }
      });
    }

    // swiped calls back with the direction of each swipe on the board.
    function swiped(callback) {
      let start = null;
      host.addEventListener("touchstart", (event) => { start = event.touches[0]; }, { passive: true });
      host.addEventListener("touchend", (event) => {
        const x = event.changedTouches[0].clientX - start.clientX, y = event.changedTouches[0].clientY - start.clientY;
        if (Math.max(Math.abs(x), Math.abs(y)) < 24) return;
        if (event.cancelable) event.preventDefault(); // no click
        callback(Math.abs(x) > Math.abs(y) ? (x < 0 ? 2 : 3) : y < 0 ? 0 : 1);
      });
    }
    return { host, draw, animate, swiped };
  }

  // lossOf returns what a move loses against the best one. Moves that are equally good may differ by a rounding.
  const lossOf = (value, best) => Math.abs(best - value) < 1e-12 * Math.abs(best) ? 0 : best - value;

  // makeMoves makes a table of the values of the four moves.
  function makeMoves(caption) {
    const rows = directions.map(([name, arrow]) => {
      const bar = element("span", { class: "replay-bar" }), value = element("td", { class: "replay-value" });
      const row = element("tr", {}, element("th", { scope: "row" }, element("span", { "aria-hidden": "true" }, arrow), " " + name),
        element("td", { class: "replay-track", "aria-hidden": "true" }, bar), value);
      return { row, bar, value };
    });
    const table = element("table", { class: "replay-values" }, element("caption", {}, caption), element("tbody", {}, ...rows.map((r) => r.row)));

    // draw shows what each move would lose against the chosen one. An illegal move is NaN. A bar is full at a loss of measure.
    function draw(values, chosen, measure) {
      const best = chosen < 0 ? NaN : values[chosen];
      rows.forEach(({ row, bar, value }, d) => {
        const loss = lossOf(values[d], best), legal = loss === loss;
        row.classList.toggle("chosen", d === chosen);
        bar.style.width = legal ? 100 * Math.min(1, loss / measure) + "%" : "0";
        value.textContent = !legal ? "" : d === chosen ? "chosen" : loss === 0 ? "-0" : figure(-loss, 4);
        if (d === chosen) row.setAttribute("aria-current", "true");
        else row.removeAttribute("aria-current");
      });
    }
    return { table, draw };
  }

  return { element, icon, slide, directions, whole, figure, lossOf, makeBoard, makeMoves };
})();
