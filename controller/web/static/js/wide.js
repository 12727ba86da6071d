// The table screen: four sides turned to their readers, the middle without words.

import { buttonsOf, moreOf } from "./actions.js";
import { showWish } from "./amend.js";
import { act, clone, each, hook, hooks, make, setName, setNumber, setText, show, svg, tick } from "./dom.js";
import { join, t } from "./i18n.js";
import { fixedWords } from "./look.js";
import { readSets, readingOfLast, showSets, tile } from "./tiles.js";
import { showReport } from "./report.js";
import { flows, showRefusal, showSheet } from "./sheet.js";
import { drawCentre } from "./wall.js";
import {
  SEATS, amendedWords, brief, circleName, clock, faultOf, faultWords, handName, howWords, irregularWords, isOver, lastWords, moveWords, nameOf, noticeWords, phaseWords, seal, seatAt, sideOf, timerOf, timerWords, turnOf, turnWords,
  unitName, variantName, wallWords,
} from "./words.js";

const DESIGN = [1920, 1080];

/** Scale the stage, drawn for 1920 x 1080, to this display. */
export function fit(stage) {
  const k = Math.min(innerWidth / DESIGN[0], innerHeight / DESIGN[1]);
  stage.style.setProperty("--k", String(k));
}

/** Draw everything; twice the same gives the same. */
export function renderWide(root, state, store) {
  const stage = hook(root, "stage");
  fit(stage);
  const sheet = showSheet(hook(root, "sheet"), state, store);
  stage.classList.toggle("compact", Boolean(sheet));
  stage.dataset.phase = state.phase;
  each(hook(root, "seats"), [1, 2, 3, 4], (side) => side, (side) => {
    const node = clone("seat");
    node.dataset.side = side;
    return node;
  }, (node, side) => showSeat(node, state, store, side, sheet));
  turnSheet(hook(root, "sheet"), state, sheet, store);
  drawCentre(hook(root, "centre"), state);
  show(hook(root, "centre"), !sheet);
  showFlanks(hooks(root, "flank"), state, store, sheet);
  drawChannels(hook(root, "channels"), state, sheet);
  const stale = hook(root, "stale");
  if (show(stale, store.isStale)) showStale(stale, store);
}

/** The line that says since when nothing was heard. */
export function showStale(node, store) {
  if (!node.firstChild) {
    const wave = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" });
    wave.append(svg("path", { d: "M4 10a12 12 0 0 1 16 0M7 14a8 8 0 0 1 10 0M10.5 17.5a3 3 0 0 1 3 0M4 20L20 4" }));
    node.append(wave, make("span"));
  }
  setText(node.lastChild, t("link.stale", { s: store.quietSeconds, time: clock(store.lastAt) }));
}

function places(state) {
  const scores = SEATS.map((seat) => state.seats?.[seat]?.score ?? 0);
  const best = Math.max(...scores);
  if (scores.every((score) => score === best)) return {};
  return Object.fromEntries(SEATS.map((seat, i) => [
    seat,
    { place: 1 + scores.filter((score) => score > scores[i]).length, gap: best - scores[i] },
  ]));
}

function showSeat(node, state, store, side, sheet) {
  const seat = seatAt(state, side);
  const one = state.seats?.[seat];
  const what = turnOf(state, side);
  const standing = faultOf(state);
  const fault = standing && (standing.side === side || !standing.side);
  const phase = phaseWords(state);
  node.classList.toggle("acting", Boolean(what));
  node.classList.toggle("faulty", Boolean(fault));
  node.toggleAttribute("data-act", Boolean(what) && !fault);
  show(hook(node, "pool"), Boolean(what) && !fault);
  node.setAttribute("aria-label", t("side.label", { side, name: nameOf(state, seat) }));
  hook(node, "wind").replaceChildren(...windTile(hook(node, "wind"), one?.wind));
  setName(hook(node, "name"), nameOf(state, seat));
  const dealer = hook(node, "dealer");
  if (show(dealer, state.dealer === seat)) setText(dealer, t("dealer.seal"));
  const { place, gap } = places(state)[seat] ?? {};
  setText(hook(node, "place"), hasScores(state) ? placeWords(place, gap) : "");
  setNumber(hook(node, "score"), sheet || !hasScores(state) ? null : one?.score, { sign: true, foot: true });
  setNumber(hook(node, "smallscore"), sheet ? one?.score : null, { sign: true, foot: true });

  const words = turnWords(state, side);
  const turn = hook(node, "turn");
  setTurn(turn, words ?? restWords(state, seat, sheet));
  act(turn, Boolean(words));
  setText(hook(node, "under"), [underWords(state, seat, side, sheet), timerWords(state, seat)].filter(Boolean).join("\u3000"));
  node.style.setProperty("--left", String(what ? timerOf(state, seat)?.share ?? 1 : 1));
  showTick(turn, !words && turn.textContent !== "" && state.confirm?.[seat] === "yes");
  showButtons(hook(node, "buttons"), buttonsOf(state, side), side);
  showMenu(hook(node, "menu"), state, store, side);
  showRefusal(hook(node, "refusal"), state, store, `side${side}`);
  showRail(node, state, side, fault, phase);
}

