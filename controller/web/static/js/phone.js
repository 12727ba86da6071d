// A phone at one seat: me at the bottom, one decision in the thumb zone.

import { buttonsOf, moreOf } from "./actions.js";
import { showWish } from "./amend.js";
import { act, clone, each, hook, make, setName, setNumber, setText, show } from "./dom.js";
import { t } from "./i18n.js";
import { fixedWords, settings } from "./look.js";
import { showPad } from "./pad.js";
import { graph } from "./graph.js";
import {
  DIALOGS, alsoWords, flows, minimumWords, notWinWords, reviewNames, sheetOf, sheetTitle, showAnswer, showDoubt, showPhoto, showRefusal, showRows, showUncounted, statedWords,
} from "./sheet.js";
import { showReport } from "./report.js";
import { readSets, readingOfLast, showSets } from "./tiles.js";
import { drawCentre } from "./wall.js";
import { faultSign, showButtons, showStale } from "./wide.js";
import {
  SEATS, amendedWords, circleName, faultOf, faultWords, handName, howWords, isOver, lastWords, moveWords, nameOf, noticeWords, phaseWords, seal, seatAt, sideOf, startWords, timerWords, turnWords, unitName, wallWords,
} from "./words.js";

const OF_WINNER = new Set(["how", "flags", "withdraw"]); // only who claimed says this of his claim
let joined = 0; // the side at which the player sits for whom this browser speaks

/** Follow the player whose seat was joined; seats change in the middle of a game. */
export function followPlayer(state, player) {
  const seat = player && SEATS.find((one) => state.seats?.[one]?.player === player);
  joined = seat ? sideOf(state, seat) : 0;
}

/** The side this phone sits at: as joined, from the address, else as chosen here; 0 = not yet. */
export function mySide() {
  if (joined) return joined;
  const asked = Number(new URLSearchParams(location.search).get("side"));
  if (asked >= 1 && asked <= 4) return asked;
  return Number(sessionStorage.getItem("mjt.side")) || 0;
}

export function setSide(side) {
  sessionStorage.setItem("mjt.side", String(side));
}

/** Draw the phone. */
export function renderPhone(root, state, store) {
  if (!root.firstChild) {
    root.append(clone("phone"));
    settings(hook(root, "phone-settings"), () => store.changed());
  }
  fixedWords(root);
  const side = mySide();
  show(hook(root, "leave"), Boolean(joined));
  showHead(root, state, store);
  show(hook(root, "chooser"), !side);
  show(hook(root, "seated"), Boolean(side));
  if (!side) {
    each(hook(root, "choices"), [1, 2, 3, 4], (one) => one, () => {
      const button = make("button", "btn");
      button.type = "button";
      button.dataset.do = "sit";
      return button;
    }, (button, one) => {
      button.dataset.side = one;
      setText(button, t("sit.at", { side: one, name: nameOf(state, seatAt(state, one)) }));
    });
    return;
  }
  const seat = seatAt(state, side);
  const sheet = sheetOf(state, store.local);
  const padOpen = store.local.tile != null && Boolean(sheet?.reading) && !sheet.isBooked;
  root.firstElementChild.classList.toggle("fixing", padOpen);
  root.firstElementChild.classList.toggle("booked", Boolean(sheet?.isBooked));
  show(hook(root, "fixing"), padOpen);
  show(hook(root, "showing"), !padOpen);
  if (padOpen) {
    showPad(hook(root, "phone-pad"), state, store.local);
    showSets(hook(root, "fix-sets"), readSets(state.reading), { onTile: true, chosen: store.local.tile });
    fixPhoto(root, state, store, sheet);
  } else {
    showFault(root, state);
    const wish = hook(root, "phone-wish");
    if (show(wish, Boolean(state.correction))) showWish(wish, state, store);
    showReport(hook(root, "phone-report"), state, isOver(state) && !state.correction ? store.report : null);
    show(hook(root, "at-play"), !sheet);
    show(hook(root, "at-sheet"), Boolean(sheet));
    if (sheet) showClaim(root, state, store, seat, sheet);
    else showPlay(root, state, seat);
  }
  showFoot(root, state, store, side, sheet, padOpen);
}

