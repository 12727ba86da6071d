// The technician's page: what stands, moves and counts; what is wrong and how to set it right; STOP.

import { listen } from "./actions.js";
import { act, each, hook, make, setName, setNumber, setText, show } from "./dom.js";
import { has, loadWords, pick, t } from "./i18n.js";
import { applyLook, fixedWords, settings } from "./look.js";
import { drawDiagram } from "./diagram.js";
import { Noise } from "./noise.js";
import { showRefusal } from "./sheet.js";
import { Store } from "./store.js";
import { faultSign, showStale } from "./wide.js";
import { codeWords, faultWords, isPlaying, noticeWords, phaseWords } from "./words.js";

const store = new Store();
const root = hook(document, "machine");
const noise = new Noise();
let devices = {};

function render() {
  fixedWords();
  const { state, machine } = store;
  document.documentElement.classList.toggle("stale", store.isStale);
  const stale = hook(root, "stale");
  if (show(stale, store.isStale)) showStale(stale, store);
  hook(root, "live-dot").classList.toggle("live", store.isOpen && !store.isStale);
  setText(hook(root, "live-word"), t(store.isStale ? "link.off" : store.isOpen ? "link.live" : "link.again"));
  showRefusal(hook(root, "refusal"), state, store, "machine");
  if (!state || !machine) return;
  setName(hook(root, "table"), state.table?.name);
  drawDiagram(hook(root, "diagram"), state, machine);
  showFacts(state, machine);
  showFault(state, machine);
  showOrders(state, machine);
  showLink(machine);
  showParts(machine);
  showFaultTable(machine);
}

const word = (value) => {
  if (value === true) return t("machine.yes");
  if (value === false) return t("machine.no");
  if (value === null || value === undefined || value === "") return t("machine.unknown");
  return has(`machine.${value}`) ? t(`machine.${value}`) : String(value);
};

const codeWord = (kind, code) => (has(`${kind}.${code}`) ? t(`${kind}.${code}`) : String(code ?? "").replaceAll("_", " "));

function cameraWords(machine) {
  const camera = t(`machine.camera.${machine.camera ?? "none"}`);
  const marks = machine.marks_off ?? [];
  return marks.length ? t("machine.camera.marks", { camera, marks: marks.join(", ") }) : camera;
}

function showFacts(state, machine) {
  const seconds = Math.floor((machine.uptime_ms ?? 0) / 1000);
  const rows = [
    ["board.state", phaseWords(state)],
    ["machine.state", codeWord("machine.state", machine.state)],
    ["machine.order", machine.order ? codeWord("order", machine.order) : t("machine.none")],
    ["machine.homed", word(machine.homed)],
    ["machine.trays", word(machine.trays)],
    ["machine.dome", word(machine.dome)],
    ["machine.lamp", machine.lamp ? t("machine.side", { side: machine.lamp }) : t("machine.none")],
    ["machine.estop", t(machine.estop ? "machine.pressed" : "machine.released")],
    ["machine.camera", cameraWords(machine)],
    ["machine.boot", machine.boot_id ?? t("machine.unknown")],
    ["machine.uptime", `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`],
  ];
  showList(hook(root, "facts"), rows);
}

function showList(list, rows) {
  each(list, rows, ([key]) => key, () => {
    const box = make("div");
    box.append(make("dt", "second"), make("dd"));
    return box;
  }, (box, [key, value]) => {
    setText(box.firstChild, has(key) ? t(key) : key.replaceAll("_", " "));
    setText(box.lastChild, value);
  });
}

function showFault(state, machine) {
  const card = hook(root, "faultcard");
  each(hook(card, "notices"), noticeWords(state), (text) => text, () => make("li"), (item, text) => setText(item, text));
  const fault = state.fault ?? machine.fault;
  card.classList.toggle("bad", Boolean(fault));
  const sign = hook(card, "fault-sign");
  show(sign, Boolean(fault));
  if (!fault) {
    setText(hook(card, "fault-what"), t("machine.nofault"));
    setText(hook(card, "fault-sub"), phaseWords(state));
    setText(hook(card, "fault-on"), "");
    each(hook(card, "fault-steps"), [], String, () => make("li"));
    return;
  }
  if (sign.dataset.severity !== fault.severity) {
    sign.dataset.severity = fault.severity;
    sign.replaceChildren(faultSign(fault.severity));
  }
  const words = faultWords({ ...state, fault });
  const row = (machine.faults ?? []).find((one) => one.key === fault.key);
  setText(hook(card, "fault-what"), [fault.code || "", words.what].filter(Boolean).join("\u3000"));
  const side = fault.side ? t("machine.side", { side: fault.side }) : "";
  setText(hook(card, "fault-sub"), [t(`severity.${fault.severity}`), side, row && pick(row.cause_zh, row.cause_en)].filter(Boolean).join("\u3000"));
  setText(hook(card, "fault-on"), isPlaying(state) ? words.goesOn : "");
  each(hook(card, "fault-steps"), words.steps, (step, i) => `${i}${step}`, () => {
    const item = make("li");
    item.append(make("span", "stepno"), make("p"));
    return item;
  }, (item, step, i) => {
    setNumber(item.firstChild, i + 1, { foot: true });
    setText(item.lastChild, step);
  });
}

