// The win sheet: photo, what was read, what it counts, who pays whom, and where in the procedure we are.

import { act, clone, each, hook, make, setName, setNumber, setText, show, tick } from "./dom.js";
import { pick, t } from "./i18n.js";
import { fixedWords } from "./look.js";
import { showPad } from "./pad.js";
import { readSets, readTiles, readingOfLast, setsOfTexts, showSets, tile, tileName } from "./tiles.js";
import { SEATS, amendedWords, brief, clock, codeWords, flagWords, howWords, isOver, nameOf, namesOf, openKongs, seal, sideOf, turnOf, unitName } from "./words.js";

const STEPS = ["claim", "lay", "read", "confirm", "settle"];

/** What a sheet shows: the claim that is going on, or the hand settled last. */
export function sheetOf(state, local) {
  if (state.correction) return state.phase === "SETTLED" || state.phase === "IDLE" ? null : claimed(state);
  if (local.last && state.last) return settled(state);
  if (state.phase === "SETTLED" && state.last && !local.closed && !isOver(state)) return settled(state);
  return claimed(state);
}

function claimed(state) {
  if (state.false_win && state.phase === "CONFIRM") return accused(state);
  const open = state.phase === "CONFIRM" || state.phase === "REVIEW" || (state.phase === "CLAIM" && state.step === "read");
  if (!open || !state.claim) return null;
  const isDrawn = state.claim.kind === "drawn";
  return {
    kind: isDrawn ? "drawn" : "win",
    seat: state.claim.seat,
    claim: state.claim,
    reading: isDrawn ? null : state.reading,
    result: state.result,
    evidence: state.reading?.evidence ?? null,
    confirm: state.confirm ?? {},
    step: { CLAIM: 2, REVIEW: 2, CONFIRM: 3 }[state.phase],
    isBooked: false,
  };
}

/** A win is said to be none: what it would cost, and who agrees. */
function accused(state) {
  const { seat, deltas } = state.false_win;
  const claim = { seat, by: null, from: null, flags: [] };
  const result = { legal: false, reason: null, elements: [], not_counted: [], deltas };
  return { kind: "false_win", seat, claim, reading: null, result, evidence: null, confirm: state.confirm ?? {}, step: 3, isBooked: false };
}

/** What a false win costs each other player. */
export const eachOf = ({ seat, deltas }) => Math.max(0, ...Object.entries(deltas).filter(([other]) => other !== seat).map(([, n]) => n));

function settled(state) {
  const { last } = state;
  const live = state.phase === "SETTLED" && state.reading?.hand && state.reading.hand === last.hand_text;
  return {
    kind: last.kind,
    seat: last.seat,
    claim: { seat: last.seat, by: last.by, from: last.from, win_tile: null, flags: last.flags },
    reading: live ? state.reading : last.hand_text ? readingOfLast(last) : null,
    result: { ...last, legal: true, reason: null },
    evidence: last.evidence,
    confirm: {},
    step: 4,
    isBooked: Boolean(last.head),
    head: last.head,
    hand: last.hand,
  };
}

/** Title of a sheet in words. */
export function sheetTitle(state, sheet) {
  if (sheet.kind === "drawn") return t("hand.draw");
  if (sheet.kind === "void") return t("last.void");
  if (sheet.kind === "false_win") return t("false.win", { name: brief(state, sheet.seat), n: eachOf(state.false_win) });
  return t(sheet.isBooked ? "sheet.won" : "sheet.win", { name: brief(state, sheet.seat) });
}

/** Why there is no photo: what the camera is said to be now, not always that it rests. */
function noPhotoWords(state) {
  const camera = state.health?.camera ?? "none";
  return camera === "up" ? "photo.none" : `camera.${camera}`;
}