function showHead(root, state, store) {
  setText(hook(root, "where"), [state.table?.name, circleName(state), handName(state)].filter(Boolean).join("\u3000"));
  const live = hook(root, "live-dot");
  live.classList.toggle("live", store.isOpen && !store.isStale);
  setText(hook(root, "live-word"), t(store.isStale ? "link.off" : store.isOpen ? "link.live" : "link.again"));
  const stale = hook(root, "phone-stale");
  if (show(stale, store.isStale)) showStale(stale, store);
}

function showFault(root, state) {
  const words = faultWords(state);
  const box = hook(root, "phone-fault");
  if (!show(box, Boolean(words))) return;
  const sign = hook(box, "phone-fault-sign");
  const { severity } = faultOf(state);
  if (sign.dataset.severity !== severity) {
    sign.dataset.severity = severity;
    sign.replaceChildren(faultSign(severity));
  }
  setText(hook(box, "phone-fault-on"), words.goesOn);
  setText(hook(box, "phone-fault-what"), words.what);
  setText(hook(box, "phone-fault-how"), words.steps.join(t("list.then")));
}

function showPlay(root, state, seat) {
  setText(hook(root, "phase"), [phaseWords(state), timerWords(state, seat)].filter(Boolean).join("\u3000"));
  setText(hook(root, "wall-left"), wallWords(state));
  const notices = noticeWords(state);
  if (show(hook(root, "notices"), notices.length > 0)) setText(hook(root, "notices"), notices.join(" "));
  setNumber(hook(root, "my-score"), state.seats[seat]?.score, { sign: true, foot: true });
  setName(hook(root, "my-name"), nameOf(state, seat));
  setText(hook(root, "my-wind"), t("seat.wind", { wind: t(`wind.${state.seats[seat]?.wind}`) }));
  const dealer = hook(root, "my-dealer");
  if (show(dealer, state.dealer === seat)) setText(dealer, t("dealer.seal"));
  const order = [1, 2, 3].map((step) => SEATS[(SEATS.indexOf(seat) + step) % 4]);
  each(hook(root, "others"), order, (other) => other, () => {
    const box = make("div", "other");
    const who = make("p", "otherwho");
    who.append(make("span"), make("span", "seal"));
    box.append(who, make("p", "faint"), make("p", "otherscore"));
    return box;
  }, (box, other) => {
    setName(box.children[0].children[0], nameOf(state, other));
    const mark = box.children[0].children[1];
    if (show(mark, state.dealer === other)) setText(mark, t("dealer.seal"));
    setText(box.children[1], t("seat.wind", { wind: t(`wind.${state.seats[other]?.wind}`) }));
    setNumber(box.children[2], state.seats[other]?.score, { sign: true, foot: true });
  });
  const picture = hook(root, "phone-centre");
  drawCentre(picture, state);
  picture.setAttribute("class", `phone-centre me${sideOf(state, seat)}`);
  const last = state.last;
  if (show(hook(root, "phone-last"), Boolean(last))) {
    setText(hook(root, "phone-last-title"), t("last.title", { n: last.hand }));
    setText(hook(root, "phone-last-words"), [lastWords(state, last), amendedWords(state, last) || howWords(state, last)].filter(Boolean).join("\u3000"));
    setText(hook(root, "phone-last-seal"), last.head ? t("settle.done", { head: seal(last.head) }) : "");
    showSets(hook(root, "phone-last-tiles"), last.hand_text ? readSets(readingOfLast({ ...last, flowers: [] })) : []);
    setText(hook(root, "phone-last-open"), t(last.kind === "win" ? "last.open" : "graph.label"));
  }
}

