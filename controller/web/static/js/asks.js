// Questions with more than one answer: what the dice show, which kong, why a hand is called off.

import { ask, askChoice, send } from "./actions.js";
import { hook, make, svg } from "./dom.js";
import { t } from "./i18n.js";
import { TABS } from "./pad.js";
import { readSets, readTiles, readingOfText, showSets, tile } from "./tiles.js";
import { SEATS, brief, flagWords, openKongs, sideOf } from "./words.js";

const WHERE = ["concealed", "meld1", "meld2", "meld3", "concealed_kong", "win"];
import { die } from "./wall.js";

/** Why the hand is called off. */
export function askVoid(store, zone) {
  const reasons = ["tiles_fell", "misdeal", "agreed"];
  askChoice(
    store,
    t("void.why"),
    reasons.map((reason) => ({ label: t(`void.${reason}`), name: "void", body: { reason } })),
    zone,
  );
}

/** What two dice show: one row of six for each. */
export function askDice(store, zone) {
  const pips = [null, null];
  const dialog = ask((box) => {
    box.append(make("h2", "", t("dice.set")));
    for (const which of [0, 1]) {
      const row = make("div", "dicerow");
      for (let n = 1; n <= 6; n += 1) {
        const button = make("button", "btn diebutton");
        button.type = "button";
        button.setAttribute("aria-label", t("dice.pips", { n }));
        const picture = svg("svg", { viewBox: "-24 -24 48 48", "aria-hidden": "true" });
        picture.append(die(n, 44));
        button.append(picture);
        button.addEventListener("click", () => {
          pips[which] = n;
          for (const other of row.children) other.setAttribute("aria-pressed", String(other === button));
          send_.disabled = pips.includes(null);
        });
        row.append(button);
      }
      box.append(row);
    }
    const send_ = make("button", "btn send", t("dice.send"));
    send_.type = "button";
    send_.disabled = true;
    send_.dataset.hook = "send-dice";
    send_.addEventListener("click", () => {
      dialog.close();
      send(store, "set_dice", { pips }, zone);
    });
    box.append(send_);
  });
}

/** Win during the deal, or on a robbed kong: how, and from whom. */
export function askWin(store, state, seat, zone) {
  askChoice(store, t("claim.how"), [
    { label: t("do.self_draw"), name: "claim", body: { seat, by: "self_draw" } },
    { label: t("do.claim"), name: "claim", body: { seat, by: "discard" } },
  ], zone);
}

/** Whose added kong was robbed. */
export function askRob(store, state, seat, zone) {
  askChoice(store, t("rob.from"), SEATS.filter((other) => other !== seat && state.seats[other]).map((from) => ({
    label: brief(state, from),
    name: "claim",
    body: { seat, by: "rob_kong", from },
  })), zone);
}

/** How many points the winner says his hand has. */
export function askPoints(store, seat, zone) {
  ask((box) => {
    const field = make("input", "field");
    field.inputMode = "numeric";
    field.maxLength = 6;
    field.setAttribute("aria-label", t("stated.how"));
    const send_ = make("button", "btn send", t("stated.send"));
    send_.type = "button";
    send_.disabled = true;
    const points = () => (/^\d{1,6}$/.test(field.value.trim()) ? Number(field.value.trim()) : null);
    field.addEventListener("input", () => (send_.disabled = points() === null));
    const close = () => {
      if (points() === null) return;
      hook(document, "ask").close();
      send(store, "state_points", { seat, points: points() }, zone);
    };
    send_.addEventListener("click", close);
    field.addEventListener("keydown", (event) => event.key === "Enter" && close());
    box.append(make("h2", "", t("stated.how")), field, send_);
  });
}

