// A binding that is one function: a scenario is one call, and the record is its value or its error.

import { Stop } from "./signals.mjs";
import { spelled } from "./spelling.mjs";

/**
 * What an adapter drives. target, version: the package's own. suite, dialect: what it speaks. call: takes the scenario,
 * may be asynchronous; its value may be what JSON lacks, and what it throws is the record's error.
 */
export class Func {
  #call;
  #said;

  constructor(target, version, suite, dialect, call) {
    const runtime = `Node ${process.version}`;
    this.#said = {
      target: { name: target, version, language: "javascript", runtime },
      suites: { [suite]: { dialect } },
    };
    this.#call = call;
  }

  describe() {
    return this.#said;
  }

  async run(_suite, scenario) {
    try {
      return { log: [{ fact: "result", value: spelled(await this.#call(scenario)) }] };
    } catch (error) {
      if (error instanceof Stop) throw error;
      const told = error instanceof Error ? error : { name: typeof error, message: String(error) };
      return { log: [{ fact: "result", error: { type: told.name, message: told.message } }] };
    }
  }
}
