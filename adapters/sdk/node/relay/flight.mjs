// Calls in flight: they run beside the program, and stand still at latches until the program opens them. One thing runs
// at a time: whoever lets a call go on waits until it stands at a latch or is over.

import { AdapterFault } from "../signals.mjs";

export class Latches {
  #open = new Set();
  #recorder;
  #stands = null;
  #standing = [];

  constructor(recorder) {
    this.#recorder = recorder;
  }

  /** Let a call run beside the program; promise that it stands at a latch or is over. `call` never rejects. */
  start(call) {
    return this.#let(() => {
      call().then(() => this.#still());
    });
  }

  /** Open a latch: who stands at it goes on, in order of arrival, one after the other. */
  async open(latch) {
    this.#open.add(latch);
    const ready = this.#standing.filter((entry) => entry.latch === latch);
    this.#standing = this.#standing.filter((entry) => entry.latch !== latch);
    for (const { goOn } of ready) await this.#let(goOn);
    return null;
  }

  /** Open what anyone stands at, until nobody does. */
  async openAll() {
    while (this.#standing.length > 0) await this.open(this.#standing[0].latch);
  }

  /** Stand at a latch that is closed; throws AdapterFault where the program itself would never go on. */
  async wait(callback, k, latch) {
    if (this.#open.has(latch)) return;
    if (!this.#stands)
      throw new AdapterFault(`callback '${callback}' waits at '${latch}', and the program waits for it`);
    this.#recorder.waiting(callback, k, latch);
    await new Promise((goOn) => {
      this.#standing.push({ latch, goOn });
      this.#still();
    });
    this.#recorder.resumed(callback, k);
  }

  #let(goOn) {
    return new Promise((stands) => {
      this.#stands = stands;
      goOn();
    });
  }

  /** Let the program go on. */
  #still() {
    const stands = this.#stands;
    this.#stands = null;
    stands?.();
  }
}
