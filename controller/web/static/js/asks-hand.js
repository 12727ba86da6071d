// Questions where people do what the machine or the camera does not: the clock, the break of the wall.

import { ask, askChoice, send } from "./actions.js";
import { askVoid, choice } from "./asks.js";
import { hook, make } from "./dom.js";
import { t } from "./i18n.js";
import { SEATS, brief } from "./words.js";

/** Whose clock is to run: the turn of a seat, or the dealer's first discard, which has more time. */
export function askClock(store, state, zone) {
  const rows = SEATS.filter((seat) => state.seats[seat]).map((seat) => ({ label: brief(state, seat), name: "call_clock", body: { seat } }));
  rows.push({ label: t("clock.first", { name: brief(state, state.dealer) }), name: "call_clock", body: { seat: state.dealer, first: true } });
  askChoice(store, t("clock.whose"), rows, zone);
}

/** A throw that is not told as two dice: where the wall was broken, that the tiles are dealt, or no hand at all. */
export function askBreak(store, state, seat, zone) {
  askChoice(store, t("break.how"), [
    { label: t("do.wall"), then: () => askWall(store, state, zone) },
    { label: t("do.dealt_unread"), name: "dealt", body: { seat } },
    { label: t("do.void"), then: () => askVoid(store, zone) },
  ], zone);
}

/** Where the wall was broken: whose wall, and which stack the first tile came from. */
function askWall(store, state, zone) {
  const wish = { seat: null, stack: null };
  ask((box) => {
    const send_ = make("button", "btn send", t("wall.send"));
    send_.type = "button";
    send_.disabled = true;
    const ready = () => (send_.disabled = !wish.seat || !wish.stack);
    const field = make("input", "field");
    field.inputMode = "numeric";
    field.maxLength = 2;
    field.setAttribute("aria-label", t("wall.stack"));
    field.addEventListener("input", () => {
      wish.stack = /^([1-9]|1\d|2[0-4])$/.test(field.value.trim()) ? Number(field.value.trim()) : null;
      ready();
    });
    send_.addEventListener("click", () => {
      hook(document, "ask").close();
      send(store, "set_wall", wish, zone);
    });
    const whose = choice(SEATS.filter((seat) => state.seats[seat]), (seat) => brief(state, seat), null, (seat) => {
      wish.seat = seat;
      ready();
    });
    box.append(make("h2", "", t("wall.whose")), whose, make("p", "second", t("wall.stack")), field, send_);
  });
}
