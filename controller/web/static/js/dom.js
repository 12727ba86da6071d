// Small helpers: text in by textContent, hooks by data- attributes, lists reconciled by key.

export const hook = (root, name) => root.querySelector(`[data-hook="${name}"]`);
export const hooks = (root, name) => [...root.querySelectorAll(`[data-hook="${name}"]`)];

/** Return a fresh copy of a template's first element. */
export function clone(id) {
  return document.getElementById(id).content.firstElementChild.cloneNode(true);
}

/** Make an element with classes and text. */
export function make(tag, classes = "", text = null) {
  const node = document.createElement(tag);
  if (classes) node.className = classes;
  if (text !== null) node.textContent = text;
  return node;
}

const SVG = "http://www.w3.org/2000/svg";
/** Make an SVG element with attributes. */
export function svg(tag, attributes = {}) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

/** Set text if it differs, and the language of a name if it is not the page's. */
export function setText(node, text) {
  const value = text ?? "";
  if (node.textContent !== String(value)) node.textContent = value;
  return node;
}

const HAN = /\p{Script=Han}/u;
/** Set a person's or a table's name: its own language, ellipsis by CSS, whole name on touch. */
export function setName(node, name) {
  setText(node, name);
  node.classList.add("name");
  const tag = HAN.test(name ?? "") ? "zh-Hans" : "und";
  if (node.lang !== tag) node.lang = tag;
  if (node.title !== (name ?? "")) node.title = name ?? "";
  return node;
}

export const show = (node, visible) => {
  node.hidden = !visible;
  return visible;
};

/** Mark (or unmark) what a person must act on: the only things that may be amber. */
export function act(node, on) {
  node.toggleAttribute("data-act", Boolean(on));
  return node;
}

/** Make `parent`'s children match `items`, reusing those with the same key. */
export function each(parent, items, keyOf, create, update) {
  const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  let after = null;
  items.forEach((item, index) => {
    const key = String(keyOf(item, index));
    let child = old.get(key);
    if (child) old.delete(key);
    else {
      child = create(item, index);
      child.dataset.key = key;
    }
    update?.(child, item, index);
    const place = after ? after.nextSibling : parent.firstChild;
    if (place !== child) parent.insertBefore(child, place);
    after = child;
  });
  for (const child of old.values()) child.remove();
}

const MINUS = "\u2212";
/** Text of a number with a true minus; `sign` adds a plus. */
export function numberText(value, sign = false) {
  const size = String(Math.abs(value));
  if (value < 0) return MINUS + size;
  return sign && value > 0 ? `+${size}` : size;
}

/** Show a number: every digit in a cell of its own. Options: sign, foot, hatched. */
export function setNumber(node, value, { sign = false, foot = false, hatched = false } = {}) {
  const text = value === null || value === undefined ? "" : numberText(value, sign);
  node.classList.add("num");
  node.classList.toggle("foot", foot && text !== "");
  node.classList.toggle("hatched", hatched);
  if (node.dataset.text === text) return node;
  node.dataset.text = text;
  node.setAttribute("aria-label", text);
  node.setAttribute("role", "img"); // read as one number, not digit by digit
  node.replaceChildren(
    ...[...text].map((sym) => {
      const cell = make("span", /\d/.test(sym) ? "d" : sym === "." ? "dot" : "sign", sym);
      cell.setAttribute("aria-hidden", "true");
      return cell;
    }),
  );
  return node;
}

/** A green tick; never without a word beside it. */
export function tick() {
  const picture = svg("svg", { viewBox: "0 0 24 24", class: "tick", "aria-hidden": "true" });
  picture.append(svg("path", { d: "M4 13l5.5 5.5L20 6" }));
  return picture;
}