/** Fill everything that shows the photo. */
export function showPhoto(root, state, sheet) {
  if (!show(hook(root, "photo"), sheet.kind === "win")) return;
  const picture = hook(root, "photo-img");
  const wanted = sheet.evidence ? `/api/v1/evidence/${sheet.evidence}.jpg` : "";
  if (picture.getAttribute("src") !== wanted) {
    if (wanted) picture.src = wanted;
    else picture.removeAttribute("src");
  }
  show(picture, wanted !== "");
  picture.alt = t("photo.alt", { name: nameOf(state, sheet.seat) });
  const busy = state.phase === "CLAIM" && !sheet.isBooked;
  const none = hook(root, "photo-none");
  if (show(none, wanted === "")) setText(none, t(busy ? "read.busy" : sheet.evidence === "" ? "request.photo" : noPhotoWords(state)));
  setText(hook(root, "photo-words"), wanted ? t("photo.words", { sha: sheet.evidence.slice(0, 4).toUpperCase() }) : "");
}

/** Words for tiles that nobody vouches for yet. */
export function showDoubt(node, state, sheet) {
  const doubtful = readTiles(sheet.reading).filter((one) => !one.sure);
  const problems = sheet.reading?.problems ?? [];
  if (!show(node, doubtful.length > 0 || problems.length > 0)) return;
  const words = doubtful.map((one) =>
    one.guesses[0]
      ? t("read.doubt", { tile: tileName(one.guesses[0]), n: one.index + 1 })
      : t("read.unseen", { n: one.index + 1 }),
  );
  for (const problem of problems) words.push(codeWords(state, typeof problem === "string" ? problem : problem.code, problem.params));
  const text = words.join(" ");
  if (node.dataset.text === text) return;
  node.dataset.text = text;
  node.replaceChildren(make("span", "doubtmark", "?"), make("span", "", text));
  node.firstChild.setAttribute("aria-hidden", "true");
}

/** Rows of the result: name, the tiles behind it, points; names come from the rules. `plain` leaves the tiles out. */
export function showRows(list, sheet, { plain = false } = {}) {
  const rows = sheet.result?.elements ?? [];
  list.dataset.size = rows.length > 8 ? "many" : rows.length > 5 ? "some" : "few";
  each(list, rows, (row, index) => `${row.key}:${index}`, () => {
    const item = make("li");
    item.append(make("span", "fan"), make("span", "behind"), make("span", "whole"), make("span", "points"));
    return item;
  }, (item, row) => {
    const [name, behind, whole, points] = item.children;
    setText(name, timesWords(row));
    showSets(behind, plain ? [] : setsOfTexts(row.sets ?? []), { small: true });
    setText(whole, row.is_whole && !plain ? t("rows.whole") : "");
    setNumber(points, row.value * (row.count ?? 1));
  });
}

const timesWords = (row) => pick(row.zh, row.en) + (row.count > 1 ? ` \u00d7${row.count}` : "");

/** What the hand has and what is not counted, with the reason. */
export function showUncounted(node, sheet) {
  const rows = sheet.result?.not_counted ?? [];
  if (!show(node, rows.length > 0)) return;
  const [title, list] = node.children;
  setText(title, t("rows.uncounted"));
  each(list, rows, (row, index) => `${row.key}:${index}`, () => {
    const item = make("li");
    item.append(make("b"), make("span"));
    return item;
  }, (item, row) => {
    setText(item.firstChild, timesWords(row));
    setText(item.lastChild, pick(row.why_zh, row.why_en));
  });
}

/** Whether the minimum is met, flowers left out; nothing where a game has none. */
export function minimumWords(sheet) {
  const { minimum, without_flowers: n } = sheet.result ?? {};
  if (!minimum || n === null || n === undefined) return "";
  return t(n >= minimum ? "value.ok" : "value.low", { n, min: minimum });
}

/** The other winners of the same tile: what they have, or that they wait. */
export function alsoWords(state, sheet) {
  const also = (sheet.isBooked ? state.last?.also : state.also) ?? [];
  if (sheet.kind !== "win") return "";
  const waiting = also.filter((one) => one.total === null).map((one) => one.seat);
  const done = also.filter((one) => one.total !== null).map((one) => t("also.won", { name: brief(state, one.seat), n: one.total }));
  return [...done, waiting.length ? t("also.next", { names: namesOf(state, waiting) }) : ""].filter(Boolean).join("\u3000");
}

