// One scenario while it runs: its steps, its callbacks, and what must be undone after it.

import { AdapterFault, Inexpressible, Stop, Unsupported } from "../signals.mjs";
import { Blocks } from "./blocks.mjs";
import { Around, Asynchronous, Awaited, Callback, Provider, Sink } from "./callback.mjs";
import { answered, mustBeBuiltIn } from "./coding.mjs";
import { Contexts } from "./contexts.mjs";
import { Latches } from "./flight.mjs";
import { register as registerGate } from "./gates.mjs";
import { Held } from "./held.mjs";
import { told } from "./listing.mjs";
import { PlaceError } from "./pointer.mjs";
import { BEFORE, isAwaited, published, waits } from "./script.mjs";
import { storm } from "./storms.mjs";
import { Collector, Finalizer, OpenStream, Source } from "./streaming.mjs";
import { handedOver, resolve } from "./values.mjs";

// Steps that may leave something at work when the program is over; so may what is in the background, and a block.
const LINGERING = ["open", "cancel", "install", "storm"];

// Steps that a program waits for, and that no callback can do.
const WAITING = [
  "call",
  "go_on",
  "open",
  "cancel",
  "read",
  "close",
  "helper",
  "flush",
  "install",
  "uninstall",
  "storm",
];

// Steps that ask the binding something, and change nothing.
const ASKING = ["list", "current", "handle", "build", "decode", "encode", "capture"];

// Families whose callbacks wrap an execution.
const AROUND = ["llm.execution", "tool.execution"];

// Members of a step in which `$get` may stand.
const RESOLVED = ["request", "args", "input", "output"];

export class Performance {
  #binding;
  #recorder;
  #registered = new Map();
  #gates = new Map();
  #installed = new Map();
  #started = new Map();
  #failed = new Set();
  #streams = new Map();
  #around = new Map();
  #flows = { running: 0 };
  #blocks;
  #held;
  #latches;
  #undo = [];
  #contexts;
  #captured = new Map();
  // Whether something may be at work when the program is over.
  #lingers = true;

  constructor(binding, recorder) {
    this.#binding = binding;
    this.#recorder = recorder;
    this.#latches = new Latches(recorder);
    this.#held = new Held(recorder);
    this.#contexts = new Contexts(binding);
  }

  /** Act the steps in order until they end or something stops the scenario. */
  async actAll(steps) {
    this.#lingers = steps.some(({ step, background, block }) => LINGERING.includes(step) || background || block);
    if (steps.some(({ step, background }) => step === "open" || background) && !this.#binding.inFlight) {
      this.#recorder.stop(new Unsupported("in_flight", "calls in flight at the same time are not built yet"));
    }
    if (steps.some(({ how }) => how === "drop")) {
      this.#recorder.stop(new Unsupported("drop", "no program can tell when a forgotten stream is collected"));
    }
    this.#blocks = new Blocks(this.#binding, steps);
    for (const step of steps.map(handedOver)) {
      if (this.#recorder.stopped) return;
      if (step.background) await this.#latches.start(() => this.#await(step));
      else await this.#act(step);
    }
  }

  async #act(step) {
    if (WAITING.includes(step.step) || step.block || this.#endsBlock(step)) await this.#await(step);
    else this.#actNow(step);
  }

  #endsBlock({ step, of }) {
    return step === "end" && this.#blocks.has(of);
  }

  /**
   * Flush, close the log, deregister in reverse; what cannot be undone shows in `left`. Where something may be at work
   * still it flushes again, so that it is told before the next scenario.
   */
  async clearUp() {
    let over = false;
    try {
      await this.#blocks?.endAll();
      this.#contexts.leaveAll();
      this.#held.openAll();
      await this.#latches.openAll();
      await this.#binding.flush();
      over = !this.#lingers && !this.#recorder.stopped;
    } finally {
      this.#recorder.settle();
      for (const takeBack of this.#installed.values()) await takeBack().catch(() => {});
      while (this.#undo.length > 0) quietly(this.#undo.pop());
      if (!over) await this.#binding.flush();
    }
  }

  // -- steps that can also be done inside a callback ----------------------------------------------------------------

  #actNow(step, act = (inner) => this.#now(inner)) {
    try {
      this.#recorder.done(step.as, act(step));
    } catch (error) {
      this.#ended(step, error);
    }
  }

  #actInside(step, act = (inner) => this.#now(inner)) {
    if (WAITING.includes(step.step)) throw new Unsupported("reentrant", `the step '${step.step}' inside a callback`);
    this.#actNow(step, act);
    if (this.#recorder.stopped) throw this.#recorder.stopped;
  }

  #now(step) {
    if (step.step === "register") this.#register(step);
    else if (step.step === "deregister") return this.#found(this.#registered, step, "of", "registered")();
    else if (step.step === "gate") this.#gate(step);
    else if (step.step === "ungate") return this.#found(this.#gates, step, "of", "registered").takeBack();
    else if (ASKING.includes(step.step)) return this.#asked(step);
    else if (step.step === "start") this.#start(step);
    else if (step.step === "end") this.#end(step);
    else if (step.step === "mark") this.#mark(step);
    else if (step.step === "context") this.#begin(step);
    else if (step.step === "back") this.#back(step);
    else throw new Unsupported(`${step.step} ${step.kind ?? ""}`.trim(), "this step is not built yet");
    return null;
  }