/** Beside an order that would be refused now stands why; pressed all the same, it says so without asking the table. */
function showOrders(state, machine) {
  for (const button of root.querySelectorAll(".machinebuttons [data-command]")) {
    const code = store.isStale ? null : refusedNow(button.dataset.command, state, machine);
    const why = button.nextElementSibling;
    show(why, Boolean(code));
    setText(why, code ? codeWords(state, code, { phase: state.phase }) : "");
    if (code) button.dataset.refused = JSON.stringify({ code, params: { phase: state.phase } });
    else delete button.dataset.refused;
  }
}

const RESTING = ["IDLE", "READY", "SETTLED", "FAULT"];
function refusedNow(name, state, machine) {
  const fault = state.fault ?? machine.fault;
  if (name === "clear_fault" && !fault) return "refuse.clear_fault";
  if (name === "clear_fault" && machine.estop) return "refuse.estop";
  if (machine.link !== "up") return "refuse.link";
  if (name === "clear_fault") return null;
  return RESTING.includes(state.phase) && !machine.order ? null : `refuse.${name}`;
}

function showLink(machine) {
  noise.take(machine.counters);
  const wrong = machine.link === "up" ? noise.lately() : 0;
  setText(hook(root, "link"), t(wrong ? "machine.link.noisy" : `machine.link.${machine.link}`));
  const why = machine.why ? t("machine.why", { why: machine.why }) : wrong ? t("machine.noise", { n: wrong }) : "";
  setText(hook(root, "link-why"), why);
  each(hook(root, "counters"), Object.entries(machine.counters ?? {}), ([name]) => name, () => {
    const box = make("div");
    box.append(make("dt", "second"), make("dd"));
    return box;
  }, (box, [name, value]) => {
    setText(box.firstChild, codeWord("counter", name));
    setNumber(box.lastChild, value);
  });
}

/** Every part of the wiring table, by itself: a new row there appears here. */
function showParts(machine) {
  const on = { ...machine.sensors, ...machine.actuators };
  const groups = Object.entries(devices).filter(([, rows]) => rows.length);
  each(hook(root, "parts"), groups, ([group]) => group, () => {
    const box = make("section");
    box.append(make("h3"), make("ul"));
    return box;
  }, (box, [group, rows]) => {
    setText(box.firstChild, has(`machine.${group}`) ? t(`machine.${group}`) : group);
    each(box.lastChild, rows, (row) => row.id, () => {
      const item = make("li");
      item.append(make("span", "part-mark"), make("span", "part-name"), make("span", "part-word second"));
      return item;
    }, (item, row) => {
      const known = row.id in on;
      const level = Boolean(on[row.id]) || (group === "lamps" && row.side === machine.lamp && row.side > 0);
      item.firstChild.className = `part-mark ${group === "sensors" || group === "keys" ? "square" : "round"}${level ? " on" : ""}`;
      setText(item.children[1], pick(row.zh, row.en));
      setText(item.children[2], known || group === "lamps" ? t(level ? "machine.yes" : "machine.no") : t("machine.unknown"));
      item.title = row.id;
    });
  });
}

function showFaultTable(machine) {
  each(hook(root, "faults"), machine.faults ?? [], (row) => row.code, () => {
    const box = make("details");
    const head = make("summary");
    head.append(make("span"), make("b"));
    box.append(head, make("p", "second"), make("p"));
    return box;
  }, (box, row) => {
    setNumber(box.firstChild.firstChild, row.code);
    setText(box.firstChild.lastChild, pick(row.zh, row.en));
    setText(box.children[1], `${t("machine.cause")}\u3000${pick(row.cause_zh, row.cause_en)}`);
    setText(box.children[2], `${t("machine.remedy")}\u3000${pick(row.remedy_zh, row.remedy_en)}`);
  });
}

applyLook();
await loadWords();
settings(hook(root, "settings"), () => store.changed());
store.addEventListener("change", render);
listen(store, () => {});
const answer = await fetch("/api/v1/devices");
if (answer.ok) devices = (await answer.json()).devices;
store.connect({ machine: true });
render();
