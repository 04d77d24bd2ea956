// The blocks of a scenario: scopes that the language's own form keeps open, and how each is left.

import { Unsupported } from "../signals.mjs";
import { ScriptedError } from "./script.mjs";

export class Blocks {
  #binding;
  #endsAt;
  // Id of the step that began a block → what leaves it.
  #open = new Map();

  /** steps: those of the program, which say when each block ends. */
  constructor(binding, steps) {
    this.#binding = binding;
    this.#endsAt = new Map(steps.filter(({ step }) => step === "end").map(({ of, timestamp }) => [of, timestamp]));
  }

  /** Begin a block; promise its scope's handle. */
  async begin(step) {
    if (!this.#binding.block) throw new Unsupported("block", "a scope is kept open for a block by nothing here");
    const { handle, leave } = await this.#binding.block(step, this.#endsAt.get(step.as) ?? null);
    this.#open.set(step.as, leave);
    return handle;
  }

  /** Tell whether a block is open that this step began. */
  has(id) {
    return this.#open.has(id);
  }

  /** End a block, by an error where there is a text, which has to pass out of it in whatever the binding makes of it. */
  async end(id, text) {
    const leave = this.#open.get(id);
    this.#open.delete(id);
    const raised = text === null ? null : new ScriptedError(text);
    try {
      await leave(raised);
    } catch (passed) {
      if (raised && String(passed?.message).includes(text)) return;
      throw passed;
    }
    if (raised) throw new Error("what was raised in the block did not pass out of it");
  }

  /** End the blocks that are open still, the last one first. */
  async endAll() {
    for (const id of [...this.#open.keys()].reverse()) await this.end(id, null).catch(() => {});
  }
}