/** A referee's ruling that a win is none: by mistake, as the table agreed, or meant, with an amount of his own. */
export function askRuling(store, state, seat, zone) {
  ask((box) => {
    const field = make("input", "field");
    field.inputMode = "numeric";
    field.maxLength = 4;
    field.setAttribute("aria-label", t("ruling.each"));
    const amount = () => (/^\d{1,4}$/.test(field.value.trim()) ? Number(field.value.trim()) : null);
    const button = (words, body) => {
      const node = make("button", "btn", words);
      node.type = "button";
      node.addEventListener("click", () => {
        hook(document, "ask").close();
        send(store, "rule_false_win", { seat, ...body() }, zone);
      });
      return node;
    };
    const meant = button(t("ruling.meant"), () => ({ deliberate: true, each: amount() }));
    meant.disabled = true;
    field.addEventListener("input", () => (meant.disabled = amount() === null || amount() > 1000));
    const mistake = button(t("ruling.mistake"), () => ({}));
    box.append(make("h2", "", t("ruling.title", { name: brief(state, seat) })), mistake, make("p", "second", t("ruling.each")), field, meant);
  });
}

const NOTED = ["early_draw", "out_of_turn", "late_claim", "over_time", "wrong_call"];

/** What was not in order, and of whom; tiles can be shown too early only while a win is looked at. */
export function askNote(store, state, by, zone) {
  const winner = ["CONFIRM", "REVIEW"].includes(state.phase) && state.claim?.kind === "win" ? state.claim.seat : null;
  const who = (kind) => askChoice(store, t("irregular.whose"), SEATS.filter((seat) => state.seats[seat] && seat !== winner).map((seat) => ({
    label: brief(state, seat),
    name: "irregularity",
    body: { seat, kind, ...(by ? { by } : {}) },
  })), zone);
  const kinds = winner ? ["premature_reveal"] : NOTED;
  askChoice(store, t("irregular.what"), kinds.map((kind) => ({ label: t(`irregular.${kind}`), then: () => who(kind) })), zone);
}

/** Whose win was none; the others are asked. */
export function askFalseWin(store, state, by, zone) {
  const able = SEATS.filter((seat) => state.seats[seat] && !state.seats[seat].dead);
  askChoice(store, t("false.whose"), able.map((seat) => ({
    label: brief(state, seat),
    name: "false_win",
    body: { seat, by },
  })), zone);
}

/** Which kong: kind, tile, and from whom if it was a discard. `then(kong)` takes one of an earlier hand (`of`). */
export function askKong(store, state, seat, zone, { of = null, then = null } = {}) {
  const wish = { kind: "exposed_kong", tile: null, from: null };
  const dialog = ask((box) => {
    box.append(make("h2", "", t("kong.which")));
    const send_ = make("button", "btn send", t("kong.send"));
    const ready = () => {
      send_.disabled = !wish.tile || (wish.kind === "exposed_kong" && !wish.from);
    };
    box.append(
      choice(["exposed_kong", "concealed_kong", "added_kong"], (kind) => t(`kong.${kind}`), wish.kind, (kind) => {
        wish.kind = kind;
        from.hidden = kind !== "exposed_kong";
        ready();
      }),
    );
    const from = choice(SEATS.filter((other) => other !== seat && sideOf(state, other)), (other) => t("kong.from", { name: brief(state, other, of) }), null, (other) => {
      wish.from = other;
      ready();
    });
    const tiles = make("div", "kongtiles");
    for (const text of [...TABS.m, ...TABS.p, ...TABS.s, ...TABS.honor]) {
      const button = tile(text, { tag: "button" });
      button.type = "button";
      button.addEventListener("click", () => {
        wish.tile = text;
        for (const other of tiles.children) other.classList.toggle("chosen", other === button);
        ready();
      });
      tiles.append(button);
    }
    send_.type = "button";
    send_.disabled = true;
    send_.addEventListener("click", () => {
      dialog.close();
      const body = { seat, kind: wish.kind, tile: wish.tile };
      if (wish.kind === "exposed_kong") body.from = wish.from;
      if (then) then(body);
      else send(store, "declare_kong", body, zone);
    });
    box.append(from, tiles, send_);
  });
  dialog.classList.add("wideask");
  dialog.addEventListener("close", () => dialog.classList.remove("wideask"), { once: true });
}

/** Which declared kong is taken back: one's own while people play, anybody's while the hand is looked at.
 *  One that lies face down is not named: of several the seat's last one goes first. */
