// The table screen's codes to sit down with: four of them, each turned to the side it seats.

import { ask } from "./actions.js";
import { invitations } from "./api.js";
import { each, make, setName, setText, show, svg } from "./dom.js";
import { t } from "./i18n.js";
import { SEATS, nameOf, sideOf } from "./words.js";

const LOOK_MS = 2000;
const QUIET = 4; // modules of light around a code

function plate() {
  const box = make("div", "invite");
  box.append(svg("svg", { role: "img" }), make("b"), make("span", "second"));
  return box;
}

function draw(box, seat, one, state) {
  box.dataset.side = sideOf(state, seat);
  const picture = box.children[0];
  if (picture.dataset.url !== one.url) {
    picture.dataset.url = one.url;
    picture.setAttribute("viewBox", `${-QUIET} ${-QUIET} ${one.size + 2 * QUIET} ${one.size + 2 * QUIET}`);
    picture.replaceChildren(svg("path", { d: one.path }));
  }
  picture.setAttribute("aria-label", t("join.code", { name: nameOf(state, seat) }));
  setName(box.children[1], nameOf(state, seat));
  setText(box.children[2], one.joined ? t("join.taken") : "");
}

/** Show the codes until the dialog closes; a code that was used is replaced at once. */
export async function showInvitations(store, zone) {
  const first = await invitations();
  if (!first.ok) {
    store.refuse(zone, first.code, first.params);
    return;
  }
  const box = make("div", "invites");
  const note = make("p", "second");
  const dialog = ask((inside) => inside.append(make("h2", "", t("join.title")), note, box));
  dialog.classList.add("wideask");
  const fill = (view) => {
    if (show(note, view.is_local)) setText(note, t("join.local"));
    each(box, SEATS.filter((seat) => view.seats[seat]), (seat) => seat, plate, (node, seat) => draw(node, seat, view.seats[seat], store.state));
  };
  fill(first);
  const timer = setInterval(async () => {
    if (!box.isConnected || !dialog.open) {
      clearInterval(timer);
      dialog.classList.remove("wideask");
      return;
    }
    const now = await invitations();
    if (now.ok) fill(now);
  }, LOOK_MS);
}