function showClaim(root, state, store, seat, sheet) {
  setText(hook(root, "phone-title"), sheetTitle(state, sheet));
  setText(hook(root, "phone-how"), mine(state, seat, sheet) ?? (sheet.claim?.by ? howWords(state, { kind: sheet.kind, ...sheet.claim }) : ""));
  const booked = hook(root, "phone-booked");
  if (show(booked, sheet.isBooked)) setText(booked, t("seal.booked"));
  const entered = hook(root, "phone-entered");
  if (show(entered, sheet.isBooked)) setText(entered, [amendedWords(state, state.last), t("settle.done", { head: seal(sheet.head) })].filter(Boolean).join("\u3000"));
  showPhoto(root, state, sheet);
  fitPhoto(hook(root, "photo-img"), state, store, sheet);
  const may = !sheet.isBooked && sheet.kind === "win" && ["CONFIRM", "REVIEW"].includes(state.phase);
  showSets(hook(root, "phone-read"), sheet.reading ? readSets(sheet.reading) : [], { onTile: may });
  showDoubt(hook(root, "phone-doubt"), state, sheet);
  const asks = may && state.phase === "REVIEW";
  const why = [notWinWords(state, sheet), alsoWords(state, sheet), statedWords(state, sheet), asks ? t("review.how") : ""].filter(Boolean);
  if (show(hook(root, "phone-why"), why.length > 0)) each(hook(root, "phone-why"), why, (line) => line, (line) => make("span", "", line));
  const knows = sheet.kind === "win" && sheet.result?.legal;
  show(hook(root, "phone-total"), Boolean(knows));
  if (knows) {
    const total = hook(root, "phone-num");
    setNumber(total, sheet.result.total, { hatched: !sheet.isBooked });
    total.dataset.confirmed = String(sheet.isBooked);
    setText(hook(root, "phone-unit"), unitName(sheet.result.total));
    showRows(hook(root, "phone-rows"), sheet, { plain: true });
  }
  showReasons(hook(root, "phone-reasons"), sheet, notWinWords(state, sheet));
  showPay(root, state, seat, sheet);
  showAnswers(root, state, sheet);
  showAfter(root, state, store, sheet);
}

/** The rows with their tiles and what is not counted: open once the hand is booked, or is no win. */
function showReasons(box, sheet, refused) {
  const rows = sheet.kind === "win" ? sheet.result?.elements ?? [] : [];
  if (!show(box, rows.length > 0)) return;
  const isOpen = sheet.isBooked || Boolean(refused);
  const state = `${sheet.isBooked}/${refused}`;
  if (box.dataset.state !== state) {
    box.dataset.state = state;
    box.open = isOpen;
  }
  setText(hook(box, "phone-minimum"), minimumWords(sheet));
  showRows(hook(box, "phone-why-rows"), sheet);
  showUncounted(hook(box, "phone-uncounted"), sheet);
}

function mine(state, seat, sheet) {
  if (sheet.kind === "win" && sheet.claim?.by === "discard" && sheet.claim.from === seat) return t("by.you");
  return null;
}

function showPay(root, state, seat, sheet) {
  const box = hook(root, "phone-pay");
  const delta = sheet.result?.deltas?.[seat];
  const counts = sheet.kind === "false_win" || (sheet.kind === "win" && Boolean(sheet.result?.legal));
  if (!show(box, delta !== undefined && counts)) return;
  const score = state.seats[seat]?.score ?? 0;
  setText(hook(box, "pay-label"), t(sheet.isBooked ? "pay.done" : delta < 0 ? "pay.after" : delta > 0 ? "pay.receive" : "pay.nothing"));
  const amount = hook(box, "pay-amount");
  setNumber(amount, sheet.isBooked ? delta : Math.abs(delta), { sign: sheet.isBooked, foot: true, hatched: !sheet.isBooked });
  amount.dataset.confirmed = String(sheet.isBooked);
  setNumber(hook(box, "pay-old"), sheet.isBooked ? score - delta : score, { sign: true, foot: true });
  setNumber(hook(box, "pay-new"), sheet.isBooked ? score : score + delta, { sign: true, foot: true });
}

function showAnswers(root, state, sheet) {
  const seats = sheet.isBooked ? [] : Object.keys(sheet.confirm);
  each(hook(root, "phone-answers"), seats, (other) => other, () => {
    const part = make("p", "phone-answer");
    part.append(make("b"), make("span", "answer"));
    return part;
  }, (part, other) => {
    setName(part.firstChild, nameOf(state, other));
    const asked = state.phase === "CONFIRM" && !sheet.confirm[other];
    showAnswer(part.lastChild, { answer: sheet.confirm[other], asked, gets: false, booked: false, legal: false });
  });
}

