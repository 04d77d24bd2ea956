// The contexts of a program: each has a scope stack of its own, which may be made of what another process is told.

import { Unsupported } from "../signals.mjs";

export class Contexts {
  #binding;
  // What leaves each context that the program has begun and not left yet, the innermost last.
  #begun = [];

  constructor(binding) {
    this.#binding = binding;
  }

  /** Begin a context, made of what was captured or, where that is null, of nothing, in which all goes on. */
  begin(captured) {
    if (!this.#binding.context) throw new Unsupported("context", "a program has one scope stack here");
    this.#begun.push(captured === null ? this.#binding.context() : this.#binding.received(captured));
  }

  /** Leave the innermost context. */
  back() {
    this.#begun.pop()();
  }

  /** Leave the contexts that nobody has left. */
  leaveAll() {
    while (this.#begun.length > 0) this.back();
  }

  /** Return what another process is told of where the program stands. `root` of the step is a scope's handle, or null. */
  capture(step) {
    if (!this.#binding.capture)
      throw new Unsupported("capture", "a program cannot tell another process where it stands");
    return this.#binding.capture(step);
  }
}
