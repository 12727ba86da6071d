// Theme, language, size: settings of this display, kept in this browser.

import { isHan, lang, setLanguage, t } from "./i18n.js";
import { make } from "./dom.js";

const THEMES = ["night", "day", "hc"];

/** Apply theme and text size asked for by the address, the setting, or the reader's system. */
export function applyLook() {
  const asked = new URLSearchParams(location.search);
  const stored = localStorage.getItem("mjt.theme");
  const prefers = matchMedia("(prefers-contrast: more)").matches ? "hc" : "night";
  const theme = [asked.get("theme"), stored, prefers].find((one) => THEMES.includes(one));
  document.documentElement.dataset.theme = theme;
  const size = Number(asked.get("text") ?? localStorage.getItem("mjt.text") ?? 1);
  document.documentElement.style.setProperty("--t", String(Math.min(1.6, Math.max(0.8, size || 1))));
}

function nextTheme() {
  const now = document.documentElement.dataset.theme;
  const theme = THEMES[(THEMES.indexOf(now) + 1) % THEMES.length];
  localStorage.setItem("mjt.theme", theme);
  document.documentElement.dataset.theme = theme;
}

/** Fill a settings corner: theme and language, two quiet buttons. */
export function settings(node, changed) {
  const theme = make("button");
  const language = make("button");
  theme.type = language.type = "button";
  const label = () => {
    theme.textContent = t(`theme.${document.documentElement.dataset.theme}`);
    language.textContent = isHan() ? "EN" : "中文";
    language.lang = isHan() ? "en" : "zh-Hans";
    theme.setAttribute("aria-label", t("settings.theme"));
  };
  theme.addEventListener("click", () => {
    nextTheme();
    label();
    changed();
  });
  language.addEventListener("click", async () => {
    await setLanguage(lang() === "en" ? "zh-Hans" : "en");
    label();
    changed();
  });
  node.classList.add("settings");
  node.replaceChildren(theme, language);
  label();
}

/** Put catalogue text into everything that is marked with data-t. */
export function fixedWords(root = document) {
  for (const node of root.querySelectorAll("[data-t]")) {
    const text = t(node.dataset.t);
    if (node.textContent !== text) node.textContent = text;
  }
  for (const node of root.querySelectorAll("[data-t-label]")) node.setAttribute("aria-label", t(node.dataset.tLabel));
  if (document.body.dataset.title) document.title = t(document.body.dataset.title);
}