const hasScores = (state) => state.phase !== "STARTING" && Boolean(state.seats);

function windTile(holder, wind) {
  const old = holder.firstChild;
  if (!wind) return [tile("back", {}, old)];
  return [tile(wind, {}, old)];
}

function placeWords(place, gap) {
  if (!place) return "";
  return gap ? t("place.gap", { place: t(`place.${place}`), n: gap }) : t(`place.${place}`);
}

/** What stands where "your turn" would, for those who need do nothing. */
function restWords(state, seat, sheet) {
  if (sheet && sheet.kind === "win") {
    const delta = sheet.result?.deltas?.[seat] ?? 0;
    if (sheet.isBooked) return "";
    if (state.confirm?.[seat] === "yes") return t("confirm.done");
    if (state.confirm?.[seat] === "no") return t("confirm.no");
    if (seat === sheet.seat && sheet.result?.legal) return t("pay.will_get", { n: delta, total: sheet.result.total, unit: unitName(sheet.result.total) });
    return "";
  }
  if (sheet && state.confirm?.[seat] === "yes") return t("confirm.done");
  if (!sheet && state.seats?.[seat]?.dead) return t("false.dead");
  if (state.phase === "CLAIM" && state.claim?.seat === seat) return t("claim.you");
  return "";
}

function underWords(state, seat, side, sheet) {
  const what = turnOf(state, side);
  if ((!sheet || sheet.isBooked) && moveWords(state, seat)) return moveWords(state, seat);
  if (what === "lay") return t("act.lay.more");
  if (state.phase === "BUILDING" && state.build?.target) {
    return t("build.side", { side, n: state.build.counts?.[side - 1] ?? 0, total: state.build.target[side - 1] ?? 0 });
  }
  if (state.phase === "CLAIM" && state.claim && state.claim.seat !== seat && state.step === "from") {
    return t("claim.win", { name: brief(state, state.claim.seat) });
  }
  if (sheet?.kind === "win" && !sheet.isBooked && sheet.seat === seat && state.phase === "CONFIRM") {
    const names = (state.act ?? []).map((one) => brief(state, seatAt(state, one.side)));
    return t("confirm.wait", { names: join(names) });
  }
  const kongs = (state.kongs ?? []).filter((kong) => kong.seat === seat).length;
  return [kongs && !sheet ? t("kong.count", { n: kongs }) : "", irregularWords(state, seat)].filter(Boolean).join("\u3000");
}

/** Set words before a tick without losing the tick. */
function setTurn(node, text) {
  if (node.dataset.text === text) return;
  node.dataset.text = text;
  node.textContent = text;
}

function showTick(node, on) {
  const has = node.querySelector("svg");
  if (on && !has) node.append(" ", tick());
  if (!on && has) has.remove();
}

/** Fill a row of buttons. */
export function showButtons(row, buttons, side, zone = `side${side}`) {
  each(row, buttons, (button) => button.key, () => {
    const node = make("button", "btn");
    node.type = "button";
    return node;
  }, (node, button) => {
    setText(node, t(`do.${button.key.replace("ask:", "")}`));
    act(node, button.primary);
    node.dataset.zone = zone;
    node.dataset.side = side;
    if (button.name.startsWith("ask:")) {
      node.dataset.do = button.name.slice(4);
      delete node.dataset.command;
    } else {
      node.dataset.command = button.name;
      node.dataset.body = JSON.stringify(button.body ?? {});
      delete node.dataset.do;
    }
  });
}

