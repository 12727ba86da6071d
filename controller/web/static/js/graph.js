// How the scores went: one line per side with its own mark and dash, its name at the end.

import { svg } from "./dom.js";
import { numberText } from "./dom.js";
import { SEATS, nameOf, sideOf } from "./words.js";

const W = 358;
const H = 190;
const LEFT = 40;
const RIGHT = 262;
const LABEL = 32; // width of a hand's number of three digits, and a gap

/** Return the score sheet's totals by seat, oldest first: those before the first row, then after each. */
export function running(state, rows) {
  const out = {};
  for (const seat of SEATS) {
    const entry = state.seats?.[seat]?.entry;
    const before = rows.length ? rows[0].totals[entry] - rows[0].deltas[entry] : state.seats?.[seat]?.score ?? 0;
    out[seat] = [before, ...rows.map((row) => row.totals[entry])];
  }
  return out;
}

/** Draw the lines into an SVG element. */
export function graph(picture, state, sheet) {
  const hands = sheet?.rows?.slice(-16) ?? [];
  const out = running(state, hands);
  const key = JSON.stringify([out, SEATS.map((seat) => nameOf(state, seat))]);
  if (picture.dataset.drawn === key) return;
  picture.dataset.drawn = key;
  picture.setAttribute("viewBox", `0 0 ${W} ${H}`);
  picture.replaceChildren();
  const all = SEATS.flatMap((seat) => out[seat]);
  const step = niceStep(Math.max(...all.map(Math.abs), 1));
  const top = Math.max(step, Math.ceil(Math.max(...all) / step) * step);
  const low = Math.min(-step, Math.floor(Math.min(...all) / step) * step);
  const y = (value) => 12 + ((top - value) / (top - low)) * (H - 36);
  const x = (i) => LEFT + (hands.length ? (i / hands.length) * (RIGHT - LEFT) : 0);
  for (let value = low; value <= top; value += step) {
    picture.append(svg("path", { d: `M${LEFT} ${y(value)}H${RIGHT}`, class: "gridline" }));
    picture.append(label(LEFT - 6, y(value) + 4, numberText(value, true), "gridtext end"));
  }
  const every = Math.ceil((hands.length * LABEL) / (RIGHT - LEFT));
  hands.forEach((hand, i) => {
    if ((hands.length - 1 - i) % every === 0) picture.append(label(x(i + 1), H - 6, String(hand.hand), "gridtext mid"));
  });
  const ends = SEATS.map((seat) => ({ seat, at: y(out[seat].at(-1)) })).sort((a, b) => a.at - b.at);
  ends.forEach((end, i) => {
    if (i && end.at < ends[i - 1].at + 19) end.at = ends[i - 1].at + 19;
  });
  for (const seat of SEATS) {
    const side = sideOf(state, seat);
    const points = out[seat].map((value, i) => [x(i), y(value)]);
    picture.append(svg("path", { d: `M${points.map((one) => one.join(" ")).join("L")}`, class: `line side${side}` }));
    for (const [px, py] of points) picture.append(mark(side, px, py));
    const end = ends.find((one) => one.seat === seat);
    picture.append(label(RIGHT + 10, end.at + 5, short(nameOf(state, seat)), `linename side${side}`));
    picture.append(label(W, end.at + 5, numberText(out[seat].at(-1), true), "lineend"));
  }
}

const short = (name) => ([...name].length > 4 ? `${[...name].slice(0, 3).join("")}…` : name);

function niceStep(size) {
  for (const step of [5, 10, 20, 40, 50, 100, 200, 400, 500]) if (size / step <= 2.6) return step;
  return 10 ** Math.ceil(Math.log10(size));
}

function label(x, y, text, cls) {
  const node = svg("text", { x, y, class: cls });
  node.textContent = text;
  return node;
}

function mark(side, x, y) {
  const cls = `mark side${side}`;
  if (side === 1) return svg("circle", { cx: x, cy: y, r: 4, class: cls });
  if (side === 2) return svg("rect", { x: x - 3.6, y: y - 3.6, width: 7.2, height: 7.2, class: cls });
  if (side === 3) return svg("path", { d: `M${x} ${y - 5}l5 9h-10z`, class: cls });
  return svg("path", { d: `M${x} ${y - 5}l5 5l-5 5l-5 -5z`, class: cls });
}
