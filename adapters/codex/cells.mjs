// The steps of a scenario as operations of the host; what it says is recorded in the order in which it came.

import { gone, Host } from "./host.mjs";
import { ended, failure, first, later } from "./outcomes.mjs";
import { source, tools } from "./program.mjs";

const { Inexpressible } = await import(`${process.env.BINDPROOF_SDK}/node/index.mjs`);

/** An observation without a deadline has one that does not come. */
const LONG_MS = 600_000;

/** Throw where the shipped wire has no way to say what a scenario asks for. */
export function refuse(steps) {
  const cells = new Set(steps.filter(({ step }) => step === "create").map((step) => step.as));
  if (steps.some(({ step, of }) => step === "cancel" && cells.has(of))) {
    throw new Inexpressible(
      "cancel.initial",
      "creating a cell and observing it first is one request; it is not cancelled",
    );
  }
}

/** A promise that is kept from outside. */
function promised() {
  let keep;
  const promise = new Promise((resolve) => {
    keep = resolve;
  });
  return { promise, keep };
}

export class Cells {
  #program;
  #host;
  #log = [];
  #number = 0;
  #replies = new Map(); // id of an operation → what is done with its reply
  #firsts = new Map(); // the same of first observations
  #operations = new Map(); // observation → id of its operation
  #events = new Map(); // what is waited for → a promise of it
  #ids = new Map(); // cell → the host's id
  #names = new Map(); // session and id → cell
  #calls = new Map(); // id of a call → its cell and name
  #programs = new Map();
  #open = new Set();
  #over = false;

  constructor(program) {
    this.#program = program;
  }

  async act(steps) {
    this.#host = await Host.greeted(this.#program, (message) => this.#heard(message));
    try {
      for (const [index, step] of steps.entries()) {
        await Promise.race([this.#step(index, step), this.#gone()]);
      }
      for (const session of this.#open) {
        await Promise.race([this.#asked("session/shutdown", { sessionId: session }, () => {}), this.#gone()]);
      }
    } finally {
      this.#over = true;
      await this.#host.kill();
    }
    return this.#log;
  }

  async #gone() {
    const status = await this.#host.ended;
    if (!this.#over) gone(status);
  }

  #step(index, step) {
    return this[`_${step.step}`](step, (end) => this.#log.push({ fact: "done", step: index, ...end }));
  }

  // -- steps: `done` records how one ended

  _open({ session }, done) {
    return this.#asked("session/open", { sessionId: session }, (result) => {
      if (result.status === "ok") this.#open.add(session);
      done(result.status === "ok" ? { value: null } : { error: failure(result) });
    });
  }

  _shutdown({ session }, done) {
    return this.#asked("session/shutdown", { sessionId: session }, (result) => {
      if (result.status === "ok") this.#open.delete(session);
      done(result.status === "ok" ? { value: null } : { error: failure(result) });
    });
  }

