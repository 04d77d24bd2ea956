// A scripted callback and a subscriber's sink: what an adapter's functions hand their arguments to.

import { perform } from "./script.mjs";
import { ScriptedError } from "./signals.mjs";
import { copy } from "./values.mjs";

export class Callback {
  #act;
  #ops;
  #recorder;

  constructor(name, ops, recorder, act) {
    this.name = name;
    this.#ops = ops;
    this.#recorder = recorder;
    this.#act = act;
  }

  /**
   * Record the entry, let the ops change a copy of `natural(given)`, record the reply and return it.
   * Throws what the script throws. Where the script itself cannot be carried out the scenario is stopped and the binding
   * gets undefined: an error would be taken for a scripted one.
   */
  play(given, natural) {
    const recorder = this.#recorder;
    let k = 0;
    try {
      k = recorder.enter(this.name, given);
      const known = Object.fromEntries([...Object.entries(recorder.values), ["given", given]]);
      const reply = perform(this.name, this.#ops, copy(natural(given)), known, this.#act);
      recorder.leave(this.name, k, reply);
      return reply;
    } catch (error) {
      if (error instanceof ScriptedError) {
        recorder.raising(this.name, k, error);
        throw error;
      }
      recorder.stop(error);
      return undefined;
    }
  }
}

export class Sink {
  #recorder;

  constructor(name, recorder) {
    this.name = name;
    this.#recorder = recorder;
  }

  /** Record one event; one that the log cannot carry stops the scenario. */
  put(event) {
    try {
      this.#recorder.event(this.name, event);
    } catch (error) {
      this.#recorder.stop(error);
    }
  }
}
