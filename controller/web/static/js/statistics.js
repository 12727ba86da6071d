// What everybody did in this game: the figures of the score sheet's own rows, player by player.

import { ask } from "./actions.js";
import { make, numberText, setName } from "./dom.js";
import { t } from "./i18n.js";

const tenth = (value) => numberText(Math.round(value * 10) / 10);

/** The figures of one player as [words, number]; an average or a biggest hand only where he has won. */
function figures(one) {
  const won = one.wins > 0;
  return [
    [t("statistics.hands"), numberText(one.hands)],
    [t("statistics.wins"), numberText(one.wins)],
    [t("statistics.self_draws"), numberText(one.self_draws)],
    [t("statistics.deal_ins"), numberText(one.deal_ins)],
    [t("statistics.average_fan"), won ? tenth(one.average_fan) : "\u2013"],
    [won ? t("statistics.biggest_of", { n: one.biggest_hand }) : t("statistics.biggest"), won ? numberText(one.biggest) : "\u2013"],
    [t("statistics.false_wins"), numberText(one.false_wins)],
  ];
}

function card(one) {
  const box = make("section", "figures");
  const head = make("h3");
  head.append(setName(make("span"), one.name), make("span", "change", numberText(one.points, true)));
  const list = make("dl");
  for (const [words, number] of figures(one)) {
    const pair = make("div");
    pair.append(make("dt", "second", words), make("dd", "", number));
    list.append(pair);
  }
  box.append(head, list);
  return box;
}

/** Show the figures of this game; a substitute has his own. */
export async function showStatistics(store, zone) {
  const view = await store.statistics();
  if (!view) {
    store.refuse(zone, "request.offline");
    return;
  }
  const dialog = ask((box) => {
    box.append(make("h2", "", t("statistics.title")));
    const all = make("div", "everybody");
    all.append(...view.players.map(card));
    if (view.players.length) box.append(all);
    else box.append(make("p", "second", t("statistics.none")));
  });
  dialog.classList.add("wideask");
  dialog.scrollTop = 0; // the focus is on the button at its end
  dialog.addEventListener("close", () => dialog.classList.remove("wideask"), { once: true });
}
