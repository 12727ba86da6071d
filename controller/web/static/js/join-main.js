// Sitting down with a phone: what the scanned code stands for, how the guest is called, one button.

import { invited, joinSeat } from "./api.js";
import { act, hook, setText, show } from "./dom.js";
import { loadWords, t } from "./i18n.js";
import { applyLook, fixedWords, settings } from "./look.js";

const nonce = location.hash.slice(1);
const field = hook(document, "name");
const button = hook(document, "sit");
let told = null; // where the code seats, or why not
let refusal = null;

function render() {
  fixedWords();
  const ok = Boolean(told?.ok);
  setText(hook(document, "where"), ok ? t("sit.at", { side: told.side, name: told.name }) : "");
  setText(hook(document, "words"), told === null ? "" : ok ? t("join.why") : t(told.code, told.params));
  show(hook(document, "naming"), ok);
  show(button, ok);
  act(button, ok);
  const line = hook(document, "refusal");
  if (show(line, refusal !== null)) setText(line, t(refusal.code, refusal.params));
}

async function sit() {
  const name = field.value.trim();
  const answer = await joinSeat(nonce, name === told.name ? "" : name);
  if (answer.ok) {
    location.replace("/table"); // the used code stays in no history
    return;
  }
  if (answer.code === "request.join_stale") told = answer;
  else refusal = answer;
  render();
}

applyLook();
await loadWords();
settings(hook(document, "settings"), render);
told = await invited(nonce);
if (told.ok) field.value = told.name;
hook(document, "join").addEventListener("submit", (event) => {
  event.preventDefault();
  if (told?.ok) sit();
});
render();
document.documentElement.dataset.seq = "0"; // drawn
