// From a touch to a command: which buttons a seat has now, and what a press does.

import { command, showCode } from "./api.js";
import { hook, make } from "./dom.js";
import { t } from "./i18n.js";
import { isOut, openKongs, seatAt, turnOf } from "./words.js";

/** Motion starts at a touch only: Enter and Space never move wood. */
const MOTION = new Set(["start", "find_seats", "lift", "throw", "pause", "resume"]);

/** Return the buttons of a side: {name, body, primary}. The first amber one is what is asked for. */
export function buttonsOf(state, side) {
  const seat = seatAt(state, side);
  const what = turnOf(state, side);
  const by = { seat };
  const one = (name, body = {}, primary = false, key = null) => ({ name, body, primary, key: key ?? name });
  switch (state.phase) {
    case "IDLE":
    case "SETTLED":
      if (state.correction) return answersTo(state, seat).map(([name, key, primary]) => one(name, { ...by, id: state.correction.id }, primary, key));
      if (what === "clear") return [one("clear_fault", {}, true), one("by_hand")];
      return [...(what === "start" ? startsOf(state).map((name, at) => one(name, {}, at === 0)) : state.over ? [one("new_game")] : []), ...(state.last ? [one("ask:amend")] : [])];
    case "BUILDING":
      if (isOut(state) && seat === state.dealer) return [one("by_hand", {}, true), ...voidOf(state)];
      if (what === "empty") return [one("start", {}, true, "emptied")];
      if (what === "load") return [one("start", {}, true, "loaded"), ...voidOf(state)];
      return pauseOf(state).map((name) => one(name, {}, name === "resume"));
    case "LIFTING":
      if (isOut(state) && seat === state.dealer) return [one("by_hand", {}, true), ...voidOf(state)];
      return what === "load" ? [one("start", {}, true, "loaded")] : [];
    case "READY":
      if (what !== "lift") return [];
      return [isOut(state) ? one("by_hand", {}, true) : one("lift", {}, true), ...voidOf(state)];
    case "DICE":
      if (what !== "throw") return [];
      if (isOut(state)) return [one("ask:dice", {}, true), one("ask:break")];
      return [one("throw", by, true), ...(state.dice?.asking ? [one("ask:dice"), one("ask:break")] : voidOf(state))];
    case "DEALING":
      return what === "deal" ? [one("dealt", by, true), one("ask:win")] : [one("ask:win")];
    case "PLAYING":
      if (what === "discard") return [one("stop_clock", {}, true), one("ask:more")];
      if (state.seats[seat]?.dead) return [one("ask:more")];
      return [one("claim", { seat, by: "discard" }), one("claim", { seat, by: "self_draw" }, false, "self_draw"), one("ask:more")];
    case "CLAIM":
      if (what === "from") return [one("answer_from", by, true)];
      if (what === "lay") {
        const tells = state.claim?.seat === seat && state.table?.circumstances?.length > 0;
        return [one("laid", by, true), ...(tells ? [one("ask:flags")] : []), one("withdraw", by)];
      }
      return state.claim?.seat === seat && state.step === "from" ? [one("withdraw", by)] : [];
    case "CONFIRM":
      if (state.false_win && state.false_win.seat === seat) return [one("dispute", by)];
      if (state.false_win?.by === seat) return [one("withdraw", by)];
      if (what === "confirm") return [one("confirm", by, true), one("dispute", by)];
      if (state.claim?.kind === "win" && state.claim.seat === seat && !state.false_win) return [one("ask:points")];
      return state.confirm?.[seat] === "yes" ? [one("dispute", by)] : [];
    case "REVIEW":
      return mayPutAside(state, seat) ? [one("set_aside", by)] : [];
    case "FAULT":
      return what === "clear" ? [one("clear_fault", {}, true), one("by_hand"), ...voidOf(state)] : [];
    default:
      return [];
  }
}

/** A win that is not sure can be entered later, if all but the winner say so. */
function mayPutAside(state, seat) {
  const { claim, reading, result, aside } = state;
  const isSure = result?.legal && reading?.sure && !reading.problems?.length;
  return claim?.kind === "win" && claim.seat !== seat && !isSure && !aside?.includes(seat);
}

/** How the next hand begins: by the machine, by hand where it is out, or by throws for seats. */
const startsOf = (state) => (isOut(state) ? ["by_hand"] : ["start", ...(state.finds_seats ? ["find_seats"] : [])]);

/** What a seat may say to a correction that is asked for: [command, key, whether it must]. */
function answersTo(state, seat) {
  const answer = state.correction?.answers?.[seat];
  if (answer === undefined) return [];
  const no = ["reject_correction", answer ? "take_back" : "reject_correction", false];
  return answer ? [no] : [["agree_correction", "agree_correction", true], no];
}

