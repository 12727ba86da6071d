// Tiles as pictures of our own faces, and how a hand is laid out for reading. Nothing here scores.

import { t } from "./i18n.js";
import { each, make } from "./dom.js";

export const ORDER = [
  ...["m", "p", "s"].flatMap((suit) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((rank) => `${rank}${suit}`)),
  ..."ESWNCFPabcdefgh",
];
const place = new Map(ORDER.map((text, index) => [text, index]));

/** Return the spoken name of a tile text. */
export const tileName = (text) => (place.has(text) ? t(`tile.${text}`) : t("tile.unknown"));

/** Make or update a tile. Options: doubt, fixed (corrected by a person), turned (claimed), small, tag. */
export function tile(text, { doubt = false, fixed = false, turned = false, small = false, flat = false, tag = "span" } = {}, node = null) {
  const it = node ?? make(tag, "tile");
  if (!node) {
    const picture = make("img");
    picture.alt = "";
    picture.draggable = false;
    const mark = make("span", "mark");
    mark.setAttribute("aria-hidden", "true");
    mark.append(make("i"));
    it.append(picture, mark);
    if (tag === "span") it.setAttribute("role", "img");
  }
  const face = place.has(text) ? text : "back";
  if (it.dataset.tile !== text) {
    it.dataset.tile = text;
    it.firstChild.src = `/tiles/${face}.svg`;
  }
  it.classList.toggle("doubt", doubt);
  it.classList.toggle("fixed", fixed);
  it.classList.toggle("turned", turned);
  it.classList.toggle("small", small);
  it.classList.toggle("flat", flat);
  it.classList.toggle("back", face === "back");
  it.dataset.confirmed = String(!doubt);
  it.querySelector(".mark i").textContent = doubt ? "?" : fixed ? t("mark.fixed") : "";
  it.setAttribute("aria-label", doubt ? t("tile.doubtful", { tile: tileName(text) }) : tileName(text));
  return it;
}

/** Return the tiles of a reading in one form: index, text, sure, score, alternatives, fixed, box. */
export function readTiles(reading) {
  return (reading?.tiles ?? []).map((row, index) => {
    const guesses = (row.alternatives ?? []).map((other) => (Array.isArray(other) ? other[0] : other));
    const sure = row.sure !== false && row.tile !== "?";
    const text = row.tile === "?" ? guesses[0] ?? "?" : row.tile; // the best guess, drawn as doubtful
    return { index, text, score: row.score, sure, guesses, fixed: reading.source === "page" && row.score === 1 };
  });
}

/** Return the groups of a reading: melds as they lie, the rest in sets if it splits, the flowers at the end. */
export const readSets = (reading) => [...handSets(reading), ...flowerSets(reading?.flowers)];

function handSets(reading) {
  const tiles = readTiles(reading);
  const sets = [];
  let at = 0;
  for (const meld of reading?.melds ?? []) {
    const laid = tiles.slice(at, at + meld.tiles);
    const turned = turnedAt(meld, reading.laid);
    sets.push({ kind: meld.kind, tiles: laid.map((one, place) => ({ ...one, turned: place === turned })) });
    at += meld.tiles;
  }
  const rest = tiles.slice(at);
  const hasWin = reading?.has_win_tile !== false && rest.length % 3 === 2;
  const win = hasWin ? rest[rest.length - 1] : null;
  const parts = split(rest);
  if (!parts) {
    if (win) rest.pop();
    if (rest.length) sets.push({ kind: null, tiles: sorted(rest) });
    if (win) sets.push({ kind: "win", tiles: [{ ...win, win: true }] });
    return sets;
  }
  for (const part of parts) {
    sets.push({
      kind: part.length === 2 ? "pair" : null,
      tiles: part.map((one) => (one === win ? { ...one, win: true } : one)),
    });
  }
  return sets;
}

/** Where the claimed tile of a meld lies: left = from the upper player, last = from the lower one. Which tile of
 * a chow was claimed only the table tells; a hand that was written down does not. */
function turnedAt({ kind, source, tiles }, isLaid) {
  if (!source || (kind === "chow" && !isLaid)) return -1;
  const row = kind === "added_kong" ? 3 : tiles; // the fourth tile lies above the turned one
  return { 1: 0, 2: 1, 3: row - 1 }[source];
}

/** Return the flowers laid aside as a set of their own; none if there are none. */
export function flowerSets(flowers) {
  if (!flowers?.length) return [];
  const tiles = flowers.map((one, index) => ({ index: `f${index}`, text: one.tile, score: one.score, sure: one.sure !== false, guesses: [] }));
  return [{ kind: "flowers", aside: true, tiles }];
}

/** Return tile texts such as "345m" and "EE" as sets for showing. */
export const setsOfTexts = (texts) => texts.map((text, at) => ({
  kind: null,
  tiles: singles(text).map((one, index) => ({ index: `${at}.${index}`, text: one, sure: true, guesses: [] })),
}));

