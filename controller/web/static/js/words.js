// From a state view to words: phases, turns, names, refusals. Codes in, catalogue text out.

import { has, isHan, join, pick, t } from "./i18n.js";

const NAME_WIDTH = 14;
export const SEATS = ["E", "S", "W", "N"];
export const seatAt = (state, side) => SEATS.find((seat) => state.seats?.[seat]?.side === side);
export const sideOf = (state, seat) => state.seats?.[seat]?.side;
/** Whoever sits at a seat; of a settled hand (`of`) whoever sat there then, wherever he sits now. */
export function nameOf(state, seat, of = null) {
  const then = of?.players?.[seat];
  const now = then ? SEATS.find((one) => state.seats?.[one]?.player === then) : seat;
  return state.seats?.[now]?.name || then || (seat ? t(`seat.${seat}`) : "");
}
/** A name inside a sentence: cut by what the eye takes for a character, a Han one as wide as two. */
export function brief(state, seat, of = null) {
  const name = nameOf(state, seat, of);
  const signs = [...new Intl.Segmenter().segment(name)].map((one) => one.segment);
  let width = 0;
  const fits = signs.findIndex((sign) => (width += /[\u1100-\uffff]/u.test(sign) ? 2 : 1) > NAME_WIDTH);
  return fits < 0 ? name : `${signs.slice(0, fits).join("")}…`;
}
export const namesOf = (state, seats, of = null) => join(seats.map((seat) => brief(state, seat, of)));
export const variantName = (state) => pick(state.table?.variant_zh, state.table?.variant_en);
/** The word for `n` points; English has another one for a single point. */
export const unitName = (n) => t(n === 1 ? "unit.point.one" : "unit.point");
export const circleName = (state) => t("circle", { wind: t(`wind.${state.circle_wind ?? "E"}`) });
export const handName = (state) => (state.hand ? t("hand.number", { n: state.hand }) : t("hand.none"));
export const seal = (head) => (head ? `${head.slice(0, 4)}\u00a0${head.slice(4, 8)}`.toUpperCase() : "");
/** The machine can do nothing for a hand: people build the walls and throw by hand, if they like. */
export const isOut = (state) => Boolean(state.fault) || (state.health?.link ?? "up") !== "up";
export const isPlaying = (state) => ["DEALING", "PLAYING", "CLAIM", "CONFIRM", "REVIEW"].includes(state.phase);

/** Whether the game has ended and no new one has begun. */
export const isOver = (state) => Boolean(state.over) && ["IDLE", "SETTLED"].includes(state.phase);

/** Who must act at a side: the word of what to do, or null. */
export const turnOf = (state, side) => (state.act ?? []).find((one) => one.side === side)?.do ?? null;

const actors = (state) => (state.act ?? []).map((one) => seatAt(state, one.side)).filter(Boolean);

/** What the table is doing, in one line for everybody. */
export function phaseWords(state) {
  if (state.correction && ["IDLE", "SETTLED"].includes(state.phase)) return t("phase.amend");
  if (isOver(state)) return t("phase.over");
  const claim = state.claim ?? {};
  const name = brief(state, claim.seat);
  const waiting = namesOf(state, actors(state));
  switch (state.phase) {
    case "BUILDING": {
      if (state.step !== "build" && state.step !== "behind") return t(`phase.${state.step ?? "build_wait"}`);
      const build = state.build ?? {};
      if (build.pause === "yes") return t("phase.paused");
      const done = (build.counts ?? []).reduce((sum, one) => sum + one, 0);
      const waits = state.step === "behind" && build.other?.state === "waiting";
      return t(waits ? "phase.behind_waits" : `phase.${state.step}`, { n: done, total: build.tiles ?? "" });
    }
    case "LIFTING":
      if (state.step === "load") return t("phase.load_other");
      return t(["open", "close"].includes(state.step) ? `phase.${state.step}` : "phase.lifting");
    case "DICE": {
      const thrower = brief(state, state.dice?.thrower);
      if (isOut(state) && ["throw", "ask"].includes(state.step)) return t("phase.dice_hand", { name: thrower });
      if (state.step === "lamp") return t("phase.lamp");
      if (state.step === "spin") return t("phase.spin");
      if (state.step === "read") return t("phase.dice_read");
      if (state.draw?.thrower && !state.dice?.asking) return t(`draw.${state.draw.what}`, { name: thrower });
      return t(state.dice?.asking ? "phase.dice_again" : "phase.dice", { name: thrower });
    }
    case "DEALING":
      return state.dice?.opening
        ? t("phase.break", { n: state.dice.opening.count, name: brief(state, state.dice.opening.count_seat) })
        : t("phase.deal");
    case "CLAIM":
      if (state.step === "from") return t("claim.from", { name });
      return state.step === "lay" ? t("claim.laying", { name }) : t("read.busy");
    case "CONFIRM":
      if (state.referee) return t("confirm.referee");
      return waiting ? t("confirm.keys") : t("confirm.all");
    case "REVIEW":
      return claim.kind === "drawn" ? t("review.drawn") : t("review.look");
    case "IDLE":
      return t(["seats", "new_seats"].includes(state.draw?.what) ? "draw.sit" : "phase.idle");
    case "SETTLED":
      if (state.seat_change && state.last?.head) return t("phase.seats");
      return t(state.last?.head ? "phase.settled" : "settle.writing");
    default:
      return t(`phase.${(state.phase ?? "starting").toLowerCase()}`);
  }
}

