// The toy that ../cases speaks of, as a binding in JavaScript: a few lines that do what its page says.

import { Unsupported } from "../index.mjs";
import { Bare } from "./bare.mjs";

const FAMILIES = ["subscriber", "llm.request", "llm.execution", "llm.stream"];

/** What a toy may lack, by the word for it in the cases: the members that make it. */
const PARTS = {
  in_flight: ["inFlight"],
  streams: ["openStream"],
  plugins: ["install"],
  objects: ["build"],
  coding: ["decode", "encode"],
  lifecycles: ["start"],
};

export class Toy extends Bare {
  inFlight = true;
  endsNext = true;
  /** How many plugins are installed. */
  plugins = 0;
  #kept = [];
  /** The number of the scope stack. */
  #stack = 0;

  constructor(lacks) {
    super();
    for (const member of lacks ? PARTS[lacks] : []) this[member] = undefined;
  }

  registered(only = null) {
    const all = this.#kept.map(({ callback, ...entry }) => entry);
    return all.filter(({ family }) => only === null || family === only);
  }

  register({ family, name, scope }, callback) {
    if (scope) this.#tell({ register: name, scope });
    return this.#put({ family, name, effective: name }, callback);
  }

  callLlm({ name, request }, provider) {
    return this.#called(name, request, provider);
  }

  async openStream({ request }, { source, collector, finalizer }) {
    const go = async ([first, ...rest], asked) =>
      first ? first.wrap({ request: asked }, asked, (argument) => go(rest, argument)) : source.open({ request: asked });
    return new Stream(await go(this.#of("llm.stream"), request), collector, finalizer);
  }

  /** What a plugin registers has a name of its own. */
  async install(plugins, setUp) {
    const undo = [];
    const takeBack = async () => {
      this.plugins -= 1;
      for (const one of undo) one();
    };
    this.plugins += 1;
    try {
      for (const plugin of plugins) {
        const owned = ({ family, name }) => ({ family, name, effective: `plugin.${name}`, plugin });
        setUp(plugin, (step, callback) => undo.push(this.#put(owned(step), callback)));
      }
    } catch (error) {
      await takeBack();
      throw new Error(`registration failed: ${error.message}`);
    }
    return takeBack;
  }

  build({ object, value }) {
    return { [object]: value };
  }

  codecs() {
    return ["openai_chat"];
  }

  decode({ codec, side, payload }) {
    return { decode: codec, side, payload };
  }

  encode({ codec, annotation, payload }) {
    return { encode: codec, annotation, payload };
  }

  handle({ of, kind }) {
    return { handle: of, kind };
  }

  current() {
    return { uuid: "u", name: this.#stack ? `n ${this.#stack}` : "n" };
  }

  context() {
    const around = this.#stack++;
    return () => (this.#stack = around);
  }

  start({ name, parent, input, attributes, timestamp }) {
    if (name === "refused") throw new Error("no such start");
    const said = timestamp ? { said: [attributes, timestamp] } : {};
    this.#tell({ start: name, parent, input, ...said });
    return `handle of ${name}`;
  }

  end({ of, output }) {
    this.#tell({ end: of, output });
  }

  mark({ name, parent }) {
    this.#tell({ mark: name, parent });
  }

  #put(entry, callback) {
    const { family, effective } = entry;
    if (!FAMILIES.includes(family)) throw new Unsupported(family, "no toy");
    const isIt = (one) => one.family === family && one.effective === effective;
    if (this.#kept.some(isIt)) throw new Error("taken");
    this.#kept.push({ ...entry, callback });
    return () => {
      const place = effective === "stuck" ? -1 : this.#kept.findIndex(isIt);
      if (place >= 0) this.#kept.splice(place, 1);
      return place >= 0;
    };
  }

  #of(family) {
    return this.#kept.filter((one) => one.family === family).map(({ callback }) => callback);
  }

  #tell(event) {
    for (const sink of this.#of("subscriber")) {
      try {
        sink.put(event);
      } catch {
        // nobody is told
      }
    }
  }

  async #called(name, asked, provider) {
    let request = asked;
    for (const intercept of this.#of("llm.request")) request = await intercept.play({ request }, () => request);
    const answer = await goOn(this.#of("llm.execution"), request, provider);
    this.#tell({ call: name, request });
    return answer;
  }
}

function goOn([first, ...rest], request, provider) {
  if (!first) return provider.answer({ request }, () => ({ ok: true }));
  const proceed = (argument) => goOn(rest, argument, provider);
  return first.wrap({ request }, request, (answer = null) => answer, proceed);
}

/** Hands each chunk to the collector and then to its reader, and reads nothing ahead. */
class Stream {
  #chunks;
  #collector;
  #finalizer;
  #ended = false;

  constructor(chunks, collector, finalizer) {
    this.#chunks = chunks;
    this.#collector = collector;
    this.#finalizer = finalizer;
  }

  async next() {
    let got;
    try {
      got = await this.#chunks.next();
      if (!got.done) this.#collector.take(got.value);
    } catch (error) {
      await this.close();
      throw error;
    }
    if (got.done) await this.close();
    return got;
  }

  async close() {
    if (this.#ended) return;
    this.#ended = true;
    await this.#chunks.return();
    this.#finalizer.finish();
  }
}
