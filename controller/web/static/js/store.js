// One store for the page: what the table is, whether that is still true, and what was refused.

export const STALE_MS = 20_000;
const REFUSAL_MS = 6000;

/** Deadlines are told by the service's clock: keep how far ours is from it. */
function timed(values) {
  return values.time ? { ...values, time: { ...values.time, skew: values.time.now_ms - performance.now() } } : values;
}

export class Store extends EventTarget {
  state = null;
  machine = null;
  history = [];
  sheet = null; // the score sheet of this game, with every correction
  report = null; // ranking and transfers, once the game is over
  lastAt = 0;
  isOpen = false;
  refusals = new Map(); // zone -> {code, params}
  local = {}; // choices made on this page only (open pad, chosen tile)
  #source = null;
  #queued = false;
  #historyHead = undefined;
  #machineAt = 0;

  /** Open the one stream. `machine` also keeps the machine view fresh. */
  connect({ machine = false, history = false } = {}) {
    this.wants = { machine, history };
    this.lastAt = Date.now();
    this.#source = new EventSource("/api/v1/events");
    this.#source.addEventListener("open", () => this.#heard(true));
    this.#source.addEventListener("error", () => {
      this.isOpen = false;
      this.changed();
    });
    this.#source.addEventListener("state", (event) => this.#take(JSON.parse(event.data)));
    this.#source.addEventListener("live", (event) => this.#merge(JSON.parse(event.data)));
    addEventListener("pagehide", () => this.#source.close());
    setInterval(() => this.#beat(), 1000);
    if (machine) this.#fetchMachine();
  }

  get isStale() {
    return Date.now() - this.lastAt > STALE_MS;
  }

  get quietSeconds() {
    return Math.floor((Date.now() - this.lastAt) / 1000);
  }

  /** The state on the screen, as a command names what it was decided on; null before the first. */
  get version() {
    const seq = document.documentElement.dataset.seq;
    return this.state && seq !== undefined ? `${this.state.epoch}-${seq}` : null;
  }

  /** Tell the page that something changed; renders are gathered into one per frame. */
  changed() {
    if (this.#queued) return;
    this.#queued = true;
    requestAnimationFrame(() => {
      this.#queued = false;
      this.dispatchEvent(new Event("change"));
      if (this.state) document.documentElement.dataset.seq = this.state.seq; // what is on the screen now
    });
  }

  choose(values) {
    Object.assign(this.local, values);
    this.changed();
  }

  /** Show a refusal near the hand that asked, for six seconds. */
  refuse(zone, code, params = {}) {
    const refusal = { code, params };
    this.refusals.set(zone, refusal);
    setTimeout(() => this.forgive(zone, refusal), REFUSAL_MS);
    this.changed();
  }

  forgive(zone, refusal = this.refusals.get(zone)) {
    if (refusal && this.refusals.get(zone) === refusal) {
      this.refusals.delete(zone);
      this.changed();
    }
  }

  #heard(open) {
    this.lastAt = Date.now();
    this.isOpen = open;
    this.changed();
  }

  #take(state) {
    const old = this.state;
    this.#heard(true);
    if (old && old.epoch === state.epoch && old.seq > state.seq) return;
    this.state = timed(state);
    this.#follow();
  }

  #merge(values) {
    this.#heard(true);
    const { machine, ...rest } = values;
    if (machine) {
      this.machine = machine;
      this.#machineAt = Date.now();
    }
    if (this.state) this.state = { ...this.state, ...timed(rest) };
    this.#follow();
  }

  #follow() {
    const scores = Object.values(this.state?.seats ?? {}).map((one) => `${one.entry}:${one.player}:${one.score}`);
    const head = [this.state?.epoch, this.state?.last?.hand, this.state?.last?.head, this.state?.correction?.id, Boolean(this.state?.over), ...scores].join("/");
    if (this.wants.history && head !== this.#historyHead) {
      this.#historyHead = head;
      this.#fetchHistory();
    }
    if (this.wants.machine && Date.now() - this.#machineAt > 400) this.#fetchMachine();
  }

  #beat() {
    if (this.wants.machine && Date.now() - this.#machineAt > 2000 && !this.isStale) this.#fetchMachine();
    this.changed();
  }

  /** The hands of the score sheet, oldest first; fetched if that has not happened yet. */
  async rows() {
    if (!this.sheet) await this.#fetchHistory();
    return this.sheet?.rows ?? [];
  }

  /** What everybody did in this game; null if the table did not answer. */
  statistics() {
    return this.#get("/api/v1/statistics");
  }

  async #fetchHistory() {
    const paths = ["history", "sheet", ...(this.state?.over ? ["report"] : [])];
    const [view, sheet, report] = await Promise.all(paths.map((name) => this.#get(`/api/v1/${name}`)));
    this.report = report ?? null;
    if (view) this.history = view.hands ?? [];
    if (sheet) this.sheet = sheet;
    this.changed();
  }

  async #fetchMachine() {
    this.#machineAt = Date.now();
    const view = await this.#get("/api/v1/machine");
    if (view) this.machine = view;
    this.changed();
  }

  async #get(path) {
    try {
      const answer = await fetch(path);
      return answer.ok ? await answer.json() : null;
    } catch {
      return null; // the stream says when the table is gone
    }
  }
}
