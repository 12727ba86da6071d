// Putting right what was booked wrongly: the wish, the card that asks everybody, the mark on a corrected hand.

import { ask, askChoice, send } from "./actions.js";
import { askEnd, resultWords } from "./amend-result.js";
import { clone, each, hook, make, numberText, setName, setText, show } from "./dom.js";
import { t } from "./i18n.js";
import { fixedWords } from "./look.js";
import { showRefusal } from "./sheet.js";
import { SEATS, brief, lastWords, namesOf, reasonWords, sideOf } from "./words.js";

const SEAL_MS = 1000;
const REASON_MOST = 200;
const NAME_MOST = 24;
const REASONS = {
  undo_result: ["misread", "wrong_payer", "wrong_winner", "hasty"],
  correct_result: ["misread", "wrong_payer", "wrong_winner", "miscounted"],
  swap_players: ["sat_wrong", "names_mixed"],
  replace_player: ["has_to_go", "relief"],
  end_game: ["late", "has_to_go", "agreed"],
};

/** The id of the referee whose page this is; null on everybody else's. The service asks for the right to it. */
export const referee = () => new URLSearchParams(location.search).get("referee");

// ---------------------------------------------------------------- what everybody is asked

/** What is asked for, in one line. */
export function wishWords(state) {
  const { what, ask: wish } = state.correction;
  const names = namesOf(state, wish.seats ?? [wish.place].filter(Boolean));
  const n = wish.hand ?? wish.from_hand ?? "";
  if (what === "player") return t(wish.leaves ? "amend.wish.leaves" : "amend.wish.player", { names });
  return t(`amend.wish.${what}`, what === "result" ? { n, how: resultWords(state) } : { n, names });
}

/** Who wants it and why. */
export function becauseWords(state) {
  const { seat, reason } = state.correction;
  const why = reasonWords(reason);
  return seat ? t("amend.asks", { name: brief(state, seat), why }) : t("amend.why_only", { why });
}

/** Fill a card with the wish: what, who and why, every score as it is and would be, who is still asked. */
export function showWish(box, state, store) {
  if (!box.querySelector(".amendcard")) box.replaceChildren(clone("amendcard"));
  fixedWords(box);
  setText(hook(box, "amend-what"), wishWords(state));
  setText(hook(box, "amend-why"), becauseWords(state));
  const { answers, changes } = state.correction;
  each(hook(box, "amend-changes"), changes, (one) => one.entry, () => {
    const row = make("li");
    row.append(make("span"), make("span", "change"));
    return row;
  }, (row, one) => {
    setName(row.firstChild, one.name);
    setText(row.lastChild, one.was === one.will ? numberText(one.was, true) : `${numberText(one.was, true)} \u2192 ${numberText(one.will, true)}`);
  });
  const waits = SEATS.filter((seat) => seat in answers && !answers[seat]);
  setText(hook(box, "amend-waits"), t("confirm.wait", { names: namesOf(state, waits) }));
  show(hook(box, "amend-rule"), Boolean(referee()));
  showRefusal(hook(box, "amend-refusal"), state, store, "wish");
}

// ---------------------------------------------------------------- the wish

/** What is to be put right. */
export function askAmend(store, state, seat, zone) {
  const by = { seat };
  const choices = [
    ...(state.last ? [
      { label: t("amend.undo"), then: () => askWhy(store, zone, "undo_result", by) },
      { label: t("amend.result"), then: () => askWhich(store, zone, t("amend.which"), (row) => askResult(store, state, by, row, zone)) },
      { label: t("amend.swap"), then: () => askSwap(store, state, by, zone) },
    ] : []),
    { label: t("amend.player"), then: () => askPlayer(store, state, by, zone) },
    { label: t("amend.name"), then: () => askName(store, state, seat, zone) },
    ...(state.over ? [] : [{ label: t("amend.end"), then: () => askWhy(store, zone, "end_game", by) }]),
  ];
  askChoice(store, t("amend.title"), choices, zone);
}

/** Another result of a hand, and why. */
function askResult(store, state, by, row, zone) {
  askEnd(store, state, row, zone, (body) => askWhy(store, zone, "correct_result", { ...by, ...body }));
}

