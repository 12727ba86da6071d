// Another result of a hand: who won and how, with which tiles, who else won the same tile, which kongs there were.

import { askChoice } from "./actions.js";
import { askHand, askKong } from "./asks.js";
import { join, t } from "./i18n.js";
import { readingOfText, tileName } from "./tiles.js";
import { SEATS, brief, lastWords, sideOf } from "./words.js";

/** The players who sat at the seats in a hand: seats may have changed since. */
const then = (players) => ({ players });

/** A wish for another result, in one line: the end of the hand, every winner, the kongs if they are told anew. */
export function resultWords(state) {
  const { ask: wish, players } = state.correction;
  const of = then(players);
  const words = [wish.kind === "win" ? winnerWords(state, wish, of) : lastWords(state, { kind: wish.kind })];
  for (const one of wish.also ?? []) words.push(t("amend.also", { name: brief(state, one.winner, of) }));
  if (wish.kongs) words.push(wish.kongs.length ? join(wish.kongs.map((kong) => kongWords(state, kong, of))) : t("amend.no_kongs"));
  return words.join(t("amend.then"));
}

function winnerWords(state, wish, of) {
  const name = brief(state, wish.winner, of);
  if (wish.by === "self_draw") return t("amend.self_draw", { name });
  return t(wish.by === "rob_kong" ? "amend.rob_kong" : "amend.discard", { name, from: brief(state, wish.from, of) });
}

const kongWords = (state, kong, of) => t("amend.kong", { name: brief(state, kong.seat, of), kind: t(`kong.${kong.kind}`), tile: tileName(kong.tile) });

/** How the hand of a sheet's row truly ended; `done(body)` takes it. */
export function askEnd(store, state, row, zone, done) {
  const seats = SEATS.filter((seat) => sideOf(state, seat));
  const old = store.history.find((one) => one.hand === row.hand) ?? {};
  const hand = { store, state, row, zone, done, seats, old, of: then(row.seats) };
  const known = { hand: row.hand };
  askChoice(store, t("amend.how"), [
    ...seats.map((winner) => ({
      label: t("sheet.won", { name: brief(state, winner, hand.of) }),
      then: () => askFrom(hand, { ...known, kind: "win", winner }),
    })),
    { label: t("hand.draw"), then: () => askKongs(hand, { ...known, kind: "drawn" }) },
    { label: t("do.void"), then: () => done({ ...known, kind: "void" }) },
  ], zone);
}

function askFrom(hand, body) {
  const { store, state, seats, of, zone } = hand;
  const go = (how) => askTiles(hand, { ...body, ...how });
  const others = seats.filter((seat) => seat !== body.winner);
  askChoice(store, t("claim.how"), [
    { label: t("do.self_draw"), then: () => go({ by: "self_draw" }) },
    ...["discard", "rob_kong"].flatMap((by) => others.map((from) => ({ label: t(`by.${by}`, { name: brief(state, from, of) }), then: () => go({ by, from }) }))),
  ], zone);
}

/** The tiles: as they were read, or written anew; circumstances stay with their winner. */
function askTiles(hand, body) {
  const { store, state, old, zone } = hand;
  const isSame = old.seat === body.winner && old.hand_text;
  const told = isSame ? { flags: old.flags, flowers: old.flowers } : {};
  const write = () => askHand(store, state, zone, (hand_text, flowers) => askAlso(hand, { ...body, ...told, hand_text, flowers }));
  if (!isSame) {
    write();
    return;
  }
  const keep = () => askAlso(hand, { ...body, ...told, hand_text: old.hand_text });
  askChoice(store, t("amend.tiles"), [{ label: t("amend.tiles_same"), then: keep }, { label: t("do.write"), then: write }], zone);
}

/** Who else won the same tile, where the rules let several win. */
function askAlso(hand, body) {
  const { store, state, seats, of, zone } = hand;
  const also = body.also ?? [];
  const taken = [body.winner, body.from, ...also.map((one) => one.winner)];
  const rest = seats.filter((seat) => !taken.includes(seat));
  if (!state.table?.several || body.by === "self_draw" || !rest.length) {
    askKongs(hand, body);
    return;
  }
  const add = (winner) => askHand(store, state, zone, (hand_text, flowers) => askAlso(hand, { ...body, also: [...also, { winner, hand_text, flowers }] }));
  askChoice(store, t("amend.who_else"), [
    { label: t("amend.nobody_else"), then: () => askKongs(hand, body) },
    ...rest.map((seat) => ({ label: t("amend.also", { name: brief(state, seat, of) }), then: () => add(seat) })),
  ], zone);
}

/** All kongs of the hand, where they are paid: those that are booked, and those that the winners' tiles show. */
function askKongs(hand, body) {
  if (!hand.state.table?.kongs) {
    hand.done(body);
    return;
  }
  const booked = hand.row.kongs.map(({ seat, kind, tile }) => ({ seat, kind, tile }));
  const shown = body.kind === "win" ? [body, ...(body.also ?? [])].flatMap(kongsOf) : [];
  editKongs(hand, body, [...booked, ...shown.filter((kong) => !booked.some((one) => one.tile === kong.tile))]);
}

/** The kongs in a winner's tiles; one from a discard lies turned towards whose it was. */
function kongsOf({ winner, hand_text }) {
  const reading = readingOfText(hand_text);
  let at = 0;
  return reading.melds.flatMap((meld) => {
    const tile = reading.tiles[at].tile;
    at += meld.tiles;
    if (meld.tiles !== 4) return [];
    const from = meld.kind === "exposed_kong" ? { from: SEATS[(SEATS.indexOf(winner) - (meld.source ?? 1) + 4) % 4] } : {};
    return [{ seat: winner, kind: meld.kind, tile, ...from }];
  });
}

/** Take kongs out or add some, until the list is right. */
function editKongs(hand, body, kongs) {
  const { store, state, seats, of, zone, done } = hand;
  const again = (changed) => editKongs(hand, body, changed);
  askChoice(store, t("amend.kongs"), [
    { label: t(kongs.length ? "amend.kongs_right" : "amend.no_kongs"), then: () => done({ ...body, kongs }) },
    ...kongs.map((kong) => ({ label: t("amend.kong_out", { kong: kongWords(state, kong, of) }), then: () => again(kongs.filter((one) => one !== kong)) })),
    ...seats.map((seat) => ({ label: t("amend.kong_add", { name: brief(state, seat, of) }), then: () => askKong(store, state, seat, zone, { of, then: (kong) => again([...kongs, kong]) }) })),
  ], zone);
}
