// Correcting one tile: the camera's guesses first, then suit tabs and a pad.

import { act, clone, each, hook, make, show } from "./dom.js";
import { t } from "./i18n.js";
import { fixedWords } from "./look.js";
import { readTiles, tile, tileName } from "./tiles.js";

export const TABS = {
  m: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((rank) => `${rank}m`),
  p: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((rank) => `${rank}p`),
  s: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((rank) => `${rank}s`),
  honor: [..."ESWNCFP"],
  flower: [..."abcdefgh"],
};
const COPIES = 4;

const tabOf = (text) =>
  "ESWNCFP".includes(text) ? "honor" : "abcdefgh".includes(text) ? "flower" : text?.length === 2 ? text[1] : "m";

/** A tile whose name stands beside it: a picture only, or it would be read twice. */
function picture(text) {
  const face = tile(text);
  face.setAttribute("aria-hidden", "true");
  return face;
}

/** Show the pad for tile `local.tile` of the reading; `local.tab` and `local.wish` are what the hand chose. */
export function showPad(root, state, local) {
  if (!root.firstChild) root.append(clone("pad"));
  fixedWords(root);
  const tiles = readTiles(state.reading);
  const now = tiles[local.tile];
  if (!now) return;
  const tab = local.tab ?? tabOf(now.guesses[0] ?? now.text);
  const wish = local.wish ?? null;
  hook(root, "pad-which").textContent = t("fix.which", { n: local.tile + 1 });

  const guesses = now.sure ? [] : now.guesses.slice(0, 2);
  show(hook(root, "pad-guess-title"), guesses.length > 0);
  each(hook(root, "guesses"), guesses, (text) => text, (text) => {
    const button = make("button", "guess");
    button.type = "button";
    button.dataset.do = "wish";
    button.dataset.tile = text;
    const words = make("span", "guesswords");
    words.append(make("b"), make("span", "faint"));
    button.append(picture(text), words);
    return button;
  }, (button, text, index) => {
    button.classList.toggle("chosen", wish === text);
    button.setAttribute("aria-pressed", String(wish === text));
    button.querySelector("b").textContent = tileName(text);
    button.querySelector(".faint").textContent =
      index === 0 && now.score != null ? t("fix.percent", { percent: Math.round(now.score * 100) }) : "";
  });

  each(hook(root, "tabs"), Object.keys(TABS), (key) => key, (key) => {
    const button = make("button");
    button.type = "button";
    button.setAttribute("role", "tab");
    button.dataset.do = "tab";
    button.dataset.tab = key;
    return button;
  }, (button, key) => {
    button.textContent = t(`suit.${key}`);
    button.setAttribute("aria-selected", String(key === tab));
  });

  const keys = hook(root, "keys");
  keys.classList.toggle("four", tab === "honor" || tab === "flower");
  each(keys, TABS[tab], (text) => text, (text) => {
    const button = make("button", "key");
    button.type = "button";
    button.dataset.do = "wish";
    button.dataset.tile = text;
    button.append(picture(text), make("span", "keyname"));
    return button;
  }, (button, text) => {
    const seen = tiles.filter((one) => one.index !== local.tile && one.sure && one.text === text).length;
    const gone = seen >= COPIES;
    button.disabled = gone;
    button.classList.toggle("chosen", wish === text);
    button.setAttribute("aria-pressed", String(wish === text));
    button.querySelector(".keyname").textContent = gone ? t("fix.four_seen") : tileName(text);
    if (gone) button.setAttribute("aria-label", `${tileName(text)} ${t("fix.four_seen")}`);
    else button.removeAttribute("aria-label");
  });

  hook(root, "effect").textContent = wish ? t("fix.effect", { old: now.sure ? tileName(now.text) : t("fix.unsure"), now: tileName(wish) }) : "";
  const send = hook(root, "send");
  send.textContent = t("fix.send");
  send.disabled = !wish;
  act(send, Boolean(wish));
}
