// The scoreboard for a TV: who leads, which hand, how the last hands went. Read from four metres.

import { act, each, hook, make, setName, setNumber, setText, show } from "./dom.js";
import { loadWords, t } from "./i18n.js";
import { applyLook, fixedWords, settings } from "./look.js";
import { Store } from "./store.js";
import { tile } from "./tiles.js";
import { faultSign, showStale } from "./wide.js";
import { SEATS, amendedWords, circleName, faultWords, handName, howWords, isOver, lastWords, nameOf, phaseWords, seal, startWords, variantName, wallWords } from "./words.js";

const store = new Store();
const root = hook(document, "board");

/** Seats by score, the best first, each with its rank; equal scores share one, and nobody has one until somebody leads. */
function ranking(state) {
  const scores = SEATS.map((seat) => ({ seat, score: state.seats?.[seat]?.score ?? 0 }));
  scores.sort((a, b) => b.score - a.score);
  if (scores[0].score === scores[3].score) return scores.map((one) => ({ ...one, rank: null }));
  return scores.map((one) => ({ ...one, rank: 1 + scores.filter((other) => other.score > one.score).length }));
}

function render() {
  fixedWords();
  const { state } = store;
  document.documentElement.classList.toggle("stale", store.isStale);
  const stale = hook(root, "stale");
  if (show(stale, store.isStale)) showStale(stale, store);
  if (!state) return;
  setName(hook(root, "table"), state.table?.name || t("title.table"));
  setText(hook(root, "game"), [variantName(state), circleName(state)].filter(Boolean).join("\u3000"));
  const ranks = ranking(state);
  show(hook(root, "lead"), ranks[0].score > ranks[1].score); // nobody leads a tie
  setName(hook(root, "leader"), nameOf(state, ranks[0].seat));
  setNumber(hook(root, "lead-score"), ranks[0].score, { sign: true });
  setText(hook(root, "hand"), handName(state));
  showState(state);
  each(hook(root, "ranks"), ranks, (one) => one.seat, () => {
    const row = make("tr");
    const head = make("th", "who");
    head.scope = "row";
    head.append(make("span"), make("span", "seal"));
    row.append(make("td", "rank"), make("td", "windcell"), head, make("td", "score"));
    row.children[1].append(tile("E", { small: true }));
    return row;
  }, (row, one) => {
    setNumber(row.children[0], one.rank);
    tile(state.seats[one.seat].wind, { small: true }, row.children[1].firstChild);
    setName(row.children[2].children[0], nameOf(state, one.seat));
    const dealer = row.children[2].children[1];
    if (show(dealer, state.dealer === one.seat)) setText(dealer, t("dealer.seal"));
    setNumber(row.children[3], one.score, { sign: true });
    row.classList.toggle("first", one.rank === 1);
  });
  const hands = store.history.slice(0, 6);
  show(hook(root, "none"), hands.length === 0);
  each(hook(root, "hands"), hands, (hand) => `${hand.hand}/${hand.head}`, () => {
    const item = make("li");
    item.append(make("span", "handno"), make("div", "handwhat"), make("span", "handsum"));
    item.children[1].append(make("b"), make("p", "second"));
    return item;
  }, (item, hand) => {
    setNumber(item.children[0], hand.hand);
    setText(item.children[1].firstChild, lastWords(state, hand));
    setText(item.children[1].lastChild, amendedWords(state, hand) || howWords(state, hand));
    setNumber(item.children[2], hand.kind === "win" ? hand.deltas?.[hand.seat] : null, { sign: true });
  });
  setText(hook(root, "seal"), t("seal.words", { head: seal(state.head) }));
}

/** One word for the state, one line below: the fault first, and whether play goes on. */
function showState(state) {
  const node = hook(root, "state");
  const fault = faultWords(state);
  const waits = (state.act ?? []).some((one) => one.do === "confirm");
  node.classList.toggle("fault", Boolean(fault));
  const words = store.isStale ? t("link.off") : fault ? fault.what : t(isOver(state) ? "phase.name.OVER" : `phase.name.${state.phase}`);
  const key = `${words}/${fault ? state.fault.severity : waits}`;
  if (node.dataset.key !== key) {
    node.dataset.key = key;
    const mark = fault ? faultSign(state.fault.severity) : make("span", waits ? "dot" : "");
    node.replaceChildren(mark, make("span", "", words));
  }
  act(node, waits && !fault && !store.isStale);
  node.classList.toggle("turn", waits && !fault);
  setText(hook(root, "line"), fault ? fault.goesOn : [lineWords(state), state.phase === "PLAYING" ? wallWords(state) : ""].filter(Boolean).join("\u3000"));
}

/** Between hands the word above says all: the line says who starts. */
const lineWords = (state) => (state.phase === "SETTLED" && startWords(state, 0)) || phaseWords(state);

applyLook();
await loadWords();
settings(hook(root, "settings"), () => store.changed());
store.addEventListener("change", render);
store.connect({ history: true });
render();