/** What the winner stated beside the checked value; nothing where he said nothing. */
export function statedWords(state, sheet) {
  const stated = sheet.isBooked ? state.last?.stated : state.stated;
  if (!stated || sheet.kind !== "win") return "";
  const { points: a, checked: b, counted } = stated;
  if (b === null) return t("value.stated", { a });
  return t(a === b ? "value.same" : counted === b ? "value.diff" : "value.lost", { a, b });
}

/** Who pays whom: payers first (the biggest first), then what the winner gets. */
export function flows(sheet) {
  const deltas = sheet.result?.deltas ?? {};
  const paying = SEATS.filter((seat) => (deltas[seat] ?? 0) < 0).sort((a, b) => deltas[a] - deltas[b]);
  const getting = SEATS.filter((seat) => (deltas[seat] ?? 0) > 0);
  const others = SEATS.filter((seat) => seat in sheet.confirm && !paying.includes(seat) && !getting.includes(seat));
  return { deltas, paying, getting, others };
}

function showEquation(root, state, sheet, covered) {
  const { deltas, paying, getting, others } = flows(sheet);
  const agreed = sheet.isBooked;
  const parts = [
    ...[...paying, ...others].map((seat) => ({ seat, amount: sheet.result ? Math.abs(deltas[seat] ?? 0) : null, gets: false })),
    ...getting.map((seat) => ({ seat, amount: deltas[seat], gets: true })),
  ];
  if (!show(root, parts.length > 0 && !covered && (sheet.kind !== "win" || Boolean(sheet.result)))) return;
  each(root, parts, (part) => `${part.gets ? "+" : "-"}${part.seat}`, (part) => {
    const box = make("div", part.gets ? "part gets" : "part");
    const head = make("p", "parthead");
    head.append(make("b"), make("span", "answer"));
    const sum = make("p", "partsum");
    sum.append(make("span", "amount"), make("span", "second why"));
    box.append(head, sum);
    return box;
  }, (box, part) => {
    setName(box.querySelector("b"), nameOf(state, part.seat));
    const answer = sheet.confirm[part.seat];
    const asked = turnOf(state, sideOf(state, part.seat)) === "confirm" && !sheet.isBooked;
    showAnswer(box.querySelector(".answer"), { answer, asked, gets: part.gets, booked: agreed, legal: sheet.kind === "win" });
    const amount = box.querySelector(".amount");
    if (part.amount === null || (sheet.kind !== "win" && !part.amount)) setNumber(amount, null);
    else setNumber(amount, part.amount, { sign: part.gets, foot: true, hatched: !agreed });
    amount.dataset.confirmed = String(agreed);
    setText(box.querySelector(".why"), part.amount === null ? "" : whyWords(sheet, part));
  });
}

function whyWords(sheet, part) {
  if (part.gets) return "";
  if (sheet.claim?.by !== "self_draw" && sheet.claim?.from === part.seat) return t("pay.discarder");
  return "";
}

/** What one said: agreed, disputes, still asked. */
export function showAnswer(node, { answer, asked, gets, booked, legal }) {
  const word = booked
    ? gets ? "pay.got" : "pay.paid"
    : gets ? "pay.get" : answer === "yes" ? "confirm.done" : answer === "no" ? "confirm.no" : asked ? "confirm.asked" : legal ? "pay.give" : "confirm.open";
  const key = `${word}/${asked}`;
  if (node.dataset.word !== key + document.documentElement.lang) {
    node.dataset.word = key + document.documentElement.lang;
    const mark = answer === "yes" && !booked ? tick() : make("span", asked && !answer ? "dot" : "");
    node.replaceChildren(mark, document.createTextNode(` ${t(word)}`));
  }
  act(node, asked && !answer);
  node.classList.toggle("turn", Boolean(asked && !answer));
}

