// The machine from above, in its true places: squares are sensors, circles are motors, bars are stacks.

import { svg } from "./dom.js";
import { isHan, t } from "./i18n.js";

const TURN = { 1: 0, 2: -90, 3: 180, 4: 90 };
const SIDE_SENSORS = [["jam", "machine.jam"], ["count", "machine.count"], ["stack_home", "machine.home"], ["side_full", "machine.full"]];

/** Where a sensor and its word stand. English words are long: two rows where they lie side by side. */
function placeOf(side, i) {
  if (isHan()) return [176, 156];
  return side % 2 ? [166, i % 2 ? 186 : 147] : [183, 156];
}

/** Draw the diagram for a machine view; the same view draws nothing new. */
export function drawDiagram(picture, state, machine) {
  const target = state.build?.target ?? [34, 34, 34, 34];
  const key = JSON.stringify([machine.sensors, machine.actuators, machine.counts, machine.lamp, machine.fault?.side, target, document.documentElement.lang]);
  if (picture.dataset.drawn === key) return;
  picture.dataset.drawn = key;
  picture.replaceChildren();
  const sensors = machine.sensors ?? {};
  const motors = machine.actuators ?? {};
  drawCore(picture, sensors, motors);
  for (const side of [1, 2, 3, 4]) {
    const bad = (state.fault?.side ?? machine.fault?.side) === side;
    drawSide(picture, side, { sensors, motors, count: machine.counts?.[side - 1] ?? 0, target: target[side - 1] ?? 0, bad, lamp: machine.lamp === side });
  }
}

function drawCore(picture, sensors, motors) {
  picture.append(svg("circle", { r: 108, class: "ringline" }), svg("circle", { r: 92, class: "ringline dotted" }), svg("circle", { r: 52, class: "dome" }));
  motor(picture, -70, 0, motors.turn, 0);
  motor(picture, 70, 0, motors.ring, 0);
  motor(picture, 0, 72, motors.dice, 0);
  text(picture, -70, 32, t("machine.turn"));
  text(picture, 70, 32, t("machine.ring"));
  sensor(picture, -16, 0, sensors.dome_up);
  sensor(picture, 16, 0, sensors.dome_down);
  text(picture, -16, 28, t("machine.high"));
  text(picture, 16, 28, t("machine.low"));
  text(picture, 0, -22, t("machine.dome"), "strong");
}

/** One side in its own frame, bottom edge towards its player; words stay upright. */
function drawSide(picture, side, { sensors, motors, count, target, bad, lamp }) {
  const angle = TURN[side];
  const group = svg("g", { transform: `rotate(${angle})` });
  group.append(svg("rect", { x: -98, y: 136, width: 196, height: 60, rx: 8, class: bad ? "block bad" : "block" }));
  motor(group, -72, 166, motors[`stack_${side}`], angle);
  motor(group, 72, 166, motors[`feed_${side}`], angle);
  SIDE_SENSORS.forEach(([name, label], i) => {
    const x = -36 + i * 24;
    const [square, word] = placeOf(side, i);
    sensor(group, x, square, sensors[`${name}_${side}`]);
    text(group, x, word, t(label), "", angle);
  });
  const stacks = Math.max(17, Math.ceil(target / 2));
  const pitch = 340 / stacks;
  for (let k = 0; k < stacks; k += 1) {
    const here = Math.max(0, Math.min(2, count - 2 * k));
    const x = 170 - (k + 1) * pitch;
    group.append(svg("rect", { x, y: 232, width: pitch - 3, height: 24, rx: 3, class: here === 2 ? "stackmark" : here === 1 ? "stackmark half" : "stackmark empty" }));
  }
  sensor(group, -192, 238, sensors[`tray_up_${side}`]);
  sensor(group, -192, 256, sensors[`tray_down_${side}`]);
  if (lamp) group.append(svg("path", { d: "M186 232l8 12l-8 12l-8 -12z", class: "lampmark" }));
  text(group, 0, 282, `${t("machine.side", { side })}\u3000${count} / ${target}`, bad ? "strong bad" : "strong", angle, side % 2 === 0);
  picture.append(group);
}

function sensor(parent, x, y, on) {
  parent.append(svg("rect", { x: x - 6.5, y: y - 6.5, width: 13, height: 13, rx: 2, class: on === undefined ? "sensor unknown" : on ? "sensor on" : "sensor" }));
}

function motor(parent, x, y, on, angle) {
  const group = svg("g", { transform: `translate(${x} ${y}) rotate(${-angle})` });
  group.append(svg("circle", { r: 14, class: on ? "motor on" : "motor" }));
  const letter = svg("text", { y: 5, class: on ? "motortext on" : "motortext" });
  letter.textContent = "M";
  group.append(letter);
  parent.append(group);
}

function text(parent, x, y, words, cls = "", angle = 0, along = false) {
  const upright = along ? 0 : -angle;
  const flip = angle === 180 && along ? 180 : upright;
  const node = svg("text", { transform: `translate(${x} ${y}) rotate(${flip})`, class: `label ${cls}`, "dominant-baseline": "middle" });
  node.textContent = words;
  parent.append(node);
}
