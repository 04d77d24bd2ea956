// The log of one scenario: facts in the order seen. JavaScript runs one callback at a time, so the lock is the event
// loop. What arrives after `settle` goes to the list of strays.

import { plain } from "./values.mjs";

export class Recorder {
  #entries = new Map();
  #raised = new Map();
  #settled = false;
  #strays;

  constructor(strays) {
    this.log = [];
    this.values = {};
    this.stopped = null;
    this.#strays = strays;
  }

  /** Record that a callback was called; return which call of it this is, counted from 0. */
  enter(callback, given) {
    const k = this.#entries.get(callback) ?? 0;
    this.#entries.set(callback, k + 1);
    this.#add({ fact: "enter", callback, k, given: plain(given) });
    return k;
  }

  /** Record the reply that is about to be handed to the binding. */
  leave(callback, k, reply) {
    this.#add({ fact: "leave", callback, k, reply: plain(reply) });
  }

  /** Record that the callback is about to throw `error`. */
  raising(callback, k, error) {
    if (!this.#raised.has(error)) this.#raised.set(error, callback); // the first to raise it, not who let it pass
    this.#add({ fact: "leave", callback, k, raised: String(error?.message ?? error) });
  }

  /** Record that a callback stands at a closed latch. */
  waiting(callback, k, latch) {
    this.#add({ fact: "wait", callback, k, latch });
  }

  /** Record that a callback that stood at a latch goes on. */
  resumed(callback, k) {
    this.#add({ fact: "resume", callback, k });
  }

  /** Record a chunk that is about to be handed to the binding. */
  chunk(callback, k, value) {
    this.#add({ fact: "chunk", callback, k, value: plain(value) });
  }

  /** Record the end of a callback's stream: `how`, or the error that it throws. */
  over(callback, k, { how, error }) {
    if (how) {
      this.#add({ fact: "over", callback, k, how });
      return;
    }
    if (!this.#raised.has(error)) this.#raised.set(error, callback);
    this.#add({ fact: "over", callback, k, raised: String(error?.message ?? error) });
  }

  /** Record a chunk that a reader got. */
  read(step, value) {
    this.#add({ fact: "read", step, value: plain(value) });
  }

  /** Record an event as the binding serialised it. */
  event(subscriber, event) {
    this.#add({ fact: "event", subscriber, event: plain(event) });
  }

  /** Record what a finished step gave. */
  done(step, value) {
    const seen = plain(value);
    this.values[step] = value;
    this.#add({ fact: "done", step, value: seen });
  }

  /** Record the error that a step ended with, and whose error object it is. */
  failed(step, error) {
    this.#add({ fact: "done", step, error: this.#described(error) });
  }

  /** Record that a callback is about to go on with what it wraps. */
  asking(callback, k, argument) {
    this.#add({ fact: "next", callback, k, given: plain(argument) });
  }

  /** Record what going on gave. */
  answered(callback, k, value) {
    this.#add({ fact: "answer", callback, k, value: plain(value) });
  }

  /** Record the error that going on ended with. */
  unanswered(callback, k, error) {
    this.#add({ fact: "answer", callback, k, error: this.#described(error) });
  }

  #described(error) {
    return {
      type: error?.constructor?.name ?? typeof error,
      message: String(error?.message ?? error),
      code: typeof error?.code === "string" ? error.code : null,
      same_as: this.#raised.get(error) ?? null,
    };
  }

  /** Record what was counted of a step, once all is cleared up. */
  measure(name, value) {
    this.#add({ fact: "measure", name, value });
  }

  /** Keep the first reason why the scenario cannot go on; it outlives whatever the binding makes of it. */
  stop(stop) {
    this.stopped ??= stop;
  }

  /** Record the end; nothing follows it. */
  settle() {
    this.#add({ fact: "settled" });
    this.#settled = true;
  }

  #add(fact) {
    (this.#settled ? this.#strays : this.log).push(fact);
  }
}
