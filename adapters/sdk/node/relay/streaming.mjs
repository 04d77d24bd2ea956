// Stream calls: callbacks that hand over chunks, those that collect them, and the stream that is left to read.

import { AdapterFault, Stop } from "../signals.mjs";
import { Callback } from "./callback.mjs";
import { apply, change, perform, ScriptedError } from "./script.mjs";
import { copy, handedBack, resolve } from "./values.mjs";

// What a stream's provider hands over by itself.
const NATURAL = [{ op: "yield", chunks: [{ i: 0 }, { i: 1 }] }];

// How long a stream that has ended may take until its callbacks have ended too, in milliseconds.
const SETTLING_MS = 1000;

const DONE = { done: true, value: undefined };
const CLOSED = Symbol("closed");

/**
 * A callback that hands over chunks: a stream's provider, or an intercept around it. The ops before the first `yield`
 * are done when it is called, the others when its stream is read. flows counts the streams that have not ended.
 */
export class Source extends Callback {
  flows;
  #eager;
  #late;

  constructor(name, ops, recorder, act, flows) {
    super(name, ops, recorder, act);
    const first = ops.findIndex(({ op }) => op === "yield" || op === "hang");
    const split = first < 0 ? ops.length : first;
    this.#eager = ops.slice(0, split);
    this.#late = ops.slice(split);
    this.flows = flows;
  }

  /** Play a provider: return its stream. Throws what it throws. */
  open(given) {
    const known = this.known({ given });
    const k = this.recorder.enter(this.name, given);
    this.#guarded(k, () => perform(this.name, this.#eager, null, known, this.act));
    this.recorder.leave(this.name, k, null);
    const late = this.#late.length > 0 ? this.#late : NATURAL;
    return new Flow(this, k, handedOver(this, late, known));
  }

  /** Play an intercept; promise its stream. proceed: promises the stream that it wraps, for an argument. */
  async wrap(given, argument, proceed) {
    const known = this.known({ given });
    const k = this.recorder.enter(this.name, given);
    const inner = new Inner(this, k, argument, proceed, known);
    const eager = this.#eager.filter(({ op }) => op !== "edit");
    if (!this.ops.some(({ op }) => op === "next")) eager.unshift({ op: "next", edits: [{}], catch: false });
    let passed;
    try {
      for (const op of eager) {
        if (op.op === "next") passed = await inner.ask(op);
        else apply(op, null, known, this.act, `callback '${this.name}'`);
      }
    } catch (error) {
      this.#failed(k, error, inner);
      throw error;
    }
    this.recorder.leave(this.name, k, null);
    const late = this.#late.filter(({ op }) => op !== "edit");
    return new Flow(this, k, handedOver(this, late, known, inner, passed), inner);
  }

  /** Return a chunk of what is wrapped as the ops `edit` leave it. */
  changed(chunk, known) {
    const edits = this.ops.filter(({ op }) => op === "edit");
    return edits.reduce((value, op) => change(op, copy(value), known, `callback '${this.name}'`), chunk);
  }

  #guarded(k, play) {
    try {
      play();
    } catch (error) {
      this.#failed(k, error);
      throw error;
    }
  }

  #failed(k, error, inner) {
    if (error instanceof ScriptedError || inner?.failures.has(error)) this.recorder.raising(this.name, k, error);
    else this.recorder.stop(error);
  }
}

/** The chunks of one entry of a source, as an async iterator that can be closed while it waits for one. */
class Flow {
  #chunks;
  #close;
  #closing;
  #inner;
  #isOver = false;
  #k;
  #source;