  _create({ as: cell, session, program, within }, done) {
    this.#programs.set(cell, program);
    const request = {
      tool_call_id: cell,
      enabled_tools: tools(program),
      source: source(program),
      yield_time_ms: within ?? LONG_MS,
      max_output_tokens: null,
    };
    const started = this.#asked("session/execute", { sessionId: session, request }, (result) => {
      if (result.status === "error") return done({ error: failure(result) });
      this.#ids.set(cell, result.value.cellId);
      this.#names.set(`${session}/${result.value.cellId}`, cell);
      return done({ value: { cell_id: result.value.cellId } });
    });
    this.#operations.set(cell, this.#number);
    this.#firsts.set(this.#number, (result) => this.#told(cell, cell, ended(result, first)));
    return started;
  }

  async _observe({ cell, as: name, session, within, count }, done) {
    const request = { cell_id: this.#ids.get(cell) ?? cell, yield_time_ms: within ?? LONG_MS };
    if (count === 1) {
      this.#ask("session/wait", { sessionId: session, request }, (r) => this.#told(name, cell, ended(r, later)));
      this.#operations.set(name, this.#number);
      return done({ value: null });
    }
    return this.#contend({ sessionId: session, request }, name, cell, count, done);
  }

  /** Begin several observations: the one that is left when all others have come back has the name. */
  async #contend(members, name, cell, count, done) {
    const back = [];
    const left = new Set();
    const enough = promised();
    for (let n = 0; n < count; n += 1) {
      this.#ask("session/wait", members, (result, id) => {
        left.delete(id);
        const end = ended(result, later);
        if (back.length === count - 1) return this.#told(name, cell, end);
        back.push(end.error ?? end);
        return back.length === count - 1 && enough.keep();
      });
      left.add(this.#number);
    }
    await enough.promise;
    this.#operations.set(name, [...left][0]);
    done({ value: { errors: back } });
  }

  async _await({ of }, done) {
    await this.#event(`told ${of}`).promise;
    done({ value: null });
  }

  async _reach({ cell, call }, done) {
    await this.#event(`called ${cell}/${call}`).promise;
    done({ value: null });
  }

  async _lost({ cell, call }, done) {
    await this.#event(`cancelled ${cell}/${call}`).promise;
    done({ value: null });
  }

  async _release({ cell, latch }, done) {
    const id = await this.#event(`called ${cell}/${latch}`).promise;
    done({ value: null });
    this.#answer(id, { status: "ok", value: { type: "tool/result", result: null } });
  }

  async _cancel({ of }, done) {
    done({ value: null });
    this.#host.send({ type: "operation/cancel", id: this.#operations.get(of) });
  }

  async _yield({ of }, done) {
    done({ value: null });
    this.#host.send({ type: "operation/yield", id: this.#operations.get(of) });
  }

  _terminate({ cell, session }, done) {
    const cellId = this.#ids.get(cell) ?? cell;
    return this.#asked("session/terminate", { sessionId: session, cellId }, (result) => {
      const end = ended(result, later);
      done(end.error ? end : { value: end });
    });
  }

  // -- operations

  /** Send a request; `replied` is called with its result as it comes. */
  #ask(method, members, replied) {
    this.#number += 1;
    this.#replies.set(this.#number, replied);
    this.#host.send({ type: "operation/request", id: this.#number, request: { method, ...members } });
  }

  /** The same, and wait for it. */
  #asked(method, members, replied) {
    const back = promised();
    this.#ask(method, members, (result) => {
      replied(result);
      back.keep();
    });
    return back.promise;
  }

  #event(name) {
    if (!this.#events.has(name)) this.#events.set(name, promised());
    return this.#events.get(name);
  }

  #told(observation, cell, end) {
    this.#log.push({ fact: "told", cell, observation, ...end });
    this.#event(`told ${observation}`).keep();
  }

  // -- what the host says

  #heard(message) {
    const handlers = {
      "operation/response": () => this.#replies.get(message.id)(message.result, message.id),
      "execute/initialResponse": () => this.#firsts.get(message.id)(message.result),
      "cell/closed": () => this.#log.push({ fact: "closed", cell: this.#name(message.sessionId, message.cellId) }),
      "delegate/request": () => this.#delegated(message),
      "delegate/cancel": () => this.#dropped(message.id),
    };
    handlers[message.type]();
  }

  #name(session, id) {
    return this.#names.get(`${session}/${id}`) ?? id;
  }

  #delegated({ id, sessionId, request }) {
    if (request.type === "notification/send") {
      this.#log.push({ fact: "notified", cell: this.#name(sessionId, request.cellId), note: request.text });
      this.#answer(id, { status: "ok", value: { type: "notification/delivered" } });
      return;
    }
    const { cell_id: cellId, tool_name: tool, input } = request.invocation;
    const [cell, call] = [this.#name(sessionId, cellId), tool.name];
    this.#calls.set(id, { cell, call });
    this.#log.push({ fact: "called", cell, call, input: Object.keys(input).length ? (input.text ?? input) : null });
    const { do: kind, fails } = this.#programs.get(cell).find(({ name }) => name === call);
    if (kind === "call" && fails) this.#answer(id, { status: "error", message: `${call} fails` });
    else if (kind === "call") this.#answer(id, { status: "ok", value: { type: "tool/result", result: input.text } });
    this.#event(`called ${cell}/${call}`).keep(id);
  }

  #dropped(id) {
    const called = this.#calls.get(id);
    if (!called) return; // a notification
    this.#log.push({ fact: "cancelled", ...called });
    this.#event(`cancelled ${called.cell}/${called.call}`).keep();
  }

  #answer(id, result) {
    this.#host.send({ type: "delegate/response", id, result });
  }
}
