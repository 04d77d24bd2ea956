// A scripted callback and a subscriber's sink: what an adapter's functions hand their arguments to.

import { apply, change, opsOf, perform, ScriptedError } from "./script.mjs";
import { copy, handedBack } from "./values.mjs";

export class Callback {
  act;
  ops;
  recorder;

  constructor(name, ops, recorder, act) {
    this.name = name;
    this.ops = ops;
    this.recorder = recorder;
    this.act = act;
  }

  /**
   * Record the entry, let the ops change a copy of `natural(given)`, record the reply and return it.
   * Throws what the script throws. Where the script itself cannot be carried out the scenario is stopped and the binding
   * gets undefined: an error would be taken for a scripted one.
   */
  play(given, natural) {
    let k = 0;
    try {
      k = this.recorder.enter(this.name, given);
      return this.replied(k, given, natural);
    } catch (error) {
      return this.ended(k, error);
    }
  }

  /** Let the ops change a copy of `natural(given)`, record the reply of entry `k` and return it. */
  replied(k, given, natural) {
    const ops = opsOf(this.ops, k);
    const reply = perform(this.name, ops, copy(natural(given)), this.known({ given }), this.act);
    this.recorder.leave(this.name, k, reply);
    return handedBack(reply);
  }

  /** Record and throw what the script throws, and what it was given as a failure; else stop and return undefined. */
  ended(k, error, failures = new Set()) {
    if (error instanceof ScriptedError || failures.has(error)) {
      this.recorder.raising(this.name, k, error);
      throw error;
    }
    this.recorder.stop(error);
    return undefined;
  }

  /** Return what `$get` may name: the values of finished steps, and `more`. */
  known(more) {
    return Object.fromEntries([...Object.entries(this.recorder.values), ...Object.entries(more)]);
  }
}

/** A callback that promises its reply: it lets others run between its entry and that. */
export class Asynchronous extends Callback {
  /** Play the callback as a plain one is; promise the reply. */
  async play(given, natural) {
    let k = 0;
    try {
      k = this.recorder.enter(this.name, given);
      await new Promise(setImmediate);
      return this.replied(k, given, natural);
    } catch (error) {
      return this.ended(k, error);
    }
  }
}

/** A callback that may wait at latches. */
class Waiting extends Callback {
  #latches;

  constructor(name, ops, recorder, act, latches) {
    super(name, ops, recorder, act);
    this.#latches = latches;
  }

  /** Promise `reply` as one op leaves it; `k`: in which entry, `index`: which op of it. */
  async applied(k, index, op, reply, known) {
    if (op.op !== "wait") return apply(op, reply, known, this.act, `callback '${this.name}', op ${index}`);
    await this.#latches.wait(this.name, k, op.latch);
    return reply;
  }

  /** Promise the reply of entry `k` to what was given: as `play` has it, and waiting where the ops say so. */
  async waited(k, given, natural) {
    const { recorder } = this;
    try {
      const known = this.known({ given });
      let reply = copy(natural(given));
      for (const [index, op] of opsOf(this.ops, k).entries()) reply = await this.applied(k, index, op, reply, known);
      recorder.leave(this.name, k, reply);
      return handedBack(reply);
    } catch (error) {
      return this.ended(k, error);
    }
  }
}

/** The callback that does a call's work. */
export class Provider extends Waiting {
  /** Play the callback as `play` does, and wait where its ops say so; promise the reply. */
  async answer(given, natural) {
    return this.waited(this.recorder.enter(this.name, given), given, natural);
  }
}

/** A callback that runs before a call starts and promises its reply: it lets others run, and may wait at latches. */
export class Awaited extends Waiting {
  /** Play the callback as a plain one is, and wait where its ops say so; promise the reply. */
  async play(given, natural) {
    const k = this.recorder.enter(this.name, given);
    await new Promise(setImmediate);
    return this.waited(k, given, natural);
  }
}

/** A callback that wraps an execution: it may go on with what it wraps, by the op `next`. */
export class Around extends Waiting {
  #lent = () => null;