export function askUnkong(store, state, seat, zone) {
  const all = state.phase === "REVIEW";
  const kongs = openKongs(state).filter((kong) => all || kong.seat === seat);
  const isLast = (kong) => kong.tile || kong === kongs.findLast((one) => !one.tile && one.seat === kong.seat);
  askChoice(store, t("kong.back"), kongs.filter(isLast).map((kong) => ({
    label: `${brief(state, kong.seat)} `,
    node: tile(kong.tile ?? "back"),
    name: "withdraw_kong",
    body: { seat: kong.seat, ...(kong.tile ? { tile: kong.tile } : {}) },
  })), zone);
}

/** Let the undeclared kongs of the hand stay unpaid; the hand stays as it was read. */
export function waiveKongs(store, state, zone) {
  send(store, "correct", { hand: state.reading.hand, waive_kongs: true }, zone);
}

/** A row of buttons of which one is chosen. */
export function choice(values, label, chosen, pick) {
  const row = make("div", "choices");
  for (const value of values) {
    const button = make("button", "btn", label(value));
    button.type = "button";
    button.setAttribute("aria-pressed", String(value === chosen));
    button.addEventListener("click", () => {
      for (const other of row.children) other.setAttribute("aria-pressed", String(other === button));
      pick(value);
    });
    row.append(button);
  }
  return row;
}

/** Say anew how the hand was won, and from whom; circumstances stay as they were told. */
export function askHow(store, state, zone) {
  const { seat, flags = [] } = state.claim;
  askChoice(store, t("claim.how"), [
    { label: t("do.self_draw"), name: "claim", body: { seat, by: "self_draw", flags } },
    ...SEATS.filter((other) => other !== seat && sideOf(state, other)).map((from) => ({
      label: t("by.discard", { name: brief(state, from) }),
      name: "claim",
      body: { seat, by: "discard", from, flags },
    })),
  ], zone);
}

/** What no tile shows of a win, each to be switched on or off; the claim is stated anew with them. */
export function askFlags(store, state, zone) {
  const { seat, by, from } = state.claim;
  const chosen = new Set(state.claim.flags ?? []);
  const dialog = ask((box) => {
    box.append(make("h2", "", t("flag.title")));
    const send_ = make("button", "btn send", t("flag.send"));
    send_.type = "button";
    send_.addEventListener("click", () => {
      dialog.close();
      const body = { seat, by, flags: [...chosen] };
      if (from) body.from = from;
      send(store, "claim", body, zone);
    });
    box.append(toggles(state.table.circumstances, (flag) => make("span", "", flagWords(flag)), chosen), send_);
  });
}

/** Which flowers the winner has laid aside. */
export function askFlowers(store, state, zone) {
  const chosen = new Set((state.reading?.flowers ?? []).map((one) => one.tile).filter((one) => TABS.flower.includes(one)));
  const dialog = ask((box) => {
    box.append(make("h2", "", t("flowers.title")));
    const send_ = make("button", "btn send", t("flowers.send"));
    send_.type = "button";
    send_.dataset.hook = "send-flowers";
    send_.addEventListener("click", () => {
      dialog.close();
      send(store, "set_flowers", { flowers: [...chosen].sort() }, zone);
    });
    box.append(toggles(TABS.flower, (one) => tile(one), chosen), send_);
  });
}

function toggles(values, picture, chosen) {
  const row = make("div", "choices toggles");
  for (const value of values) {
    const button = make("button", "btn");
    button.type = "button";
    button.dataset.value = value;
    const shown = picture(value);
    button.append(shown);
    if (!shown.textContent) button.setAttribute("aria-label", shown.getAttribute("aria-label"));
    button.setAttribute("aria-pressed", String(chosen.has(value)));
    button.addEventListener("click", () => {
      if (!chosen.delete(value)) chosen.add(value);
      button.setAttribute("aria-pressed", String(chosen.has(value)));
    });
    row.append(button);
  }
  return row;
}