function showMenu(menu, state, store, side) {
  const open = store.local.menu === side && state.phase === "PLAYING";
  if (!show(menu, open)) return;
  each(menu, moreOf(state, side), (one) => one.key, () => {
    const node = make("button", "btn");
    node.type = "button";
    return node;
  }, (node, one) => {
    setText(node, t(`do.${one.key}`));
    node.dataset.zone = `side${side}`;
    node.dataset.side = side;
    if (one.body) {
      node.dataset.command = one.name;
      node.dataset.body = JSON.stringify(one.body);
    } else node.dataset.do = one.name.replace("ask:", "");
  });
}

function showRail(node, state, side, fault, phase) {
  const long = side % 2 === 1;
  const words = faultWords(state);
  const notice = long ? noticeWords(state).at(-1) : ""; // while it stands, the name of the rules makes room
  setText(hook(node, "rail-left"), [circleName(state), handName(state), long && !notice && variantName(state)].filter(Boolean).join("\u3000"));
  setText(hook(node, "rail-mid"), words ? `${words.what}\u3000${faultOf(state).code || ""}` : phase);
  hook(node, "rail-mid").classList.toggle("fault", Boolean(words));
  setText(hook(node, "rail-right"), notice || wallWords(state));
  setText(hook(node, "corner-left"), long ? state.table?.name ?? "" : "");
  setText(hook(node, "corner-right"), long ? t("seal.words", { head: seal(state.head) }) : "");
}

/** Turn the sheet to who must act first: the payer, else the next seat. Sides 2 and 4 read it from home. */
function turnSheet(node, state, sheet, store) {
  if (!sheet) {
    delete node.dataset.reader;
    return;
  }
  let reader = store.local.reader;
  if (!reader) {
    const first = sheet.claim?.from && turnOf(state, sideOf(state, sheet.claim.from)) === "confirm" ? sideOf(state, sheet.claim.from) : state.act?.[0]?.side;
    reader = first === 3 && !sheet.isBooked && state.phase === "CONFIRM" ? 3 : 1;
    store.local.reader = reader; // it stays so until somebody touches another strip or the phase ends
  }
  node.dataset.reader = reader === 3 ? "3" : "1";
}

function showFlanks(flanks, state, store, sheet) {
  const words = sheet ? null : faultWords(state);
  const wish = !sheet && !words ? state.correction : null;
  const isEnd = !sheet && !words && !wish && isOver(state) && Boolean(store.report);
  const last = !sheet && !words && !wish && !isEnd ? state.last : null;
  for (const flank of flanks) {
    show(flank, Boolean(words || wish || isEnd || last));
    if (words) showFault(flank, state, words, store);
    else if (wish) showWish(flank, state, store);
    else if (isEnd) showReport(flank, state, store.report);
    else if (last) showLast(flank, state, last);
  }
}

function showFault(flank, state, words, store) {
  if (!flank.querySelector(".faultcard")) flank.replaceChildren(clone("faultcard"));
  fixedWords(flank);
  const sign = hook(flank, "fault-sign");
  const { code, key, severity } = faultOf(state);
  if (sign.dataset.severity !== severity) {
    sign.dataset.severity = severity;
    sign.replaceChildren(faultSign(severity));
  }
  setText(hook(flank, "fault-what"), words.what);
  setText(hook(flank, "fault-on"), words.goesOn);
  // a board that is away has nothing to clear
  for (const node of [hook(flank, "fault-code"), flank.querySelector(".help"), flank.querySelector('[data-command="clear_fault"]')]) show(node, Boolean(state.fault));
  setText(hook(flank, "fault-code"), t("fault.code", { code: code || key, severity: t(`severity.${severity}`) }));
  const mark = hook(flank, "fault-tick");
  if (!mark.firstChild) mark.append(tick());
  each(hook(flank, "fault-steps"), words.steps, (step, index) => `${index}${step}`, () => {
    const item = make("li");
    item.append(make("span", "stepno num foot"), make("p"));
    return item;
  }, (item, step, index) => {
    setNumber(item.firstChild, index + 1, { foot: true });
    setText(item.lastChild, step);
  });
  showRefusal(hook(flank, "fault-refusal"), state, store, "fault");
}

/** The shape says how bad it is: circle i, triangle, octagon, octagon with a lock. */
export function faultSign(severity) {
  const picture = svg("svg", { viewBox: "0 0 32 32", class: "octagon", "aria-hidden": "true" });
  if (severity === "info") {
    picture.append(svg("circle", { cx: 16, cy: 16, r: 14, class: "ring" }), mark("i", "ringed"));
  } else if (severity === "warn") {
    picture.append(svg("path", { d: "M16 3L30 28H2Z", class: "ring" }), mark("!", "ringed", 25));
  } else {
    picture.append(svg("path", { d: "M9 0h14l9 9v14l-9 9H9l-9-9V9z" }), mark("!"));
    if (severity === "latched") picture.append(svg("path", { d: "M20 22h12v10H20zM22 22v-3a4 4 0 0 1 8 0v3h-2v-3a2 2 0 0 0-4 0v3z", class: "lock" }));
  }
  return picture;
}

