// What the SDK does with a binding of a few lines: steps inside and outside callbacks, `next`, handles, the clean slate.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Bare } from "./bare.mjs";
import { Actor, AdapterFault, toolOutcome, Unsupported } from "./index.mjs";

/** Runs a tool's execution intercepts around its provider, and every other callback before it. */
class Toy extends Bare {
  registrations = new Map();
  calls = [];

  registered(only = null) {
    const listed = [...this.registrations.values()].map(({ step }) => [step.family, step.name]);
    return listed.filter(([family]) => only === null || family === only);
  }

  register(step, callback) {
    const key = `${step.scope ?? ""}/${step.name}`;
    if (this.registrations.has(key)) throw new Error("taken");
    this.registrations.set(key, { step, callback });
    return () => this.registrations.delete(key);
  }

  async callTool(step, provider) {
    const all = [...this.registrations.values()];
    for (const { callback } of all.filter(({ step: { family } }) => family.includes("sanitize"))) {
      callback.play({ name: step.name, args: step.args }, ({ args }) => args);
    }
    for (const { callback } of all.filter(({ step: { family } }) => family === "event.metadata")) {
      callback.play({ event: {} }, () => ({}));
    }
    const around = all.filter(({ step: { family } }) => family === "tool.execution").map(({ callback }) => callback);
    const { result, annotation } = await go(around, step, step.args, provider);
    return { result, annotation };
  }

  start(step) {
    if (step.name === "refused") throw new Error("no such start");
    this.calls.push(["start", step.kind, step.name, step.parent ?? null]);
    return `handle of ${step.as}`;
  }

  end(step) {
    this.calls.push(["end", step.kind, step.of, step.output]);
  }

  current() {
    return { uuid: "u", name: "n" };
  }

  mark(step) {
    this.calls.push(["mark", step.name, step.parent ?? null]);
  }
}

function go([first, ...rest], step, args, provider) {
  const natural = () => ({ result: { ok: true }, annotation: null });
  if (!first) return provider.play({ args }, natural);
  const proceed = async (argument) => go(rest, step, argument, provider);
  return first.wrap({ name: step.name, args }, args, (answer) => toolOutcome(answer), proceed);
}

const on = (family, as, ops = [], more = {}) => ({
  step: "register",
  as,
  family,
  name: as,
  scope: "global",
  do: ops,
  ...more,
});
const tool = (more = {}) => ({ step: "call", as: "c", kind: "tool", name: "t", args: { a: 1 }, provider: [], ...more });
const start = (as, more = {}) => ({ step: "start", as, kind: "scope", name: as, parent: null, input: null, ...more });
const next = (edits, more = {}) => ({ op: "next", edits, catch: false, ...more });
const raise = { op: "raise", text: "boom-1!" };
const inside = (step) => ({ op: "step", step });

async function run(steps, toy = new Toy()) {
  const { log, left } = await new Actor(toy).run("relay", { steps });
  assert.deepEqual(left, []);
  return log;
}

const of = (log, callback) => log.filter((record) => record.callback === callback);
const done = (log, step) => log.find((record) => record.fact === "done" && record.step === step);

test("without the op a callback goes on once, unchanged", async () => {
  const facts = of(await run([on("tool.execution", "x"), tool()]), "x");
  const answer = { result: { ok: true }, annotation: null };
  assert.deepEqual(facts, [
    { fact: "enter", callback: "x", k: 0, given: { name: "t", args: { a: 1 } } },
    { fact: "next", callback: "x", k: 0, given: { a: 1 } },
    { fact: "answer", callback: "x", k: 0, value: answer },
    { fact: "leave", callback: "x", k: 0, reply: { ...answer, pending_marks: [] } },
  ]);
});

test("each edit changes a copy of the argument, and the last answer makes the reply", async () => {
  const ops = [
    next([{ set: { "/b": 2 } }, { remove: ["/a"] }]),
    { op: "edit", set: { "/result": { $get: "next/0" } } },
  ];
  const log = await run([on("tool.execution", "x", ops), tool({ provider: [{ op: "edit", set: { "/result": 7 } }] })]);
  const asked = of(log, "x").filter(({ fact }) => fact === "next");
  assert.deepEqual(
    asked.map(({ given }) => given),
    [{ a: 1, b: 2 }, {}],
  );
  assert.deepEqual(done(log, "c").value, { result: { result: 7, annotation: null }, annotation: null });
});