/** After the hand: what everybody paid, and how the scores went. */
function showAfter(root, state, store, sheet) {
  const box = hook(root, "phone-after");
  if (!show(box, sheet.isBooked)) return;
  const { deltas } = flows(sheet);
  each(hook(box, "after-deltas"), SEATS, (other) => other, () => {
    const part = make("div", "other");
    part.append(make("p"), make("p", "otherscore"));
    return part;
  }, (part, other) => {
    setName(part.firstChild, nameOf(state, other));
    setNumber(part.lastChild, deltas[other] ?? 0, { sign: true, foot: true });
  });
  graph(hook(box, "graph"), state, store.sheet);
}

function fixPhoto(root, state, store, sheet) {
  const picture = hook(root, "fix-photo");
  const wanted = sheet.evidence ? `/api/v1/evidence/${sheet.evidence}.jpg` : "";
  if (show(picture.closest("figure"), wanted !== "") && picture.getAttribute("src") !== wanted) picture.src = wanted;
  picture.alt = t("photo.alt", { name: nameOf(state, sheet.seat) });
  fitPhoto(picture, state, store, sheet);
}

/** The whole hand at first; a touch makes it large, with its middle in sight. */
function fitPhoto(picture, state, store, sheet) {
  const button = picture.parentElement;
  const figure = button.parentElement;
  const isLarge = Boolean(store.local.large);
  show(button, picture.hasAttribute("src"));
  button.setAttribute("aria-label", t(isLarge ? "photo.whole" : "photo.large", { name: nameOf(state, sheet.seat) }));
  if (figure.classList.contains("large") === isLarge) return;
  figure.classList.toggle("large", isLarge);
  figure.scrollLeft = (figure.scrollWidth - figure.clientWidth) / 2;
}

function showFoot(root, state, store, side, sheet, padOpen) {
  const words = turnWords(state, side);
  const turn = hook(root, "phone-turn");
  const said = moveWords(state, seatAt(state, side)) || (words ?? startWords(state, side));
  show(turn, said !== "" && !padOpen);
  setText(turn, said);
  act(turn, Boolean(words));
  const buttons = padOpen ? [] : buttonsOf(state, side);
  const inReview = !padOpen && state.phase === "REVIEW" && sheet;
  if (inReview) buttons.push(...reviewButtons(state, sheet));
  hook(root, "phone-buttons").classList.toggle("many", Boolean(inReview));
  if (sheet?.isBooked && !buttons.length && store.local.last) buttons.push({ name: "ask:close", key: "close" });
  const named = buttons.map((one) => (one.key === "confirm" && words ? { ...one, key: sheet?.kind === "win" ? "confirm_pay" : "confirm" } : one));
  showButtons(hook(root, "phone-buttons"), named, side, "me");
  const pay = hook(root, "phone-buttons").querySelector('[data-key="confirm_pay"]');
  if (pay) setText(pay, payWords(state, side));
  const open = store.local.menu === side && state.phase === "PLAYING" && !sheet;
  const more = hook(root, "phone-more");
  if (show(more, open)) {
    showButtons(more, moreOf(state, side).map((one) => (one.body ? one : { ...one, name: one.name.startsWith("ask:") ? one.name : `ask:${one.name}` })), side, "me");
  }
  showRefusal(hook(root, "phone-refusal"), state, store, "me");
  setText(hook(root, "phone-seal"), `${t("seal.words", { head: seal(state.head) })}\u3000${t("points.only")}`);
}

function payWords(state, side) {
  const delta = (state.false_win ?? state.result)?.deltas?.[seatAt(state, side)] ?? 0;
  return delta < 0 ? t("do.confirm_pay", { n: -delta }) : t("do.confirm");
}

/** A ruling is made at the table's own screen: a phone has no referee's rights. */
function reviewButtons(state, sheet) {
  const body = sheet.seat ? { seat: sheet.seat } : {};
  const own = !joined || !sheet.seat || sideOf(state, sheet.seat) === joined;
  const told = reviewNames(state, sheet).filter((name) => name !== "ruling" && (own || !OF_WINNER.has(name)));
  return told.map((name) => (DIALOGS.has(name) ? { name: `ask:${name}`, key: name === "kong" ? "declare_kong" : name } : { name, key: name, body }));
}
