// Acts one scenario after the other through a binding, on a clean slate each time.
//
// A binding is an object with
//   describe()                `target` and `suites` of the answer to `initialize`
//   freshScope()              begins on a new scope stack
//   registered(family)        [{family, name, effective, plugin, number}, …] of everything registered now, or what is of
//                             this family, as the binding's own listing has it: the name that it was registered by, the
//                             name that a gate targets, and where it is a plugin's, that one's name and its number;
//                             those two are undefined where there is none
//   flush()                   promise: every event so far is delivered
//   register(step, callback)  registers what the step's family says: a Sink for a subscriber, an Around where an
//                             execution is wrapped; returns what deregisters it and returns the binding's answer to
//                             that. Throws Unsupported for families that it does not have
//   callLlm(step, provider, decode, encode)   promise of what the caller gets; without a codec the last two are undefined
//                             unless the step's codec is a built-in one
//   codecs()                  where it has some: the names of its built-in codecs, of requests and responses
//   decode(step)              where codecs can be asked: what the step's codec reads of its payload, a request or a
//                             response as `side` says. The codec is a built-in one, or `own`: what the sanitizer gets
//                             whose callback does the step, asked about what that was given; null where it gets none
//   encode(step)              with it: the request that this codec makes of the payload and the step's annotation
//   helper(step)              promise of what the standalone helper of a family gives
// and, where it has tools, scopes and the manual API,
//   callTool(step, provider)  promise of what the caller gets: `result` and `annotation`
//   start(step)               starts a scope, or a manual call, as the step's `kind` says; returns its handle
//   end(step)                 ends what was started; `kind` is that of the start
//   mark(step)                emits a mark
//   current()                 `uuid` and `name` of the scope that is the current one
//   block(step, endsAt)       where the language has such a form: opens a scope that it keeps open for a block of code;
//                             promises its `handle` and what leaves the block, by an error or by null, `leave`, which
//                             promises that it is over and rejects by what passes out of it
// and, where several calls may be made at a time,
//   inFlight                  true; what does a call's work then promises `provider.answer(given, natural)`
// and, where programs may run at once,
//   inOwnScope(program)       calls it on a new scope stack that is its alone, until what it promises is settled; returns
//                             that promise
// Where a step names another one, it holds what that one made: `scope` of a registration is null or the handle of the
// scope that owns it, `parent` null or a scope's handle, `of` the handle of what is to be ended.
// Whatever these throw is what the binding gave its caller.

import { Performance } from "./performance.mjs";
import { Recorder } from "./recorder.mjs";

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
    return { log: recorder.log, left: left.map(({ family, name }) => ({ family, name })), stray };
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