test("each entry does its own ops, and later ones the last", async () => {
  const tries = on("tool.execution", "x", [next([{}, {}, {}], { catch: true })]);
  const inner = on("tool.execution", "y", [{ op: "each", ops: [[next([])], [raise], []] }]);
  const provider = [{ op: "each", ops: [[{ op: "edit", set: { "/result": 7 } }]] }];
  const log = await run([tries, inner, tool({ provider })]);
  assert.deepEqual(
    of(log, "y").map(({ fact, k }) => `${fact} ${k}`),
    ["enter 0", "leave 0", "enter 1", "next 1", "answer 1", "leave 1", "enter 2", "next 2", "answer 2", "leave 2"],
  );
  assert.deepEqual(
    of(log, "x").map(({ fact, error }) => (error ? "error" : fact)),
    ["enter", "next", "answer", "next", "error", "next", "answer", "leave"],
  );
  assert.equal(done(log, "c").value.result, 7);
});

test("with no edits it does not go on at all", async () => {
  const log = await run([on("tool.execution", "x", [next([])]), tool()]);
  assert.deepEqual(of(log, "c.provider"), []);
  assert.deepEqual(done(log, "c").value, { result: null, annotation: null });
});

test("a failure that is caught leaves the reply", async () => {
  const ops = [next([{}], { catch: true }), { op: "edit", set: { "/result": "instead" } }];
  const log = await run([on("tool.execution", "x", ops), tool({ provider: [raise] })]);
  const described = { type: "ScriptedError", message: "boom-1!", code: null, same_as: "c.provider" };
  assert.deepEqual(of(log, "x")[2], { fact: "answer", callback: "x", k: 0, error: described });
  assert.deepEqual(done(log, "c").value, { result: "instead", annotation: null });
});

test("a failure that is not caught is the first raiser's, through everybody who lets it pass", async () => {
  const steps = [on("tool.execution", "x"), on("tool.execution", "y"), tool({ provider: [raise] })];
  const log = await run(steps);
  for (const name of ["x", "y"]) {
    assert.deepEqual(of(log, name).at(-1), { fact: "leave", callback: name, k: 0, raised: "boom-1!" });
  }
  assert.equal(done(log, "c").error.same_as, "c.provider");
});

test("what is raised after going on is the callback's own", async () => {
  const log = await run([on("tool.execution", "x", [next([{}]), raise]), tool()]);
  assert.equal(done(log, "c").error.same_as, "x");
});

test("an edit of `next` that cannot be done is the adapter's fault and names the op", async () => {
  const steps = [on("tool.execution", "x", [next([{ set: { "/no/where": 1 } }])]), tool()];
  await assert.rejects(run(steps), (error) => {
    assert.ok(error instanceof AdapterFault);
    assert.match(error.message, /^callback 'x', op 0, pointer '\/no\/where': /);
    return true;
  });
});

test("callbacks of published events have ids of their own", async () => {
  const log = await run([on("tool.sanitize_request", "q"), on("event.metadata", "m"), tool()]);
  assert.deepEqual(
    log.filter(({ fact }) => fact === "enter").map(({ callback }) => callback),
    ["q.sanitize", "m.inject", "c.provider"],
  );
});

test("handles go where a step names what was started", async () => {
  const toy = new Toy();
  const steps = [
    start("A"),
    start("L", { kind: "llm", parent: "A", request: {} }),
    { step: "mark", as: "m", name: "m", parent: "A" },
    { step: "end", as: "e", of: "L", output: { $get: "v" } },
    { step: "end", as: "f", of: "A", output: null },
  ];
  await run([on("subscriber", "v"), ...steps], toy);
  assert.deepEqual(toy.calls, [
    ["start", "scope", "A", null],
    ["start", "llm", "L", "handle of A"],
    ["mark", "m", "handle of A"],
    ["end", "llm", "handle of L", null],
    ["end", "scope", "handle of A", null],
  ]);
});

test("the handle of a step that was done twice is the newest", async () => {
  const toy = new Toy();
  let count = 0;
  toy.start = () => `handle ${count++}`;
  const twice = [next([{}, {}])];
  const provider = [inside(start("I")), inside({ step: "end", as: "e", of: "I", output: null })];
  await run([on("tool.execution", "x", twice), tool({ provider })], toy);
  assert.deepEqual(
    toy.calls.map(([, , of]) => of),
    ["handle 0", "handle 1"],
  );
});

test("deregistering answers what the binding says, twice if need be", async () => {
  const take = (as) => ({ step: "deregister", as, of: "s" });
  const log = await run([on("subscriber", "s"), take("d"), take("e")]);
  assert.deepEqual([done(log, "d").value, done(log, "e").value], [true, false]);
});

test("a registration on a scope is given the scope's handle", async () => {
  const toy = new Toy();
  const names = [];
  const register = toy.register.bind(toy);
  toy.register = (step, callback) => names.push(step.scope) && register(step, callback);
  await run([start("A"), on("subscriber", "s", [], { scope: "A" }), on("subscriber", "t")], toy);
  assert.deepEqual(names, ["handle of A", null]);
});