  constructor(source, k, chunks, inner) {
    this.#source = source;
    this.#k = k;
    this.#chunks = chunks;
    this.#inner = inner;
    this.#closing = new Promise((close) => {
      this.#close = () => close(CLOSED);
    });
    source.flows.running += 1;
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  async next() {
    if (this.#isOver) return DONE;
    let got;
    try {
      got = await Promise.race([this.#chunks.next(), this.#closing]);
    } catch (error) {
      if (error instanceof Stop) this.#source.recorder.stop(error);
      this.#over({ error });
      throw error;
    }
    if (got === CLOSED || this.#isOver) return DONE;
    if (got.done) {
      this.#over({ how: "ended" });
      return DONE;
    }
    this.#source.recorder.chunk(this.#source.name, this.#k, got.value);
    return { done: false, value: handedBack(got.value) };
  }

  async return() {
    if (!this.#isOver) {
      this.#over({ how: "closed" });
      this.#close();
      await this.#inner?.close();
    }
    return DONE;
  }

  #over(end) {
    this.#isOver = true;
    this.#source.flows.running -= 1;
    this.#source.recorder.over(this.#source.name, this.#k, end);
  }
}

async function* handedOver(source, ops, known, inner, passed) {
  if (passed) yield* passed;
  for (const op of ops) {
    if (op.op === "yield") yield* resolve(op.chunks, known);
    else if (op.op === "next") yield* (await inner.ask(op)) ?? [];
    else if (op.op === "hang") await new Promise(() => {});
    else if (op.op === "raise") throw new ScriptedError(op.text);
    else throw new AdapterFault(`callback '${source.name}': unknown op '${op.op}' in a stream`);
  }
}

/** What an intercept goes on to. */
class Inner {
  failures = new Set();
  #argument;
  #iterator;
  #k;
  #known;
  #proceed;
  #source;

  constructor(source, k, argument, proceed, known) {
    this.#source = source;
    this.#k = k;
    this.#argument = argument;
    this.#proceed = proceed;
    this.#known = known;
  }

  /** Go on; promise the chunks as they are passed on, or nothing where nothing is asked or a failure is caught. */
  async ask(op) {
    const { name, recorder } = this.#source;
    const [edit] = op.edits;
    if (edit === undefined) return undefined;
    const argument = change(edit, copy(this.#argument), this.#known, `callback '${name}'`);
    recorder.asking(name, this.#k, argument);
    try {
      this.#iterator = (await this.#proceed(argument))[Symbol.asyncIterator]();
    } catch (error) {
      recorder.unanswered(name, this.#k, error);
      this.failures.add(error);
      if (op.catch) return undefined;
      throw error;
    }
    recorder.answered(name, this.#k, null);
    return this.#passed(op.catch);
  }

  async *#passed(isCaught) {
    try {
      for (let got = await this.#iterator.next(); !got.done; got = await this.#iterator.next()) {
        yield this.#source.changed(got.value, this.#known);
      }
    } catch (error) {
      if (!isCaught || error instanceof Stop) throw error;
    }
  }

  async close() {
    await this.#iterator?.return?.();
  }
}

/** A stream's collector. */
export class Collector extends Callback {
  /** Play the collector for one chunk. */
  take(chunk) {
    this.play({ chunk }, () => null);
  }
}

/** A stream's finalizer. */
export class Finalizer extends Callback {
  ran = false;

  /** Play the finalizer; return what it makes of the stream. */
  finish() {
    this.ran = true;
    return this.play({}, () => ({ done: true }));
  }
}

/** A stream that a program has opened. flush: promises that every event so far is delivered. */
export class OpenStream {
  #ended = false;
  #finalizer;
  #flows;
  #flush;
  #reader;
  #recorder;

  constructor(reader, finalizer, flows, recorder, flush) {
    this.#reader = reader;
    this.#finalizer = finalizer;
    this.#flows = flows;
    this.#recorder = recorder;
    this.#flush = flush;
  }

  /** Read `n` chunks, or with null all; record each. Throws what the binding gives its reader. */
  async read(step, n) {
    try {
      for (let count = 0; !this.#ended && (n === null || count < n); count += 1) {
        const { done, value } = await this.#reader.next();
        this.#ended = Boolean(done);
        if (!done) this.#recorder.read(step, value);
      }
    } catch (error) {
      this.#ended = true;
      throw error;
    } finally {
      if (this.#ended) await this.#settle();
    }
    return { ended: this.#ended };
  }

  /** Close the stream, and wait until its callbacks have ended. */
  async close() {
    this.#ended = true;
    try {
      await this.#reader.close();
    } finally {
      await this.#settle();
    }
    return null;
  }

  async #settle() {
    const deadline = performance.now() + SETTLING_MS;
    while ((this.#flows.running > 0 || !this.#finalizer.ran) && performance.now() < deadline) {
      await new Promise((go) => setTimeout(go, 1));
    }
    await this.#flush();
  }
}