/** Why: one of the usual reasons, or in one's own words; then it is sent. */
function askWhy(store, zone, name, body) {
  const dialog = ask((box) => {
    const tell = (reason) => {
      dialog.close();
      send(store, name, { ...body, reason }, zone);
    };
    const list = make("div", "choices");
    for (const reason of REASONS[name]) list.append(button(t(`amend.because.${reason}`), () => tell(reason)));
    const field = make("input", "field words");
    field.maxLength = REASON_MOST;
    field.setAttribute("aria-label", t("amend.own"));
    field.placeholder = t("amend.own");
    const go = button(t("amend.send"), () => field.value.trim() && tell(field.value.trim()), "btn send");
    box.append(make("h2", "", t("amend.why")), list, field, go);
  });
}

function button(label, then, classes = "btn") {
  const node = make("button", classes, label);
  node.type = "button";
  node.addEventListener("click", then);
  return node;
}

/** Which hand, the latest first. */
async function askWhich(store, zone, title, then) {
  const { state } = store;
  const rows = [...(await store.rows())].reverse().slice(0, 16);
  askChoice(store, title, rows.map((row) => {
    const seat = row.winners.length ? SEATS.find((one) => state.seats[one].entry === row.winners[0].entry) : null;
    const words = lastWords(state, { kind: row.kind, seat, total: row.winners[0]?.total });
    return { label: `${row.hand}\u3000${words}`, then: () => then(row) };
  }), zone);
}

/** Which two sat at each other's places, from which hand on, and whether they still do. */
function askSwap(store, state, by, zone) {
  const pairs = SEATS.flatMap((one, i) => SEATS.slice(i + 1).map((other) => [one, other]));
  askChoice(store, t("amend.swap"), pairs.map((seats) => ({
    label: namesOf(state, seats),
    then: () => askWhich(store, zone, t("amend.since"), (row) => {
      const body = { ...by, seats, from_hand: row.hand };
      askChoice(store, t("amend.still"), [true, false].map((stay) => ({
        label: t(stay ? "amend.stay" : "amend.back"),
        then: () => askWhy(store, zone, "swap_players", { ...body, stay }),
      })), zone);
    }),
  })), zone);
}

/** Who gives his place to whom. */
function askPlayer(store, state, by, zone) {
  const seats = SEATS.filter((seat) => sideOf(state, seat));
  askChoice(store, t("amend.player"), seats.flatMap((place) => [
    { label: t("amend.wish.player", { names: brief(state, place) }), then: () => askWhy(store, zone, "replace_player", { ...by, place }) },
    ...(state.seats[place].player
      ? [{ label: t("amend.wish.leaves", { names: brief(state, place) }), then: () => askWhy(store, zone, "replace_player", { ...by, place, leaves: true }) }]
      : []),
  ]), zone);
}

/** What the player at this place is called: kept beside the ledger, so nobody has to agree. */
function askName(store, state, seat, zone) {
  const dialog = ask((box) => {
    const field = make("input", "field words");
    field.maxLength = NAME_MOST;
    field.setAttribute("aria-label", t("amend.name"));
    const go = button(t("amend.name_send"), () => {
      if (!field.value.trim()) return;
      dialog.close();
      send(store, "rename", { seat, name: field.value.trim() }, zone);
    }, "btn send");
    box.append(make("h2", "", t("amend.name")), field, go);
  });
}

/** The referee's word: no is a touch, yes is a seal held for a second. */
export function askRule(store, zone) {
  const body = { referee: referee(), id: store.state.correction.id };
  const dialog = ask((box) => {
    const tell = (accept) => {
      dialog.close();
      send(store, "rule_correction", { ...body, accept }, zone);
    };
    const yes = button(t("amend.rule_yes"), () => {}, "btn held");
    let timer = null;
    const stop = () => {
      clearTimeout(timer);
      yes.classList.remove("pressing");
    };
    yes.dataset.hook = "rule-yes";
    yes.addEventListener("pointerdown", () => {
      yes.classList.add("pressing");
      timer = setTimeout(() => tell(true), SEAL_MS);
    });
    for (const end of ["pointerup", "pointerleave", "pointercancel", "blur"]) yes.addEventListener(end, stop);
    const no = button(t("amend.rule_no"), () => tell(false));
    no.dataset.hook = "rule-no";
    box.append(make("h2", "", t("amend.rule")), make("p", "second", wishWords(store.state)), make("p", "second", becauseWords(store.state)), yes, no);
  });
}
