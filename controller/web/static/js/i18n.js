// Words: one flat catalogue per language; messages are codes, sentences are made here.

const LANGUAGES = ["zh-Hans", "en"];
let language = "zh-Hans";
let words = {};

function wanted() {
  const asked = new URLSearchParams(location.search).get("lang");
  const stored = localStorage.getItem("mjt.lang");
  for (const tag of [asked, stored, ...(navigator.languages ?? [])]) {
    if (!tag) continue;
    const exact = LANGUAGES.find((known) => known.toLowerCase() === tag.toLowerCase());
    if (exact) return exact;
    const base = tag.split("-")[0].toLowerCase();
    const near = LANGUAGES.find((known) => known.split("-")[0] === base);
    if (near) return near;
  }
  return "zh-Hans";
}

/** Load the catalogue of the language that the page asks for. */
export async function loadWords() {
  await setLanguage(wanted(), false);
}

/** Switch the language; `keep` remembers it in this browser. */
export async function setLanguage(tag, keep = true) {
  const answer = await fetch(`/static/i18n/${tag}.json`);
  words = await answer.json();
  language = tag;
  document.documentElement.lang = tag;
  if (keep) localStorage.setItem("mjt.lang", tag);
}

export const lang = () => language;
export const isHan = () => language.startsWith("zh");

/** Say whether the catalogue knows a key. */
export const has = (key) => Object.hasOwn(words, key);

/** Return the text of a key with `{name}` filled in; an unknown key names itself. */
export function t(key, params = {}) {
  const text = words[key];
  if (text === undefined) return words["unknown.code"]?.replace("{code}", key) ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in params ? String(params[name]) : whole));
}

/** Choose between the two names that a projection carries. */
export const pick = (zh, en) => (isHan() ? zh ?? en ?? "" : en ?? zh ?? "");

/** Join names as the language does. */
export const join = (names) => names.join(isHan() ? "、" : ", ");