/** The deadline that is for a seat, with its seconds and the share of it that is left; null = none. */
export function timerOf(state, seat) {
  const timer = (state.time?.timers ?? []).find((one) => one.seats.includes(seat));
  if (!timer) return null;
  const left = timer.at_ms - (performance.now() + (state.time.skew ?? 0));
  return left > 0 ? { ...timer, s: Math.ceil(left / 1000), share: Math.min(1, left / timer.of_ms) } : null;
}

/** How long a seat has, and what follows then. */
export function timerWords(state, seat) {
  const timer = timerOf(state, seat);
  return timer ? t(`timer.${timer.what}`, { s: timer.s }) : "";
}

/** What a seat must do, in words for that seat; null = nothing. */
export function turnWords(state, side) {
  const what = turnOf(state, side);
  if (!what) return null;
  const seat = seatAt(state, side);
  if (!state.fault && isOut(state) && ["start", "load", "lift", "empty"].includes(what)) return t("act.by_hand");
  if (what === "confirm" && state.false_win) return t("false.confirm", { n: state.false_win.deltas[seat] ?? 0 });
  if (what === "confirm" && state.result) {
    const delta = state.result.deltas?.[seat] ?? 0;
    return delta < 0 ? t("confirm.pay", { n: -delta }) : t("confirm.zero");
  }
  return t(has(`act.${what}`) ? `act.${what}` : "turn.you");
}

/** Whom the table waits for to start; nothing if that is the reader's side, or nobody. */
export function startWords(state, side) {
  const seats = (state.act ?? []).filter((one) => one.do === "start").map((one) => seatAt(state, one.side));
  return seats.length && turnOf(state, side) !== "start" ? t("start.wait", { names: namesOf(state, seats) }) : "";
}

/** Where a seat goes before the next hand; nothing if it stays. */
export function moveWords(state, seat) {
  const to = state.phase === "SETTLED" && state.seat_change?.moves?.[seat];
  return to && to !== seat ? t("seats.to", { name: brief(state, to) }) : "";
}

/** The words of a refusal or notice, with names for seats and words for phases, orders and reasons. */
export function codeWords(state, code, params = {}) {
  const filled = { ...params };
  if (state && params.seat) filled.name = brief(state, params.seat);
  if (params.phase) filled.phase = t(`phase.name.${params.phase}`);
  if (params.order && has(`order.${params.order}`)) filled.order = t(`order.${params.order}`);
  if (params.reason && has(`reason.${params.reason}`)) filled.reason = t(`reason.${params.reason}`);
  if (has(code)) return t(code, filled);
  if (code?.startsWith("refuse.")) return t("refuse.now", filled);
  return t("unknown.code", { code });
}

/** Remarks that change nothing: no room for the ledger, what the camera is, lamp not clear, dice to throw again. */
export function noticeWords(state) {
  const notices = (state.notices ?? []).filter((one) => one.code !== "camera.mark");
  const stray = (state.notices ?? []).filter((one) => one.code === "camera.mark"); // it may stay for hours
  const called = (state.kongs_called ?? []).map((seat) => ({ code: "kong.called", params: { seat } })); // stays until it is told
  const words = [...notices, ...called].map((one) => codeWords(state, one.code, one.params));
  const { camera, ledger } = state.health ?? {};
  if (camera && camera !== "up" && !words.length) words.push(t(`camera.${camera}`));
  if (ledger && ledger !== "ok") words.push(t(`ledger.${ledger}`)); // last: where one has room, it is this one
  words.push(...stray.map((one) => codeWords(state, one.code, one.params)));
  return [...new Set(words)];
}

const NO_LINK = { code: "", side: 0, key: "fault.link", severity: "stop" };