/** Write the parts of a hand as tile text: open melds with their source, the rest, the winning tile apart. */
export function handText({ melds, concealed, win }) {
  const open = melds.filter((meld) => meld.tiles.length);
  const texts = open.map((meld) => (meld.source ? `[${meld.tiles.join("")},${meld.source}]` : `(${meld.tiles.join("")})`));
  return [...texts, concealed.join("")].filter(Boolean).join(" ") + (win ? ` + ${win}` : "");
}

function partsOf(reading) {
  const flowers = (reading?.flowers ?? []).filter((one) => one.sure !== false).map((one) => one.tile);
  const parts = { melds: [], concealed: [], win: null, flowers };
  const tiles = readTiles(reading).map((one) => (one.sure ? one.text : one.guesses[0])).filter(Boolean);
  if (tiles.length !== (reading?.tiles ?? []).length) return parts;
  let at = 0;
  for (const meld of reading?.melds ?? []) {
    const source = meld.kind === "concealed_kong" ? null : meld.source ?? 1;
    parts.melds.push({ source, tiles: tiles.slice(at, at + meld.tiles) });
    at += meld.tiles;
  }
  parts.concealed = tiles.slice(at);
  if (reading?.has_win_tile !== false && parts.concealed.length % 3 === 2) parts.win = parts.concealed.pop();
  return parts;
}

/** Enter a whole hand: choose where the tile lies, then touch it. `then(text, flowers)` takes it, else it is sent. */
export function askHand(store, state, zone, then = null) {
  let parts = partsOf(then ? null : state.reading);
  let where = "concealed";
  let isNew = true;
  const dialog = ask((box) => {
    box.append(make("h2", "", t("write.title")));
    const seen = make("div", "written");
    const text = make("p", "second");
    const send_ = make("button", "btn send", t("fix.send"));
    send_.type = "button";
    const draw = () => {
      const written = handText(parts);
      text.textContent = [written, parts.flowers.join("")].filter(Boolean).join("\u3000");
      showSets(seen, readSets(readingOfText(written, parts.flowers)));
      send_.disabled = !parts.win;
    };
    const add = (one) => {
      if (TABS.flower.includes(one)) {
        parts.flowers = parts.flowers.includes(one) ? parts.flowers.filter((other) => other !== one) : [...parts.flowers, one].sort();
      } else if (where === "concealed") parts.concealed.push(one);
      else if (where === "win") parts.win = one;
      else {
        const last = parts.melds.at(-1);
        const size = where === "concealed_kong" ? 4 : 3;
        const source = where === "concealed_kong" ? null : Number(where.slice(-1));
        const grows = last && !isNew && last.source === source && last.tiles.length < size;
        const kong = last && !isNew && source && last.tiles.length === 3 && last.tiles.every((other) => other === one);
        if (grows || kong) last.tiles.push(one);
        else parts.melds.push({ source, tiles: [one] });
        isNew = false;
      }
      draw();
    };
    const tiles = make("div", "kongtiles");
    const suits = Object.keys(TABS).filter((name) => name !== "flower" || state.table?.flowers);
    for (const one of suits.flatMap((name) => TABS[name])) {
      const button = tile(one, { tag: "button" });
      button.type = "button";
      button.addEventListener("click", () => add(one));
      tiles.append(button);
    }
    const clear = make("button", "btn", t("write.clear"));
    clear.type = "button";
    clear.addEventListener("click", () => {
      parts = { melds: [], concealed: [], win: null, flowers: [] };
      draw();
    });
    send_.addEventListener("click", () => {
      dialog.close();
      if (then) then(handText(parts), parts.flowers);
      else send(store, "correct", { hand: handText(parts), ...(state.table?.flowers ? { flowers: parts.flowers } : {}) }, zone);
    });
    box.append(seen, text, choice(WHERE, (one) => t(`write.${one}`), where, (one) => {
      where = one;
      isNew = true;
    }), tiles, clear, send_);
    draw();
  });
  dialog.classList.add("wideask");
  dialog.addEventListener("close", () => dialog.classList.remove("wideask"), { once: true });
}