function showTrail(list, sheet) {
  each(list, sheet.kind === "win" ? STEPS : ["confirm", "settle"], (step) => step, () => {
    const item = make("li");
    const mark = make("span", "diamond");
    mark.setAttribute("aria-hidden", "true");
    item.append(mark, make("span"));
    return item;
  }, (item, step) => {
    const at = STEPS.indexOf(step);
    const here = at === sheet.step && !sheet.isBooked;
    item.className = at < sheet.step || sheet.isBooked ? "done" : here ? "here" : "";
    if (here) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
    setText(item.lastChild, t(`trail.${step}`));
  });
}

/** Draw the sheet of the table screen. */
export function showSheet(root, state, store) {
  const { local } = store;
  const sheet = sheetOf(state, local);
  if (!show(root, Boolean(sheet))) return null;
  if (!root.firstChild) root.append(clone("sheet"));
  fixedWords(root);
  setText(hook(root, "sheet-title"), sheetTitle(state, sheet));
  showHow(hook(root, "sheet-how"), state, sheet);
  show(hook(root, "trail"), !sheet.isBooked);
  showTrail(hook(root, "trail"), sheet);
  show(hook(root, "sheet-close"), sheet.isBooked);
  showPhoto(root, state, sheet);

  const inReview = state.phase === "REVIEW" && sheet.kind === "win" && !sheet.isBooked;
  const mayTouch = inReview || (state.phase === "CONFIRM" && sheet.kind === "win" && !sheet.isBooked);
  const read = hook(root, "read");
  showSets(read, sheet.reading ? readSets(sheet.reading) : [], {
    onTile: mayTouch,
    chosen: local.tile ?? null,
    labels: true,
  });
  showDoubt(hook(root, "doubt"), state, sheet);
  showReview(hook(root, "review"), state, sheet);

  const padOpen = inReview && local.tile != null;
  show(hook(root, "verdict"), !padOpen);
  if (show(hook(root, "pad"), padOpen)) showPad(hook(root, "pad"), state, local);

  const total = hook(root, "total");
  const knows = sheet.kind === "win" && sheet.result?.legal;
  setNumber(total, knows ? sheet.result.total : null, { hatched: !sheet.isBooked });
  total.dataset.confirmed = String(sheet.isBooked);
  setText(hook(root, "unit"), knows ? unitName(sheet.result.total) : "");
  const booked = hook(root, "booked");
  if (show(booked, sheet.isBooked)) setText(booked, t("seal.booked"));
  booked.classList.toggle("pressed", sheet.isBooked);
  showFacts(hook(root, "facts"), state, sheet);
  showRows(hook(root, "rows"), sheet);
  showUncounted(hook(root, "uncounted"), sheet);
  setText(hook(root, "reason"), notWinWords(state, sheet));
  showEquation(hook(root, "equation"), state, sheet, inReview); // in doubt nobody owes anything yet
  showRefusal(hook(root, "sheet-refusal"), state, store, "sheet");
  return sheet;
}

/** Why what lies there is no win; nothing if it is one, or nobody knows. */
export function notWinWords(state, sheet) {
  if (!sheet.result || sheet.result.legal || sheet.kind !== "win") return "";
  const low = sheet.result.reason === "below_minimum" ? minimumWords(sheet) : "";
  if (low) return t("review.not_win", { reason: low });
  return t("review.not_win", { reason: codeWords(state, `reason.${sheet.result.reason}`) });
}

function showHow(node, state, sheet) {
  const winTile = sheet.kind === "win" ? readTiles(sheet.reading).at(-1) : null;
  const hasWin = winTile && winTile.sure && sheet.reading?.has_win_tile !== false;
  const key = JSON.stringify([hasWin && winTile.text, sheet.claim, document.documentElement.lang]);
  if (node.dataset.key === key) return;
  node.dataset.key = key;
  node.replaceChildren();
  if (hasWin) node.append(make("span", "", t("sheet.with")), tile(winTile.text));
  const how = howWords(state, { kind: sheet.kind, by: sheet.claim?.by, from: sheet.claim?.from });
  const flags = (sheet.claim?.flags ?? []).map(flagWords);
  if (how && sheet.claim?.by) node.append(make("span", "", [how, ...flags].join("\u3000")));
}