  #register(step) {
    const undo = this.#binding.register(this.#resolved(step), this.#callee(step));
    this.#registered.set(step.as, undo);
    this.#undo.push(undo);
  }

  #gate(step) {
    const gate = registerGate(this.#binding, step);
    this.#gates.set(step.as, gate);
    this.#undo.push(gate.undo);
  }

  #callee(step) {
    const { as, family, do: ops } = step;
    if (family === "subscriber") {
      if (ops.some(({ op }) => op === "wait")) {
        throw new Inexpressible("subscriber.wait", "a subscriber runs on the program's thread, which it would keep");
      }
      return new Sink(as, ops, this.#recorder);
    }
    if (family === "llm.stream") {
      this.#streaming();
      return new Source(as, ops, this.#recorder, (step) => this.#actInside(step), this.#flows);
    }
    if (AROUND.includes(family)) {
      const around = this.#waiting(Around, as, ops);
      this.#around.set(as, around);
      return around;
    }
    if (BEFORE.includes(family) && isAwaited(step)) return this.#waiting(Awaited, as, ops);
    const part = published(family);
    const name = part ? `${as}.${part}` : as;
    if (part && waits(ops)) {
      this.#held.expect(ops);
      return this.#waiting(Awaited, name, ops, this.#held);
    }
    return this.#callback(name, ops, isAwaited(step) ? Asynchronous : Callback);
  }

  #start(step) {
    const handle = this.#lifecycles().start(this.#resolved(step));
    this.#started.set(step.as, { kind: step.kind, handle });
  }

  #end(step) {
    const { kind, handle } = this.#found(this.#started, step, "of", "started");
    this.#lifecycles().end({ ...this.#resolved(step), kind, of: handle });
  }

  #mark(step) {
    if (!step.measurements) this.#lifecycles().mark(this.#resolved(step));
    else if (this.#binding.metric) this.#binding.metric(this.#resolved(step));
    else throw new Unsupported("measurements", "a program emits no metrics here");
  }

  #begin(step) {
    this.#contexts.begin(step.from ? this.#found(this.#captured, step, "from", "captured") : null);
  }

  #back(step) {
    if (this.#failed.has(step.of)) throw new Error(`step '${step.as}': '${step.of}' has failed`);
    this.#contexts.back();
  }

  #asked(step) {
    if (step.step === "list") return this.#binding.registered(step.only).map(told);
    if (step.step === "current") return this.#lifecycles().current();
    if (step.step === "handle") return this.#told(step);
    if (step.step === "build") return this.#built(step);
    if (step.step === "capture") {
      const root = step.root === null ? null : this.#found(this.#started, step, "root", "started").handle;
      this.#captured.set(step.as, this.#contexts.capture({ ...step, root }));
      return this.#captured.get(step.as);
    }
    return answered(this.#binding, step);
  }

  #told(step) {
    if (!this.#binding.handle) throw new Unsupported("handle", "a program cannot ask a handle what it says");
    const { kind, handle } = this.#found(this.#started, step, "of", "started");
    return this.#binding.handle({ ...step, kind, of: handle });
  }

  #built(step) {
    if (this.#binding.build) return this.#binding.build(step);
    throw new Unsupported("build", "a program builds no objects of the binding here");
  }

  #lifecycles() {
    if (this.#binding.start) return this.#binding;
    throw new Unsupported("lifecycles", "tools, scopes and the manual API are not built yet");
  }

  // -- steps of the program alone -----------------------------------------------------------------------------------

  async #await(step) {
    let value;
    try {
      value = await this.#outcome(step);
    } catch (error) {
      this.#ended(step, error);
      return;
    }
    this.#recorder.done(step.as, step.step === "flush" ? null : value);
  }

  #goOn(step) {
    if (this.#binding.endsNext) return this.#around.get(step.of)?.goOn() ?? null;
    throw new Unsupported("go_on", "what an intercept of this release goes on with is not tried later");
  }

  #latchesOf({ latch }) {
    return this.#held.has(latch) ? this.#held : this.#latches;
  }

  #outcome(step) {
    if (step.step === "flush") return this.#binding.flush();
    if (step.step === "start") return this.#beginBlock(step);
    if (step.step === "end") return this.#endBlock(step);
    if (step.step === "open") return this.#latchesOf(step).open(step.latch);
    if (step.step === "go_on") return this.#goOn(step);
    if (step.step === "cancel") throw new Inexpressible("cancel", "nobody can cancel a promise");
    if (step.step === "read" || step.step === "close") return this.#use(step);
    if (step.step === "install") return this.#install(step);
    if (step.step === "uninstall") return this.#uninstall(step);
    if (step.step === "storm") return storm(this.#binding, step, (one) => this.#act(one));
    const resolved = this.#resolved(step);
    if (step.step === "helper") return this.#binding.helper(resolved);
    if (step.kind === "llm_stream") return this.#stream(resolved);
    const provider = this.#waiting(Provider, `${step.as}.provider`, step.provider);
    if (step.kind === "tool") return this.#lifecycles().callTool(resolved, provider);
    return this.#binding.callLlm(resolved, provider, ...this.#codecs(step));
  }

  async #beginBlock(step) {
    const handle = await this.#blocks.begin(this.#resolved(step));
    this.#started.set(step.as, { kind: step.kind, handle });
    return null;
  }

  async #endBlock({ of, raises }) {
    await this.#blocks.end(of, raises);
    return null;
  }

  async #install(step) {
    if (!this.#binding.install) throw new Unsupported("plugin", "a program installs no plugins here");
    const takeBack = await this.#binding.install(step.plugins, (plugin, put) => {
      const register = (inner) => {
        put(this.#resolved(inner), this.#callee(inner));
        return null;
      };
      const act = (inner) => this.#actInside(inner, register);
      new Callback(step.as, step.do, this.#recorder, act).play({ plugin }, () => null);
    });
    this.#installed.set(step.as, takeBack);
    return null;
  }

  async #uninstall(step) {
    const takeBack = this.#found(this.#installed, step, "of", "installed");
    this.#installed.delete(step.of);
    await takeBack();
    return null;
  }

  // What a call has of a scripted codec; a built-in one, of its request or its response, is the binding's to make.
  #codecs({ as, codec, response_codec: reads }) {
    if (reads) mustBeBuiltIn(this.#binding, "codec.response", reads);
    if (codec === "none") return [];
    if (typeof codec === "string") {
      mustBeBuiltIn(this.#binding, "codec.builtin", codec);
      return [];
    }
    return [this.#callback(`${as}.decode`, codec.decode), this.#callback(`${as}.encode`, codec.encode)];
  }

  async #stream(step) {
    const binding = this.#streaming();
    const common = [this.#recorder, (inside) => this.#actInside(inside)];
    const source = new Source(`${step.as}.source`, step.provider, ...common, this.#flows);
    const collector = new Collector(`${step.as}.collector`, step.collector, ...common);
    const finalizer = new Finalizer(`${step.as}.finalizer`, step.finalizer, ...common);
    const reader = await binding.openStream(step, { source, collector, finalizer }, ...this.#codecs(step));
    const stream = new OpenStream(reader, finalizer, this.#flows, this.#recorder, () => this.#binding.flush());
    this.#streams.set(step.as, stream);
    if (step.drain) await stream.read(step.as, null);
    return null;
  }

  #use(step) {
    const stream = this.#found(this.#streams, step, "of", "opened");
    return step.step === "read" ? stream.read(step.as, step.n) : stream.close();
  }

  #streaming() {
    if (this.#binding.openStream) return this.#binding;
    throw new Unsupported("llm.stream", "streams are not built yet");
  }

  /** Return the step with what it refers to: values of finished steps, handles of scopes. */
  #resolved(step) {
    const resolved = { ...step };
    for (const key of RESOLVED) if (key in step) resolved[key] = this.#value(step, key);
    const scope = (key) => this.#found(this.#started, step, key, "started").handle;
    if ("scope" in step) resolved.scope = step.scope === "global" ? null : scope("scope");
    if (step.parent) resolved.parent = scope("parent");
    return resolved;
  }

  #value(step, key) {
    try {
      return resolve(step[key], this.#recorder.values);
    } catch (missing) {
      if (!(missing instanceof PlaceError)) throw missing;
      throw new AdapterFault(`step '${step.as}': ${missing.message}`);
    }
  }

  #callback(name, ops, Kind = Callback) {
    return new Kind(name, ops, this.#recorder, (step) => this.#actInside(step));
  }

  #waiting(Kind, name, ops, latches = this.#latches) {
    return new Kind(name, ops, this.#recorder, (step) => this.#actInside(step), latches);
  }

  #ended(step, error) {
    if (error instanceof Stop) this.#recorder.stop(error);
    else {
      this.#failed.add(step.as);
      this.#recorder.failed(step.as, error);
    }
  }

  // What an earlier step made. Where the binding failed that, so does what needs it: the record says so.
  #found(table, step, key, did) {
    if (this.#failed.has(step[key])) throw new Error(`step '${step.as}': '${step[key]}' has failed`);
    if (!table.has(step[key])) throw new AdapterFault(`step '${step.as}': '${step[key]}' has ${did} nothing yet`);
    return table.get(step[key]);
  }
}

function quietly(undo) {
  try {
    undo();
  } catch {
    // It stays registered, and `left` shows that.
  }
}
