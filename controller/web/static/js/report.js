// The end of a game: who came where, who played for whom, and who gives whom how much to be even.

import { clone, each, hook, make, numberText, setName, setText, show } from "./dom.js";
import { join, t } from "./i18n.js";
import { fixedWords } from "./look.js";
import { reasonWords } from "./words.js";

/** Fill a card with the report; nothing is drawn before it was fetched. */
export function showReport(box, state, report) {
  if (!show(box, Boolean(report))) return;
  if (!box.querySelector(".reportcard")) box.replaceChildren(clone("reportcard"));
  fixedWords(box);
  setText(hook(box, "report-why"), endWords(report.hands, state.over));
  each(hook(box, "report-ranks"), report.ranking, (one) => one.entry, () => {
    const row = make("li");
    const who = make("span", "rankname");
    who.append(make("b"), make("span", "second"));
    row.append(make("span", "rankplace"), who, make("span", "change"));
    return row;
  }, (row, one) => {
    const [place, who, points] = row.children;
    setText(place, t(`place.${one.place}`));
    setName(who.firstChild, one.name);
    setText(who.lastChild, one.players.length > 1 ? join(one.players.map(stintWords)) : "");
    setText(points, numberText(one.points, true));
  });
  const gives = report.transfers;
  const names = Object.fromEntries(report.ranking.map((one) => [one.entry, one.name]));
  show(hook(box, "report-even"), gives.length > 0);
  each(hook(box, "report-transfers"), gives, (one) => `${one.from}/${one.to}`, () => make("li"), (row, one) => {
    setText(row, t("report.gives", { from: names[one.from], to: names[one.to], n: one.points }));
  });
}

/** How many hands, and why no more: as agreed before, or what people said. */
const endWords = (n, over) => (over.reason ? t("report.why", { n, why: reasonWords(over.reason) }) : t("report.agreed", { n }));

const stintWords = (one) => t("report.stint", { name: one.name, hands: one.hands, n: numberText(one.points, true) });