function showFacts(node, state, sheet) {
  const lines = [];
  if (sheet.kind === "win" && sheet.result?.legal && minimumWords(sheet)) lines.push(minimumWords(sheet));
  if (sheet.isBooked && amendedWords(state, state.last)) lines.push(amendedWords(state, state.last));
  if (alsoWords(state, sheet)) lines.push(alsoWords(state, sheet));
  if (statedWords(state, sheet)) lines.push(statedWords(state, sheet));
  if (sheet.isBooked) lines.push(t("settle.done", { head: seal(sheet.head) }));
  else if (sheet.kind === "drawn") lines.push(t("confirm.drawn"));
  else if (sheet.kind === "false_win") lines.push(t("false.ask"), t(`false.${state.false_win.hand}`));
  else if (sheet.result?.legal) lines.push(t("confirm.three"));
  else if (state.phase === "REVIEW") lines.push(t("review.how"));
  each(node, lines, (line) => line, () => make("p", "second"), (line, text) => setText(line, text));
}

/** What one may do about a hand in doubt. */
export const DIALOGS = new Set(["write", "how", "kong", "unkong", "waive", "note", "ruling", "void", "flags", "flowers"]);
export function reviewNames(state, sheet) {
  if (sheet.kind === "drawn") return ["withdraw", "void"];
  const { flowers, circumstances } = state.table ?? {};
  return ["reshoot", "write", ...(flowers ? ["flowers"] : []), "how", ...(circumstances?.length ? ["flags"] : []), "kong", ...kongNames(state), "withdraw", ...(isVouchedFor(state) ? [] : ["false_win"]), "note", "ruling", "void"];
}

/** A kong may be taken back; one that nobody declared may be left unpaid. */
const kongNames = (state) => [
  ...(openKongs(state).length ? ["unkong"] : []),
  ...(state.reading?.hand && state.reading.problems?.includes("kong.undeclared") ? ["waive"] : []),
];

/** Rules and reading say that it is a win: nobody can call it false before a tile is corrected. */
const isVouchedFor = ({ result, reading }) => Boolean(result?.legal && reading?.sure && !reading.problems?.length);

function showReview(node, state, sheet) {
  const on = state.phase === "REVIEW" && !sheet.isBooked;
  const names = state.referee ? ["check_ok", "check_fail"] : on ? reviewNames(state, sheet) : [];
  each(node, names, (name) => name, (name) => {
    const button = make("button", "btn");
    button.type = "button";
    button.dataset.zone = "sheet";
    if (DIALOGS.has(name)) button.dataset.do = name;
    else button.dataset.command = name.startsWith("check_") ? "check_win" : name;
    return button;
  }, (button, name) => {
    setText(button, t(`do.${name === "kong" ? "declare_kong" : name}`));
    if (sheet.seat) button.dataset.side = sideOf(state, sheet.seat);
    if (name.startsWith("check_")) button.dataset.body = JSON.stringify({ ok: name === "check_ok" });
    else if (!DIALOGS.has(name)) button.dataset.body = JSON.stringify(sheet.seat ? { seat: sheet.seat } : {});
  });
}

/** Show why something was refused, near the hand that asked. */
export function showRefusal(node, state, store, zone) {
  const refusal = store.refusals.get(zone);
  if (!show(node, Boolean(refusal))) return;
  const text = codeWords(state, refusal.code, refusal.params);
  if (node.dataset.text === text) return;
  node.dataset.text = text;
  node.replaceChildren(make("span", "", text), make("code", "", refusal.code));
}

export { clock };