/** The fault that stands, a board that does not answer among them. */
export const faultOf = (state) => state.fault ?? (["down", "mismatch"].includes(state.health?.link) ? NO_LINK : null);

/** A fault in words: what, whether play goes on, what to do. */
export function faultWords(state) {
  const fault = faultOf(state);
  if (!fault) return null;
  if (fault === NO_LINK) {
    const steps = ["gone.link.look", "gone.link.build", "gone.link.keys"].map((key) => t(key));
    return { what: t("gone.link"), steps, goesOn: isPlaying(state) ? t("play.on") : t("gone.link.on"), why: "" };
  }
  const what = pick(fault.zh, fault.en) || t("unknown.code", { code: fault.code });
  const remedy = pick(fault.remedy_zh, fault.remedy_en) || t("fault.look");
  return {
    what,
    steps: remedy.split(isHan() ? /[，；。]/ : /[;.]\s*|,\s+/).map((step) => step.trim()).filter(Boolean),
    goesOn: isPlaying(state) ? t("play.on") : t("play.paused"),
    why: pick(fault.cause_zh, fault.cause_en) ?? "",
  };
}

/** What was not in order at a seat in this hand; the same twice is told with its number. */
export function irregularWords(state, seat) {
  const counts = new Map();
  for (const one of state.irregularities ?? []) if (one.seat === seat) counts.set(one.kind, (counts.get(one.kind) ?? 0) + 1);
  return [...counts].map(([kind, n]) => t(`irregular.${kind}`) + (n > 1 ? ` \u00d7${n}` : "")).join("\u3000");
}

/** The kongs of this hand that are paid: none that was robbed. */
export const openKongs = (state) => (state.kongs ?? []).filter((kong) => !kong.robbed);

/** How many tiles are left, and how far the other set is where there are two; nothing if nobody knows. */
export function wallWords(state) {
  const left = state.wall?.left ?? null;
  return [left === null ? "" : t("wall.left", { n: left }), otherSetWords(state)].filter(Boolean).join("\u3000");
}

/** The set that is not in play: being built, waiting or ready. */
function otherSetWords(state) {
  const other = state.build?.other;
  if (!other || other.state === "out") return "";
  return t(`set.${other.state}`, { n: other.tiles, total: state.build.tiles });
}

/** One line about a settled hand. */
export function lastWords(state, last) {
  if (!last) return "";
  const wrong = (last.false_wins ?? []).map((one) => one.seat);
  const called = last.kind === "void" && !last.unread?.length ? [] : last.kongs_called ?? [];
  const kongs = called.length ? t("last.kongs_called", { names: namesOf(state, [...new Set(called)], last) }) : "";
  return [endWords(state, last), kongs, wrong.length ? t("false.last", { names: namesOf(state, wrong, last) }) : ""].filter(Boolean).join("\u3000");
}

function endWords(state, last) {
  if (last.kind === "drawn") return t("last.drawn");
  if (last.kind === "void" && last.unread?.length) return t("last.unread", { names: namesOf(state, last.unread.map((one) => one.seat), last) });
  if (last.kind === "void") return t("last.void");
  return t("last.win", { name: brief(state, last.seat, last), n: last.total, unit: unitName(last.total) });
}

/** A circumstance of a win that no tile shows, in words. */
export const flagWords = (flag) => (has(`flag.${flag}`) ? t(`flag.${flag}`) : flag);

/** How a hand was won, in words. */
export function howWords(state, last) {
  if (!last || last.kind !== "win") return "";
  if (last.by === "self_draw") return t("by.self_draw");
  return t(last.by === "rob_kong" ? "by.rob_kong" : "by.discard", { name: brief(state, last.from, last) });
}

/** The time of day of the last value. */
export const clock = (ms) => new Date(ms).toLocaleTimeString(isHan() ? "zh-CN" : "en-GB", { hour: "2-digit", minute: "2-digit" });

/** A reason in words: one of ours, or what somebody typed. */
export const reasonWords = (reason) => (has(`amend.because.${reason}`) ? t(`amend.because.${reason}`) : reason);

/** The corrections of a hand in words, the latest one; nothing if it was never corrected. */
export function amendedWords(state, hand) {
  const one = hand?.amended?.at(-1);
  if (!one) return "";
  const by = one.role === "referee" ? t("amend.referee") : one.asked_by ? brief(state, one.asked_by, hand) : t("amend.all");
  const words = [t(`amend.done.${one.what}`, { by, why: reasonWords(one.reason) })];
  if (one.before) words.push(t("amend.before", { was: lastWords(state, { ...one.before, seat: one.before.winners[0], players: hand.players }) }));
  return words.join(t("amend.then"));
}