test("an asynchronous callback is entered, lets others run, and replies as a plain one does", async () => {
  const toy = new Toy();
  toy.callTool = async ({ args }, provider) => {
    const [{ callback }] = toy.registrations.values();
    const replied = await callback.play({ args }, (given) => given.args);
    return provider.play({ args: replied }, () => ({ result: null, annotation: null }));
  };
  const log = await run([on("tool.request", "i", [{ op: "edit", set: { "/b": 2 } }], { async: true }), tool()], toy);
  assert.deepEqual(
    of(log, "i").map(({ fact, reply }) => [fact, reply]),
    [
      ["enter", undefined],
      ["leave", { a: 1, b: 2 }],
    ],
  );
  assert.deepEqual(of(log, "c.provider")[0].given, { args: { a: 1, b: 2 } });
});

test("what is given is changed in place, and the reply and the log are not", async () => {
  const toy = new Toy();
  const given = { a: 1 };
  const natural = ({ args }) => ({ result: args, annotation: null });
  toy.callTool = async (_step, provider) => provider.play({ args: given }, natural);
  const log = await run([tool({ provider: [{ op: "mutate", at: "/args/x", text: "in-place-1!" }] })], toy);
  assert.deepEqual(given, { a: 1, x: "in-place-1!" });
  assert.deepEqual(of(log, "c.provider")[0].given, { args: { a: 1 } });
  assert.deepEqual(done(log, "c").value.result, { a: 1 });
});

test("the current scope is what the binding says", async () => {
  const current = (as) => ({ step: "current", as });
  const log = await run([current("q"), on("tool.execution", "x", [inside(current("inside"))]), tool()]);
  assert.deepEqual(done(log, "q").value, { uuid: "u", name: "n" });
  assert.deepEqual(done(log, "inside").value, { uuid: "u", name: "n" });
});

test("an object is built where the binding has such, and is unsupported elsewhere", async () => {
  const build = { step: "build", as: "b", object: "request", value: { headers: {} } };
  const toy = new Toy();
  await assert.rejects(run([build], toy), (error) => error instanceof Unsupported && error.capability === "build");
  toy.build = ({ object, value }) => ({ [object]: value });
  assert.deepEqual(done(await run([build], toy), "b").value, { request: { headers: {} } });
});

test("a listing is of all families or of one", async () => {
  const list = (as, only = null) => ({ step: "list", as, only });
  const x = on("tool.execution", "x", [inside(list("inside"))]);
  const log = await run([on("subscriber", "s"), x, list("all"), list("one", "subscriber"), tool()]);
  const [subscriber, around] = [
    { family: "subscriber", name: "s" },
    { family: "tool.execution", name: "x" },
  ];
  assert.deepEqual(done(log, "all").value, [subscriber, around]);
  assert.deepEqual(done(log, "one").value, [subscriber]);
  assert.deepEqual(done(log, "inside").value, [subscriber, around]);
});

for (const [what, step] of [
  ["registered", { step: "deregister", as: "d", of: "nobody" }],
  ["started", { step: "end", as: "d", of: "nobody", output: null }],
  ["started", { step: "mark", as: "d", name: "m", parent: "nobody" }],
  ["started", on("subscriber", "d", [], { scope: "nobody" })],
]) {
  test(`an id that has ${what} nothing is named: ${step.step}`, async () => {
    await assert.rejects(run([step]), { message: `step 'd': 'nobody' has ${what} nothing yet` });
  });
}

test("a binding without lifecycles says so", async () => {
  const bare = new Toy();
  bare.start = undefined;
  await assert.rejects(
    run([tool()], bare),
    (error) => error instanceof Unsupported && error.capability === "lifecycles",
  );
});

test("a call inside a callback is unsupported", async () => {
  const steps = [on("tool.execution", "x", [inside(tool({ as: "d" }))]), tool()];
  await assert.rejects(run(steps), (error) => error instanceof Unsupported && error.capability === "reentrant");
});

test("what needs a step that failed fails too, and what needs one that is still to come is at fault", async () => {
  const start = { step: "start", as: "a", kind: "scope", name: "refused" };
  const end = { step: "end", as: "e", of: "a", output: null };
  const { log } = await new Actor(new Toy()).run("relay", { steps: [start, end] });
  const errors = log.filter(({ fact }) => fact === "done").map(({ error }) => error.message);
  assert.deepEqual(errors, ["no such start", "step 'e': 'a' has failed"]);
  await assert.rejects(new Actor(new Toy()).run("relay", { steps: [end] }), AdapterFault);
});