function mark(text, cls = "", y = 22) {
  const node = svg("text", { x: 16, y, class: cls });
  node.textContent = text;
  return node;
}

function showLast(flank, state, last) {
  if (!flank.querySelector(".lasthand")) flank.replaceChildren(clone("lasthand"));
  fixedWords(flank);
  setText(hook(flank, "last-title"), t("last.title", { n: last.hand }));
  setText(hook(flank, "last-what"), lastWords(state, last));
  setText(hook(flank, "last-how"), amendedWords(state, last) || howWords(state, last));
  showSets(hook(flank, "last-tiles"), last.hand_text ? readSets(readingOfLast({ ...last, flowers: [] })) : []);
  each(hook(flank, "last-deltas"), SEATS.filter((seat) => last.deltas?.[seat]), (seat) => seat, () => {
    const part = make("span", "delta");
    part.append(make("span"), make("span"));
    return part;
  }, (part, seat) => {
    setName(part.firstChild, nameOf(state, seat, last));
    setNumber(part.lastChild, last.deltas[seat], { sign: true, foot: true });
  });
  setText(hook(flank, "last-mark"), last.head ? t(last.amended?.length ? "seal.amended" : "seal.booked") : "");
  show(hook(flank, "last-mark"), Boolean(last.head));
  show(hook(flank, "last-open"), last.kind === "win");
  setText(hook(flank, "last-head"), last.head ? seal(last.head) : t("settle.writing"));
}


const TURNED = { 1: 0, 2: -90, 3: 180, 4: 90 };

/** Dashed channels on the cloth from each payer to the winner, with the amount facing the payer. */
function drawChannels(picture, state, sheet) {
  const { deltas, paying, getting } = sheet && sheet.kind === "win" && state.phase === "CONFIRM" ? flows(sheet) : { paying: [], getting: [] };
  const key = JSON.stringify([deltas, paying, getting]);
  if (picture.dataset.drawn === key) return;
  picture.dataset.drawn = key;
  picture.replaceChildren();
  if (getting.length !== 1) return;
  const to = sideOf(state, getting[0]);
  const [ax, ay] = ENDS[to];
  picture.append(svg("path", { d: "M-13 -8h26l-13 18z", class: "arrow", transform: `translate(${ax} ${ay}) rotate(${TURNED[to]})` }));
  for (const seat of paying) {
    const from = sideOf(state, seat);
    picture.append(svg("path", { d: route(from, to), class: "channel" }));
    const [x, y] = PLATE_AT[from];
    const plate = svg("g", { transform: `translate(${x} ${y}) rotate(${TURNED[from]})` });
    const text = svg("text", { y: 8, class: "platetext" });
    text.textContent = String(-deltas[seat]);
    plate.append(svg("rect", { x: -28, y: -17, width: 56, height: 34, rx: 8, class: "plate" }), text, svg("path", { d: "M-14 13h28", class: "platefoot" }));
    picture.append(plate);
  }
}

// a track runs round the sheet, in the gap between it and the strips
const NEAR = 155;
const [FAR_X, FAR_Y] = [DESIGN[0] - NEAR, DESIGN[1] - NEAR];
const ENDS = { 1: [700, FAR_Y], 2: [FAR_X, 470], 3: [700, NEAR], 4: [NEAR, 610] };
const CORNER = { 12: [FAR_X, FAR_Y], 23: [FAR_X, NEAR], 34: [NEAR, NEAR], 14: [NEAR, FAR_Y] };
const PLATE_AT = { 1: [560, FAR_Y], 2: [FAR_X, 330], 3: [560, NEAR], 4: [NEAR, 750] };

function route(from, to) {
  const middle = (from % 4) + 1;
  const via = Math.abs(from - to) === 2 ? [cornerOf(from, middle), cornerOf(middle, to)] : [cornerOf(from, to)];
  return `M${[PLATE_AT[from], ...via, ENDS[to]].map((point) => point.join(" ")).join("L")}`;
}

const cornerOf = (a, b) => CORNER[[a, b].sort().join("")];