/** While the machine builds: let it wait for tiles that were left out, or go on. */
const pauseOf = (state) => ({ no: ["pause"], yes: ["resume"] })[state.build?.pause] ?? [];

/** Before the deal a hand is called off by whom the table waits for; only a hand that has begun can be. */
function voidOf(state) {
  const hasBegun = state.hand > 0 && state.last?.hand !== state.hand;
  return hasBegun ? [{ name: "ask:void", body: {}, primary: false, key: "void" }] : [];
}

/** Further things a seat may do while people play: small and out of the way. */
export function moreOf(state, side) {
  const seat = seatAt(state, side);
  return [
    ...pauseOf(state).map((name) => ({ name, key: name, body: {} })),
    ...(state.seats[seat]?.dead ? [] : [{ name: "ask:rob", key: "rob_kong" }, { name: "ask:kong", key: "declare_kong" }]),
    ...(openKongs(state).some((kong) => kong.seat === seat) ? [{ name: "ask:unkong", key: "unkong" }] : []),
    { name: "ask:false_win", key: "false_win" },
    { name: "ask:clock", key: "clock" },
    { name: "ask:note", key: "note" },
    { name: "washout", key: "washout", body: { seat } },
    { name: "void", key: "void" },
    ...(state.correction
      ? answersTo(state, seat).map(([name, key]) => ({ name, key, body: { seat, id: state.correction.id } }))
      : [{ name: "ask:amend", key: "amend" }]),
  ];
}

/** Handle every press on the page. `extra(name, node)` takes what only this page knows. */
export function listen(store, extra) {
  document.addEventListener("click", async (event) => {
    const node = event.target.closest("[data-command], [data-do]");
    if (!node || node.disabled) return;
    if (node.dataset.do) {
      extra(node.dataset.do, node);
      return;
    }
    const { command: name, zone = "page", refused } = node.dataset;
    if (refused) {
      const { code, params } = JSON.parse(refused);
      store.refuse(zone, code, params); // the page knows already and says why beside it
      return;
    }
    if (MOTION.has(name) && event.detail === 0) {
      store.refuse(zone, "refuse.keyboard");
      return;
    }
    await send(store, name, JSON.parse(node.dataset.body ?? "{}"), zone);
  });
}

/** Send a command; show the refusal near `zone`; ask for the code if the table wants one. */
export async function send(store, name, body, zone) {
  store.forgive(zone);
  const answer = await command(name, body, store.version);
  if (answer.ok) return true;
  if (answer.code === "request.code" && body.seat) store.refuse(zone, "refuse.join"); // the code of the table is not for players
  else if (answer.code === "request.code") askCode(() => send(store, name, body, zone));
  else store.refuse(zone, answer.code, answer.params);
  return false;
}

/** Open the one dialog with what `fill(dialog)` puts in. */
export function ask(fill) {
  const dialog = hook(document, "ask");
  dialog.replaceChildren();
  fill(dialog);
  const close = make("button", "btn quiet", t("do.close"));
  close.type = "button";
  close.addEventListener("click", () => dialog.close());
  dialog.append(close);
  if (!dialog.open) dialog.showModal();
  return dialog;
}

function askCode(then) {
  ask((dialog) => {
    const field = make("input", "field");
    field.inputMode = "numeric";
    field.autocomplete = "one-time-code";
    field.maxLength = 8;
    field.setAttribute("aria-label", t("code.label"));
    const words = make("p", "second", t("code.why"));
    const button = make("button", "btn", t("code.send"));
    button.type = "button";
    button.addEventListener("click", async () => {
      const answer = await showCode(field.value.trim());
      if (!answer.ok) {
        words.textContent = t(answer.code, answer.params);
        return;
      }
      dialog.close();
      then();
    });
    dialog.append(make("h2", "", t("code.label")), words, field, button);
  });
}

/** A choice of large buttons: [{label, name, body}]. */
export function askChoice(store, title, choices, zone) {
  const dialog = ask((box) => {
    box.append(make("h2", "", title));
    const list = make("div", "choices");
    for (const choice of choices) {
      const button = make("button", "btn", choice.label ?? null);
      if (choice.node) button.append(choice.node);
      button.type = "button";
      button.addEventListener("click", () => {
        if (choice.then) choice.then();
        else {
          dialog.close();
          send(store, choice.name, choice.body, zone);
        }
      });
      list.append(button);
    }
    box.append(list);
  });
  return dialog;
}