  /** Go on, unchanged, with what the last entry was lent; promise the answer, null where there was no entry. */
  async goOn() {
    return this.#lent();
  }

  /**
   * Play the callback as `play` does; promise its reply.
   * argument: what `next` goes on with unless it is edited. proceed: promises the answer to an argument, as JSON.
   * form: makes a reply of an answer, and of undefined where nothing was asked. Without an op `next` the natural reply
   * is made of the answer to the argument itself.
   */
  async wrap(given, argument, form, proceed) {
    const { recorder, name } = this;
    const asked = new Asked(this, argument, form, proceed);
    this.#lent = () => proceed(copy(argument));
    let k = 0;
    try {
      k = asked.k = recorder.enter(name, given);
      const reply = await this.#ended(asked, this.known({ given, next: asked.answers }));
      recorder.leave(name, k, reply);
      return handedBack(reply);
    } catch (error) {
      return this.ended(k, error, asked.failures);
    }
  }

  async #ended(asked, known) {
    const ops = opsOf(this.ops, asked.k);
    const isExplicit = ops.some(({ op }) => op === "next");
    let reply = isExplicit ? asked.form() : await asked.ask({ edits: [{}], catch: false }, asked.form(), known, "");
    for (const [index, op] of ops.entries()) {
      const where = `callback '${this.name}', op ${index}`;
      reply =
        op.op === "next"
          ? await asked.ask(op, reply, known, where)
          : await this.applied(asked.k, index, op, reply, known);
    }
    return reply;
  }
}

/** What one entry of a callback asked of what it wraps. */
class Asked {
  answers = [];
  failures = new Set();
  k = 0;
  #argument;
  #callback;
  #proceed;

  constructor(callback, argument, form, proceed) {
    this.form = form;
    this.#argument = argument;
    this.#callback = callback;
    this.#proceed = proceed;
  }

  /** Go on once for each edit; promise the reply that the last answer makes. */
  async ask(op, reply, known, where) {
    const { name, recorder } = this.#callback;
    const changed = (edit) => change(edit, copy(this.#argument), known, where);
    if (op.at_once) return this.#askAtOnce(op.edits.map(changed), reply);
    let last = reply;
    for (const edit of op.edits) {
      const argument = changed(edit);
      recorder.asking(name, this.k, argument);
      let answer;
      try {
        answer = await this.#proceed(argument);
      } catch (error) {
        recorder.unanswered(name, this.k, error);
        this.failures.add(error);
        this.answers.push(null);
        if (op.catch) continue;
        throw error;
      }
      recorder.answered(name, this.k, answer);
      this.answers.push(answer);
      last = this.form(copy(answer));
    }
    return last;
  }

  /** Go on with all arguments, and wait then; the answers are told in the order of the arguments. */
  async #askAtOnce(given, reply) {
    const { name, recorder } = this.#callback;
    for (const argument of given) recorder.asking(name, this.k, argument);
    const reasons = [];
    let last = reply;
    for (const { reason, status, value } of await Promise.allSettled(given.map((one) => this.#proceed(one)))) {
      if (status === "rejected") {
        recorder.unanswered(name, this.k, reason);
        this.failures.add(reason);
        reasons.push(reason);
      } else {
        recorder.answered(name, this.k, value);
        this.answers.push(value);
        last = this.form(copy(value));
      }
    }
    if (reasons.length > 0) throw reasons[0];
    return last;
  }
}

export class Sink {
  #ops;
  #recorder;
  /** How many events it was told. */
  #told = 0;

  constructor(name, ops, recorder) {
    this.name = name;
    this.#ops = ops;
    this.#recorder = recorder;
  }

  /** Record one event, and throw what the script throws at it; an event that the log cannot carry stops the scenario. */
  put(event) {
    try {
      this.#recorder.event(this.name, event);
      perform(this.name, opsOf(this.#ops, this.#told++), null, {}, () => {});
    } catch (error) {
      if (error instanceof ScriptedError) throw error;
      this.#recorder.stop(error);
    }
  }
}
