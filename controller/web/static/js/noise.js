// How often the line went wrong lately: counters only grow, so what matters is by how much in the last minute.

const WINDOW_MS = 60_000;
const WRONG = /_(crc_errors|cobs_errors|length_errors|overruns|duplicates|duplicate_events|events_lost|retries|timeouts|unknown)$/;

export class Noise {
  #before = null;
  #rises = []; // {at, by}

  /** Take the counters of now; the first ones tell nothing, a counter that fell began anew. */
  take(counters, now = Date.now()) {
    const wrong = Object.fromEntries(Object.entries(counters ?? {}).filter(([name]) => WRONG.test(name)));
    if (this.#before) {
      let by = 0;
      for (const [name, value] of Object.entries(wrong)) {
        const old = this.#before[name] ?? value;
        by += value >= old ? value - old : value;
      }
      if (by > 0) this.#rises.push({ at: now, by });
    }
    this.#before = wrong;
  }

  /** Return how many errors and retries the last minute brought. */
  lately(now = Date.now()) {
    this.#rises = this.#rises.filter((rise) => now - rise.at < WINDOW_MS);
    return this.#rises.reduce((sum, rise) => sum + rise.by, 0);
  }
}
