// Acts one scenario after the other through a binding, on a clean slate each time.
//
// A binding is an object with
//   describe()                          `target` and `suites` of the answer to `initialize`
//   freshScope()                        begins on a new scope stack
//   registered()                        [[family, name], …] of everything registered now, from the binding's listing
//   flush()                             promise: every event so far is delivered
//   registerSubscriber(step, sink)      registers; returns what deregisters
//   registerLlmRequest(step, callback)  registers; returns what deregisters
//   callLlm(step, provider, decode, encode)   promise of what the caller gets; without a codec the last two are undefined
//   helperLlmRequest(step)              promise of the helper's outcome
// Whatever these throw is what the binding gave its caller.

import { Callback, Sink } from "./callback.mjs";
import { PlaceError } from "./pointer.mjs";
import { Recorder } from "./recorder.mjs";
import { AdapterFault, Stop, Unsupported } from "./signals.mjs";
import { resolve } from "./values.mjs";

export class Actor {
  #binding;
  #strays = [];

  constructor(binding) {
    this.#binding = binding;
  }

  describe() {
    return this.#binding.describe();
  }

  /** Act `scenario`; return its observation, or throw a Stop. */
  async run(_suite, scenario) {
    const recorder = new Recorder(this.#strays);
    const performance = new Performance(this.#binding, recorder);
    const before = this.#binding.registered();
    try {
      this.#binding.freshScope();
      await performance.actAll(scenario.steps);
    } finally {
      await performance.clearUp();
    }
    const left = without(this.#binding.registered(), before);
    if (recorder.stopped) throw recorder.stopped;
    const stray = this.#strays.splice(0);
    return { log: recorder.log, left: left.map(([family, name]) => ({ family, name })), stray };
  }
}

/** One scenario while it runs: its steps, its callbacks, and what must be undone after it. */
class Performance {
  #binding;
  #recorder;
  #undo = [];

  constructor(binding, recorder) {
    this.#binding = binding;
    this.#recorder = recorder;
  }

  /** Act the steps in order until they end or something stops the scenario. */
  async actAll(steps) {
    for (const step of steps) {
      if (this.#recorder.stopped) return;
      if (step.step === "register") this.#register(step);
      else await this.#await(step);
    }
  }

  /** Flush, close the log, deregister in reverse, flush again; what cannot be undone shows in `left`. */
  async clearUp() {
    try {
      await this.#binding.flush();
    } finally {
      this.#recorder.settle();
      while (this.#undo.length > 0) quietly(this.#undo.pop());
      await this.#binding.flush();
    }
  }

  #register(step) {
    try {
      this.#undo.push(this.#registration(step));
      this.#recorder.done(step.as, null);
    } catch (error) {
      this.#ended(step, error);
    }
  }

  #registration(step) {
    if (step.scope !== "global") throw new Unsupported("scope_local", "registrations on a scope are not built yet");
    if (step.family === "subscriber") {
      return this.#binding.registerSubscriber(step, new Sink(step.as, this.#recorder));
    }
    if (step.family === "llm.request") {
      return this.#binding.registerLlmRequest(step, this.#callback(step.as, step.do));
    }
    throw new Unsupported(step.family, "this family is not built yet");
  }

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

  #outcome(step) {
    if (step.step === "flush") return this.#binding.flush();
    if (step.step === "helper" && step.kind === "llm.request") {
      return this.#binding.helperLlmRequest(this.#withRequest(step));
    }
    if (step.step === "call" && step.kind === "llm") return this.#call(this.#withRequest(step));
    throw new Unsupported(`${step.step} ${step.kind ?? ""}`.trim(), "this step is not built yet");
  }

  #call(step) {
    const provider = this.#callback(`${step.as}.provider`, step.provider);
    if (step.codec === "none") return this.#binding.callLlm(step, provider);
    if (typeof step.codec === "string") {
      throw new Unsupported("codec", `the built-in codec '${step.codec}' is not built yet`);
    }
    const decode = this.#callback(`${step.as}.decode`, step.codec.decode);
    const encode = this.#callback(`${step.as}.encode`, step.codec.encode);
    return this.#binding.callLlm(step, provider, decode, encode);
  }

  #withRequest(step) {
    try {
      return { ...step, request: resolve(step.request, this.#recorder.values) };
    } catch (missing) {
      if (!(missing instanceof PlaceError)) throw missing;
      throw new AdapterFault(`step '${step.as}': ${missing.message}`);
    }
  }

  #callback(name, ops) {
    return new Callback(name, ops, this.#recorder, (step) => this.#actInside(step));
  }

  #actInside(step) {
    if (step.step !== "register") throw new Unsupported("reentrant", `the step '${step.step}' inside a callback`);
    this.#register(step);
    if (this.#recorder.stopped) throw this.#recorder.stopped;
  }

  #ended(step, error) {
    if (error instanceof Stop) this.#recorder.stop(error);
    else this.#recorder.failed(step.as, error);
  }
}

function quietly(undo) {
  try {
    undo();
  } catch {
    // It stays registered, and `left` shows that.
  }
}

function without(after, before) {
  const counted = new Map();
  for (const entry of before) counted.set(JSON.stringify(entry), (counted.get(JSON.stringify(entry)) ?? 0) + 1);
  return after.filter((entry) => {
    const count = counted.get(JSON.stringify(entry)) ?? 0;
    counted.set(JSON.stringify(entry), count - 1);
    return count <= 0;
  });
}
