// The table page: one store, one render, two layouts (four-sided screen, or a phone at one seat).

import { askAmend, askRule } from "./amend.js";
import { askBreak, askClock } from "./asks-hand.js";
import { askDice, askFalseWin, askFlags, askFlowers, askHand, askHow, askKong, askNote, askPoints, askRob, askRuling, askUnkong, askVoid, askWin, waiveKongs } from "./asks.js";
import { listen, send } from "./actions.js";
import { leaveSeat, session } from "./api.js";
import { each, hook, make, numberText, setText, show } from "./dom.js";
import { loadWords, t } from "./i18n.js";
import { applyLook, fixedWords, settings } from "./look.js";
import { showInvitations } from "./invite.js";
import { followPlayer, mySide, renderPhone, setSide } from "./phone.js";
import { showStatistics } from "./statistics.js";
import { Store } from "./store.js";
import { renderWide } from "./wide.js";
import { SEATS, faultOf, faultWords, lastWords, nameOf, phaseWords, seatAt } from "./words.js";

const store = new Store();
const wide = hook(document, "wide");
const phone = hook(document, "phone");
let player = ""; // whose seat this browser joined
const layout = matchMedia("(min-width: 900px) and (min-aspect-ratio: 5/4)");

function render() {
  const { state } = store;
  fixedWords();
  if (state) followPlayer(state, player);
  const isWide = layout.matches && !player && !new URLSearchParams(location.search).has("side");
  show(wide, isWide);
  show(phone, !isWide);
  document.documentElement.classList.toggle("stale", store.isStale);
  if (!state) {
    if (isWide) renderWide(wide, STARTING, store);
    return;
  }
  tidy(state);
  if (isWide) renderWide(wide, state, store);
  else renderPhone(phone, state, store);
  showScores(state);
  announce(state);
}

// the service has said nothing yet: felt and the four wind tiles only
const STARTING = {
  phase: "STARTING",
  seats: Object.fromEntries(SEATS.map((seat, i) => [seat, { side: i + 1, name: " ", wind: seat, score: null }])),
};

/** Choices on this page end with what they were about; a tile pointed at outlives a dispute over it. */
let before = "";
function tidy(state) {
  const now = `${state.phase}/${state.hand}`;
  if (now === before) return;
  const isDispute = before === `CONFIRM/${state.hand}` && state.phase === "REVIEW";
  before = now;
  hook(wide, "sheet").classList.remove("turning");
  const pad = isDispute ? {} : { tile: null, wish: null, tab: null };
  store.local = { ...store.local, ...pad, menu: null, last: false, closed: false, reader: null, large: false };
}

function showScores(state) {
  each(hook(document, "score-rows"), SEATS, (seat) => seat, () => {
    const row = make("tr");
    const head = make("th");
    head.scope = "row";
    row.append(head, make("td"), make("td"));
    return row;
  }, (row, seat) => {
    setText(row.children[0], nameOf(state, seat));
    setText(row.children[1], t(`wind.${state.seats?.[seat]?.wind ?? seat}`));
    setText(row.children[2], numberText(state.seats?.[seat]?.score ?? 0, true));
  });
}

/** One polite sentence per phase for those who listen. */
let said = "";
function announce(state) {
  const key = `${state.phase}/${faultOf(state)?.key ?? ""}/${document.documentElement.lang}`;
  if (key === said) return;
  said = key;
  const fault = faultWords(state);
  const words = fault ? `${fault.what}. ${fault.goesOn}` : state.phase === "SETTLED" ? `${lastWords(state, state.last)}. ${phaseWords(state)}` : phaseWords(state);
  setText(hook(document, "live"), words);
}

function touch(what, node) {
  const { state, local } = store;
  const side = Number(node.dataset.side || mySide() || 1);
  const seat = state && seatAt(state, side);
  const zone = node.dataset.zone ?? "page";
  const rest = { menu: null };
  switch (what) {
    case "more":
      store.choose({ menu: local.menu === side ? null : side });
      return;
    case "dice":
      askDice(store, zone);
      break;
    case "clock":
      askClock(store, state, zone);
      break;
    case "break":
      askBreak(store, state, seat, zone);
      break;
    case "amend":
      askAmend(store, state, seat, zone);
      break;
    case "rule":
      askRule(store, zone);
      break;
    case "win":
      askWin(store, state, seat, zone);
      break;
    case "rob":
      askRob(store, state, seat, zone);
      break;
    case "kong":
      askKong(store, state, seat, zone);
      break;
    case "write":
      askHand(store, state, zone);
      break;
    case "flags":
      askFlags(store, state, zone);
      break;
    case "flowers":
      askFlowers(store, state, zone);
      break;
    case "how":
      askHow(store, state, zone);
      break;
    case "false_win":
      askFalseWin(store, state, seat, zone);
      break;
    case "unkong":
      askUnkong(store, state, seat, zone);
      break;
    case "waive":
      waiveKongs(store, state, zone);
      break;
    case "note":
      askNote(store, state, node.dataset.zone === "sheet" ? null : seat, zone);
      break;
    case "ruling":
      askRuling(store, state, state.claim.seat, zone);
      break;
    case "points":
      askPoints(store, seat, zone);
      break;
    case "void":
      askVoid(store, zone);
      break;
    case "tile":
      if (state.phase === "CONFIRM" && !mySide()) store.refuse("sheet", "hint.dispute_first");
      else store.choose({ tile: Number(node.dataset.index), wish: null, tab: null });
      return;
    case "enlarge":
      store.choose({ large: !local.large });
      return;
    case "untile":
      store.choose({ tile: null, wish: null, tab: null });
      return;
    case "tab":
      store.choose({ tab: node.dataset.tab, wish: null });
      return;
    case "wish":
      store.choose({ wish: node.dataset.tile });
      return;
    case "send-tile":
      sendTile(seat);
      return;
    case "last":
      store.choose({ last: true });
      return;
    case "statistics":
      showStatistics(store, zone);
      return;
    case "close":
      store.choose({ last: false, closed: true });
      return;
    case "invite":
      showInvitations(store, "side1");
      return;
    case "leave":
      leaveSeat().then(() => location.reload());
      return;
    case "sit":
      setSide(side);
      store.changed();
      return;
    default:
  }
  store.choose(rest);
}

/** Send the corrected tile; a player who still has to agree disputes first. */
async function sendTile(seat) {
  const { state, local } = store;
  const zone = mySide() ? "me" : "sheet";
  const body = { index: local.tile, tile: local.wish };
  if (body.tile === null || body.index === null) return;
  if (state.phase === "CONFIRM" && !(await send(store, "dispute", { seat }, zone))) return;
  if (await send(store, "correct_tile", body, zone)) store.choose({ tile: null, wish: null, tab: null });
}

applyLook();
await loadWords();
settings(hook(document, "settings"), () => store.changed());
store.addEventListener("change", render);
layout.addEventListener("change", () => store.changed());
addEventListener("resize", () => store.changed());
listen(store, touch);
wide.addEventListener("click", (event) => {
  const strip = event.target.closest(".strip");
  if (strip && !event.target.closest("button")) {
    hook(wide, "sheet").classList.add("turning");
    store.choose({ reader: Number(strip.closest(".seat").dataset.side) });
  }
});
player = (await session()).player ?? "";
store.connect({ history: true });
render();
