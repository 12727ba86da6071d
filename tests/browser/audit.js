// Looks at a page as it stands and returns what breaks the visual language, one line each.
() => {
  const found = [];
  const visible = (node) => node.checkVisibility({ opacityProperty: false, visibilityProperty: true }) && !node.closest(".sr, dialog:not([open])");
  const root = getComputedStyle(document.documentElement);
  const token = (name) => {
    const probe = document.createElement("i");
    probe.style.color = root.getPropertyValue(name);
    document.body.append(probe);
    const colour = getComputedStyle(probe).color;
    probe.remove();
    return colour;
  };
  const name = (node) => `${node.tagName}.${node.getAttribute("class") ?? ""} "${(node.textContent ?? "").slice(0, 20)}"`;
  const lamp = token("--lamp");
  const pool = token("--lampA");
  const all = [...document.body.querySelectorAll("*")].filter(visible);

  for (const node of all) {
    const style = getComputedStyle(node);
    const words = [...node.childNodes].some((one) => one.nodeType === Node.TEXT_NODE && one.textContent.trim());
    const used = [
      words && style.color,
      style.backgroundColor,
      parseFloat(style.borderTopWidth) > 0 && style.borderTopColor,
      node instanceof SVGElement && style.fill,
      node instanceof SVGElement && style.stroke,
    ];
    const lit = used.includes(lamp) || (pool !== "rgba(0, 0, 0, 0)" && (style.backgroundImage.includes(pool) || style.boxShadow.includes(pool)));
    if (lit && !node.closest("[data-act]")) found.push(`amber outside data-act: ${name(node)}`);
  }

  for (const node of all.filter((one) => one.dataset?.confirmed !== undefined)) {
    const text = node.dataset.text ?? node.dataset.tile;
    if (!text) continue;
    const hatched = node.classList.contains("hatched") || node.classList.contains("doubt");
    if (hatched !== (node.dataset.confirmed === "false")) found.push(`hatch and truth differ: ${name(node)}`);
  }
  for (const node of all.filter((one) => one.matches(".hatched, .doubt"))) {
    if (node.dataset.confirmed !== "false") found.push(`hatched without doubt: ${name(node)}`);
  }

  for (const node of all.filter((one) => one.matches(".num") && one.dataset.text)) {
    const em = parseFloat(getComputedStyle(node).fontSize);
    for (const digit of node.querySelectorAll(".d")) {
      const width = parseFloat(getComputedStyle(digit).width);
      if (Math.abs(width - 0.6 * em) > 0.6) found.push(`digit cell ${width} of ${em}: ${name(node)}`);
    }
    if (node.closest(".seat, .flank.left") && parseFloat(getComputedStyle(node).borderBottomWidth) < 1) {
      found.push(`no foot line: ${name(node)}`);
    }
  }

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent;
    if (/(^|[\s(])-\d/.test(text)) found.push(`hyphen as minus: ${text}`);
  }

  const box = (node) => node.getBoundingClientRect();
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1.5;
  for (const seat of document.querySelectorAll(".seat")) {
    const groups = [
      [".windtile", ".who", ".score", ".turn", ".buttons"],
      [".rail-left", ".rail-mid", ".rail-right", ".corner-left", ".corner-right"],
    ];
    for (const group of groups) {
      const nodes = group.map((one) => seat.querySelector(one)).filter((one) => one && visible(one) && one.textContent !== undefined);
      const boxes = nodes.map((one) => [one, box(one)]).filter(([, one]) => one.width > 0 && one.height > 0);
      boxes.forEach(([a, first], i) => boxes.slice(i + 1).forEach(([b, second]) => {
        if (meet(first, second)) found.push(`side ${seat.dataset.side}: ${name(a)} meets ${name(b)}`);
      }));
    }
    for (const node of seat.querySelectorAll(".who, .turn, .buttons, .rail > *")) {
      const one = box(node);
      if (visible(node) && one.width && (one.left < -1 || one.top < -1 || one.right > innerWidth + 1 || one.bottom > innerHeight + 1)) {
        found.push(`side ${seat.dataset.side}: off the screen: ${name(node)}`);
      }
    }
  }
  for (const part of document.querySelectorAll(".flank:not([hidden]) > * > *")) {
    for (const other of document.querySelectorAll(".seat .windtile, .seat .who, .seat .score, .seat .turn, .seat .buttons, .centre")) {
      if (visible(part) && visible(other) && meet(box(part), box(other))) found.push(`flank: ${name(part)} meets ${name(other)}`);
    }
  }
  const sheet = document.querySelector(".sheet:not([hidden])");
  if (sheet) {
    const outer = box(sheet);
    for (const node of sheet.querySelectorAll("button, .equation, .counting, .rows li, .photo")) {
      const one = box(node);
      const rolled = node.closest(".counting");
      if (rolled && rolled !== node && rolled.scrollHeight > rolled.clientHeight + 1) continue; // reached by rolling
      if (visible(node) && one.width && (one.left < outer.left - 1 || one.top < outer.top - 1 || one.right > outer.right + 1 || one.bottom > outer.bottom + 1)) {
        found.push(`out of the sheet: ${name(node)}`);
      }
    }
  }
  const apart = (these, those) => {
    for (const a of document.querySelectorAll(these)) {
      for (const b of document.querySelectorAll(those)) {
        if (a !== b && visible(a) && visible(b) && meet(box(a), box(b))) found.push(`${name(a)} meets ${name(b)}`);
      }
    }
  };
  apart(".sheet .review .btn", ".sheet .equation");
  apart(".diagram .label", ".diagram .label, .diagram .sensor");
  const tabs = [...document.querySelectorAll(".tabs button")].filter(visible);
  for (const tab of tabs) if (tab.scrollWidth > tab.clientWidth + 1) found.push(`words wider than the tab: ${name(tab)}`);
  if (document.documentElement.scrollWidth > innerWidth + 1) found.push(`wider than the screen: ${document.documentElement.scrollWidth}`);
  for (const button of all.filter((one) => one.matches("button, summary"))) {
    const one = box(button);
    if (one.width && Math.max(one.width, one.height) < 24) found.push(`too small to touch: ${name(button)}`);
    if (!(button.textContent || button.getAttribute("aria-label"))) found.push(`button without words: ${name(button)}`);
  }
  for (const picture of all.filter((one) => one.matches("img"))) if (!picture.hasAttribute("alt")) found.push(`picture without alt: ${name(picture)}`);
  return found;
}
