// The middle of the table as a picture without words: walls, counted stacks, the break, dice.

import { svg } from "./dom.js";
import { sideOf } from "./words.js";

const SIZE = 480;
const HALF = 182; // from the centre to the middle of a wall
const PITCH = 20;

/** How many stacks the walls of sides 1 to 4 have; 0 where nobody plays. */
const lengthsOf = (state) => (state.build?.target ?? [34, 34, 34, 34]).map((tiles) => Math.round(tiles / 2));

/** Return what stands at each place: "full", "half" or "gone", by side 1-4 and stack 1-n. */
export function stacksOf(state) {
  const lengths = lengthsOf(state);
  const walls = lengths.map((n) => Array(n).fill("full"));
  if (state.phase === "IDLE" || state.phase === "BUILDING") {
    const counts = state.build?.counts ?? [];
    return walls.map((wall, i) =>
      wall.map((_, k) => {
        const here = (counts[i] ?? 0) - 2 * k;
        return here >= 2 ? "full" : here === 1 ? "half" : "gone";
      }),
    );
  }
  const opening = state.dice?.opening;
  const left = state.wall?.left;
  if (!opening || left === null || left === undefined) return walls;
  const total = 2 * lengths.reduce((sum, n) => sum + n, 0);
  const tail = Math.min(state.kongs?.length ?? 0, total - left);
  const head = total - left - tail;
  const order = drawOrder(state, lengths);
  order.forEach(([side, k], i) => {
    const taken = Math.max(0, Math.min(2, head - 2 * i));
    const behind = Math.max(0, Math.min(2, tail - 2 * (order.length - 1 - i)));
    const here = 2 - taken - behind;
    walls[side - 1][k - 1] = here >= 2 ? "full" : here === 1 ? "half" : "gone";
  });
  return walls;
}

/** All stacks from the opening on: along each wall from its owner's right, then clockwise. */
function drawOrder(state, lengths) {
  const opening = state.dice.opening;
  let side = sideOf(state, opening.seat) ?? 1;
  let k = opening.stack;
  const order = [];
  for (let left = lengths.reduce((sum, n) => sum + n, 0); left > 0; left -= 1) {
    while (k > lengths[side - 1]) {
      k -= lengths[side - 1];
      side = side === 1 ? 4 : side - 1;
    }
    order.push([side, k]);
    k += 1;
  }
  return order;
}

const turn = (side) => `rotate(${[0, -90, 180, 90][side - 1]})`;
const xOf = (k, n) => ((n - 1) / 2 - (k - 1)) * PITCH + PITCH;

/** Draw walls and dice into an SVG element; drawing twice the same gives the same. */
export function drawCentre(picture, state) {
  const lengths = lengthsOf(state);
  const walls = stacksOf(state);
  const building = state.phase === "IDLE" || state.phase === "BUILDING";
  const opening = state.dice?.opening ?? null;
  const key = JSON.stringify([walls, opening, state.dice?.throws, building, state.fault?.side, state.seats && Object.values(state.seats).map((s) => s.side)]);
  if (picture.dataset.drawn === key) return;
  picture.dataset.drawn = key;
  picture.setAttribute("viewBox", `${-SIZE / 2} ${-SIZE / 2} ${SIZE} ${SIZE}`);
  picture.replaceChildren();
  if (building) drawMachine(picture, state);
  walls.forEach((wall, i) => {
    const group = svg("g", { transform: turn(i + 1), class: "wallside" });
    wall.forEach((what, k) => group.append(stack(what, xOf(k + 1, wall.length), building)));
    picture.append(group);
  });
  if (opening && !building) drawOpening(picture, state, walls, lengths);
  if (!building) for (const [index, one] of (state.dice?.throws ?? []).entries()) drawThrow(picture, state, one, index);
}

function stack(what, x, building) {
  if (what === "gone") {
    return building
      ? svg("rect", { x: x - 9, y: HALF - 13, width: 18, height: 27, rx: 3, class: "stack-empty" })
      : svg("circle", { cx: x, cy: HALF, r: 2.6, class: "stack-gone" });
  }
  const group = svg("g", { class: `stack ${what}` });
  group.append(
    svg("rect", { x: x - 9, y: HALF - 13, width: 18, height: 27, rx: 3, class: "stack-edge" }),
    svg("rect", { x: x - 9, y: HALF - 13, width: 18, height: 22, rx: 3, class: what === "half" ? "stack-half" : "stack-top" }),
  );
  return group;
}

function drawOpening(picture, state, walls, lengths) {
  const { opening } = state.dice;
  const countSide = sideOf(state, opening.count_seat) ?? 1;
  const counted = svg("g", { transform: turn(countSide), class: "counted" });
  const last = Math.min(opening.count, lengths[countSide - 1]);
  for (let k = 1; k <= last; k += 1) {
    counted.append(svg("circle", { cx: xOf(k, lengths[countSide - 1]), cy: HALF - 26, r: k === last ? 5 : 2.6, class: "count-dot" }));
  }
  picture.append(counted);
  const side = sideOf(state, opening.seat) ?? 1;
  const breakAt = svg("g", { transform: turn(side) });
  const x = xOf(opening.stack, lengths[side - 1]) + PITCH / 2;
  breakAt.append(svg("rect", { x: x - 1.75, y: HALF - 30, width: 3.5, height: 58, class: "break-bar" }));
  picture.append(breakAt);
  const next = drawOrder(state, lengths).find(([at, k]) => walls[at - 1][k - 1] !== "gone");
  if (!next) return;
  const arrow = svg("g", { transform: turn(next[0]) });
  const nx = xOf(next[1], lengths[next[0] - 1]);
  arrow.append(svg("path", { d: `M${nx + 8} ${HALF - 34}v16l-15 -8z`, class: "next-mark" }));
  picture.append(arrow);
}

/** Two dice, before the one who threw them. */
function drawThrow(picture, state, one, index) {
  const group = svg("g", { transform: turn(sideOf(state, one.seat) ?? 1), class: "dice" });
  const latest = index === (state.dice.throws.length ?? 1) - 1;
  one.pips?.forEach((pips, i) => {
    const at = svg("g", { transform: `translate(${i ? 30 : -30} ${latest ? 98 : 104}) rotate(${i ? 9 : -13})` });
    at.append(die(pips, 44));
    group.append(at);
  });
  picture.append(group);
}

const SPOTS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

/** An East-Asian die: 1 and 4 red, 1 larger. */
export function die(pips, size = 44) {
  const group = svg("g", { class: "die", "data-pips": pips });
  const h = size / 2;
  group.append(svg("rect", { x: -h, y: -h, width: size, height: size, rx: size * 0.2, class: "die-body" }));
  for (const [x, y] of SPOTS[pips] ?? []) {
    const r = size * (pips === 1 ? 0.17 : 0.09);
    group.append(svg("circle", { cx: x * size * 0.25, cy: y * size * 0.25, r, class: pips === 1 || pips === 4 ? "pip red" : "pip" }));
  }
  return group;
}

/** Tray, dome and the stuck side while the machine builds. */
function drawMachine(picture, state) {
  picture.append(
    svg("circle", { r: 112, class: "machine-ring" }),
    svg("circle", { r: 92, class: "machine-ring dotted" }),
    svg("circle", { r: 62, class: "machine-dome" }),
  );
  const side = state.fault?.side;
  if (side >= 1 && side <= 4) {
    const group = svg("g", { transform: turn(side) });
    group.append(svg("rect", { x: -32, y: HALF - 36, width: 64, height: 72, rx: 8, class: "stuck" }));
    picture.append(group);
  }
}