const singles = (body) => [...body.matchAll(/(\d+)([mps])|([ESWNCFPa-h])/g)].flatMap(
  ([, ranks, suit, honor]) => (honor ? [honor] : [...ranks].map((rank) => rank + suit)),
);

const sorted = (tiles) => [...tiles].sort((a, b) => (place.get(a.text) ?? 99) - (place.get(b.text) ?? 99));

/** Split tiles into runs, triplets and one pair, or seven pairs, for looking at; null if they do not. */
function split(tiles) {
  if (tiles.length % 3 !== 2 || tiles.some((one) => !place.has(one.text))) return null;
  const ordered = sorted(tiles);
  return sets(ordered, false) ?? pairs(ordered);
}

function sets(left, paired) {
  if (!left.length) return paired ? [] : null;
  const [first] = left;
  const same = left.filter((one) => one.text === first.text);
  const without = (used) => left.filter((one) => !used.includes(one));
  const attempt = (used, pairedNow) => {
    const more = sets(without(used), pairedNow);
    return more && [used, ...more];
  };
  if (first.text.length === 2) {
    const [rank, suit] = first.text;
    const second = left.find((one) => one.text === `${Number(rank) + 1}${suit}`);
    const third = left.find((one) => one.text === `${Number(rank) + 2}${suit}`);
    const run = second && third && attempt([first, second, third], paired);
    if (run) return run;
  }
  if (same.length >= 3) {
    const triplet = attempt(same.slice(0, 3), paired);
    if (triplet) return triplet;
  }
  return !paired && same.length >= 2 ? attempt(same.slice(0, 2), true) : null;
}

function pairs(ordered) {
  if (ordered.length !== 14) return null;
  const out = [];
  for (let i = 0; i < 14; i += 2) {
    if (ordered[i].text !== ordered[i + 1].text) return null;
    out.push([ordered[i], ordered[i + 1]]);
  }
  return out;
}

/** Return a settled hand as a reading, so that it shows like a read one. */
export const readingOfLast = (last) => readingOfText(last.laid ?? last.hand_text, last.flowers, Boolean(last.laid));

/** Return a hand text as a reading; flowers as tile texts, `laid` says that melds are written as they lie. */
export function readingOfText(text, flowers = [], laid = false) {
  const melds = [];
  const tiles = [];
  const [main, win] = splitWin(text ?? "");
  const rest = main.replace(/\[([^\]]*)\]|\(([^)]*)\)/g, (_, open, closed) => {
    const [body, source] = (open ?? closed).split(",");
    const found = singles(body);
    const kind = closed ? "concealed_kong" : body.includes("+") ? "added_kong" : kindOf(found);
    melds.push({ kind, source: Number(source) || null, tiles: found.length });
    tiles.push(...found);
    return " ";
  });
  tiles.push(...singles(rest), ...singles(win));
  return { tiles: tiles.map((one) => ({ tile: one, score: 1, sure: true })), melds, has_win_tile: win !== "", laid, flowers: flowers.map((one) => ({ tile: one, score: 1, sure: true })) };
}

function splitWin(text) {
  const at = text.replace(/\[[^\]]*\]/g, (meld) => "_".repeat(meld.length)).lastIndexOf("+");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

const kindOf = (tiles) => (tiles.length === 4 ? "exposed_kong" : tiles[0] === tiles[1] ? "pung" : "chow");

/** Show sets of tiles in `parent`. `onTile(index)` makes every tile a button. */
export function showSets(parent, sets, { onTile = null, chosen = null, small = false, labels = false } = {}) {
  parent.classList.add("sets");
  each(
    parent,
    sets,
    (set, index) => `${index}:${set.tiles.map((one) => one.index).join(",")}:${onTile ? "b" : "s"}`,
    () => {
      const box = make("div", "setbox");
      box.append(make("div", "set"), make("p", "setname"));
      return box;
    },
    (box, set) => {
      const asButton = onTile && !set.aside; // flowers have a dialog of their own
      each(
        box.firstChild,
        set.tiles,
        (one) => one.index,
        (one) => tile(one.text, { tag: asButton ? "button" : "span" }),
        (node, one) => {
          tile(one.text, { doubt: !one.sure, fixed: one.fixed, turned: Boolean(one.turned), small }, node);
          node.classList.toggle("win", Boolean(one.win));
          node.classList.toggle("chosen", chosen === one.index);
          if (asButton) {
            node.type = "button";
            node.dataset.index = one.index;
            node.dataset.do = "tile";
          }
        },
      );
      const doubtful = set.tiles.find((one) => !one.sure);
      const name = doubtful
        ? t("read.like", { tile: tileName(doubtful.text), percent: Math.round((doubtful.score ?? 0) * 100) })
        : set.kind
          ? t(`set.${set.kind}`)
          : set.tiles.find((one) => one.win)
            ? t("set.won_with", { tile: tileName(set.tiles.find((one) => one.win).text) })
            : "";
      box.lastChild.textContent = labels ? name : "";
      box.lastChild.hidden = !labels || !name;
      box.lastChild.classList.toggle("strong", Boolean(doubtful));
    },
  );
}
