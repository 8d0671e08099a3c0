// A bot for 2048: it looks one move ahead. tune help bot has the protocol.
"use strict";

// A row moved to the left, and the points of its merges.
function slide(row) {
  const tiles = row.filter(t => t), done = [];
  let points = 0;
  while (tiles.length) {
    let tile = tiles.shift();
    if (tiles[0] === tile) {
      tile += tiles.shift();
      points += tile;
    }
    done.push(tile);
  }
  return [[...done, 0, 0, 0, 0].slice(0, 4), points];
}

const turned = board => board[0].map((_, i) => board.map(row => row[i]));

// The board after a move, and the points of its merges.
function after(board, move) {
  const upright = move === "up" || move === "down", back = move === "down" || move === "right";
  const flip = row => back ? [...row].reverse() : row;
  const moved = (upright ? turned(board) : board).map(row => slide(flip(row)));
  const rows = moved.map(([row]) => flip(row));
  return [upright ? turned(rows) : rows, moved.reduce((sum, [, points]) => sum + points, 0)];
}

function value([board, points], w) {
  let steps = 0;
  for (const line of [...board, ...turned(board)]) for (let i = 0; i < 3; i++) steps += Math.abs(line[i] - line[i + 1]);
  return points + w.empty * board.flat().filter(t => !t).length + w.corner * board[3][0] - w.smooth * steps;
}

let weights;
require("readline").createInterface({input: process.stdin}).on("line", line => {
  const message = JSON.parse(line);
  if (message.weights) { // a game begins: there is no answer
    weights = message.weights;
    return;
  }
  const legal = ["up", "down", "left", "right"]
    .map(move => ({move, next: after(message.board, move)}))
    .filter(({next}) => JSON.stringify(next[0]) !== JSON.stringify(message.board));
  const best = legal.reduce((a, b) => value(b.next, weights) > value(a.next, weights) ? b : a);
  console.log(JSON.stringify({move: best.move}));
});
