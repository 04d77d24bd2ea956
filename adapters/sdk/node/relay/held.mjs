// Latches at which what runs when an event is published stands: what is told behind it waits, and the program does not.
// Nobody says when an event is published, so who opens a latch waits until somebody stands there, but not for long.

// So many milliseconds, for who opens a latch, and for who stands there where the program waits for what is told.
const LONGEST = 8000;

export class Held {
  #gates = new Map();
  #open = new Set();
  #recorder;

  constructor(recorder) {
    this.#recorder = recorder;
  }

  /** Know the latches at which a callback of a published family may stand, by its ops. */
  expect(ops) {
    for (const { op, latch } of ops) if (op === "wait") this.#gates.set(latch, { came: gate(), passed: gate() });
  }

  /** Tell whether it is such a latch. */
  has(latch) {
    return this.#gates.has(latch);
  }

  /** Stand at a latch that is closed. */
  async wait(callback, k, latch) {
    if (this.#open.has(latch)) return;
    this.#recorder.waiting(callback, k, latch);
    const { came, passed } = this.#gates.get(latch);
    came.open();
    await passed.soon();
    this.#open.add(latch);
    this.#recorder.resumed(callback, k);
  }

  /** Open a latch when somebody stands there. */
  async open(latch) {
    const { came, passed } = this.#gates.get(latch);
    await came.soon();
    this.#open.add(latch);
    passed.open();
    return null;
  }

  /** Open what is closed still. */
  openAll() {
    for (const [latch, { passed }] of this.#gates) {
      this.#open.add(latch);
      passed.open();
    }
  }
}

function gate() {
  let open;
  const opened = new Promise((resolve) => {
    open = resolve;
  });
  let timer;
  const late = () =>
    new Promise((resolve) => {
      timer = setTimeout(resolve, LONGEST);
    });
  return { open, soon: () => Promise.race([opened, late()]).finally(() => clearTimeout(timer)) };
}
