// What the SDK does in Node alone, and with what no case of all languages has: tools, handles made anew, streams that are
// dropped, whose plugin a registration is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Unsupported } from "../index.mjs";
import { Bare } from "./bare.mjs";
import { Actor, toolOutcome } from "./index.mjs";
import { Toy } from "./toy.mjs";

/** Runs a tool's execution intercepts around its provider, and every other callback before it. */
class Tools extends Bare {
  callbacks = [];
  ended = [];

  register({ family }, callback) {
    this.callbacks.push([family, callback]);
    return () => true;
  }

  async callTool(step, provider) {
    for (const [family, callback] of this.callbacks) {
      if (family.includes("sanitize")) callback.play({ name: step.name, args: step.args }, ({ args }) => args);
      if (family === "event.metadata") callback.play({ event: {} }, () => ({}));
    }
    const around = this.callbacks.filter(([family]) => family === "tool.execution").map(([, callback]) => callback);
    const { result, annotation } = await go(around, step, step.args, provider);
    return { result, annotation };
  }

  start() {
    this.count = (this.count ?? -1) + 1;
    return `handle ${this.count}`;
  }

  end(step) {
    this.ended.push(step.of);
  }
}

function go([first, ...rest], step, args, provider) {
  const natural = () => ({ result: { ok: true }, annotation: null });
  if (!first) return provider.play({ args }, natural);
  const proceed = async (argument) => go(rest, step, argument, provider);
  return first.wrap({ name: step.name, args }, args, (answer) => toolOutcome(answer), proceed);
}

const on = (family, as, ops = []) => ({ step: "register", as, family, name: as, scope: "global", do: ops });
const tool = (provider = []) => ({ step: "call", as: "c", kind: "tool", name: "t", args: { a: 1 }, provider });
const inside = (step) => ({ op: "step", step });

async function run(steps, toy = new Tools()) {
  const { log, left } = await new Actor(toy).run("relay", { steps });
  assert.deepEqual(left, []);
  return log;
}

test("what wraps a tool goes on once, unchanged, and its natural reply has no marks", async () => {
  const log = await run([on("tool.execution", "x"), tool()]);
  const answer = { result: { ok: true }, annotation: null };
  assert.deepEqual(
    log.filter(({ callback }) => callback === "x"),
    [
      { fact: "enter", callback: "x", k: 0, given: { name: "t", args: { a: 1 } } },
      { fact: "next", callback: "x", k: 0, given: { a: 1 } },
      { fact: "answer", callback: "x", k: 0, value: answer },
      { fact: "leave", callback: "x", k: 0, reply: { ...answer, pending_marks: [] } },
    ],
  );
});

test("callbacks of published events have ids of their own", async () => {
  const log = await run([on("tool.sanitize_request", "q"), on("event.metadata", "m"), tool()]);
  assert.deepEqual(
    log.filter(({ fact }) => fact === "enter").map(({ callback }) => callback),
    ["q.sanitize", "m.inject", "c.provider"],
  );
});

test("the handle of a step that was done twice is the newest", async () => {
  const toy = new Tools();
  const twice = [{ op: "next", edits: [{}, {}], catch: false }];
  const start = { step: "start", as: "I", kind: "scope", name: "I", parent: null, input: null };
  const provider = [inside(start), inside({ step: "end", as: "e", of: "I", output: null })];
  await run([on("tool.execution", "x", twice), tool(provider)], toy);
  assert.deepEqual(toy.ended, ["handle 0", "handle 1"]);
});

test("of a stream that is to be dropped nothing is done: nobody could tell when that happens", async () => {
  const toy = new Toy();
  toy.openStream = () => assert.fail("it was opened");
  const stream = { step: "call", as: "c", kind: "llm_stream", name: "gpt", request: {}, codec: "none", drain: false };
  const steps = [
    { ...stream, provider: [], collector: [], finalizer: [] },
    { step: "close", as: "x", of: "c", how: "drop" },
  ];
  const says = (error) => error instanceof Unsupported && error.capability === "drop";
  await assert.rejects(new Actor(toy).run("relay", { steps }), says);
});

test("a listing says whose a plugin's registration is, and by its number where it has one", async () => {
  const binding = new Bare();
  const own = { family: "subscriber", name: "s", effective: "s", plugin: undefined, number: undefined };
  const plugins = { ...own, effective: "1: s", plugin: "p" };
  binding.registered = () => [own, plugins, { ...plugins, effective: "2: s", number: 2 }];
  assert.deepEqual((await run([{ step: "list", as: "l", only: null }], binding))[0].value, [
    { family: "subscriber", name: "s" },
    { family: "subscriber", name: "s", plugin: "p" },
    { family: "subscriber", name: "s", plugin: "p", number: 2 },
  ]);
});

test("what a plugin leaves behind is told by the name that it registered it by", async () => {
  const toy = new Toy();
  const takeBack = async () => {};
  const install = toy.install.bind(toy);
  toy.install = (...given) => install(...given).then(() => takeBack);
  const steps = [
    { step: "install", as: "p", plugins: ["p"], do: [inside(on("subscriber", "s"))] },
    { step: "list", as: "l", only: "subscriber" },
  ];
  const { log, left } = await new Actor(toy).run("relay", { steps });
  assert.deepEqual(log.find(({ step }) => step === "l").value, [{ family: "subscriber", name: "s", plugin: "p" }]);
  assert.deepEqual(left, [{ family: "subscriber", name: "s" }]);
});

test("a binding is handed what JSON lacks as the language has it", async () => {
  const lacking = [{ $float: "NaN" }, { $integer: "18446744073709551616" }, { $function: true }];
  const toy = new Tools();
  toy.callTool = async ({ args }) => {
    throw new Error(args.map((value) => typeof value).join());
  };
  const [{ error }] = await run([{ ...tool(), args: lacking }], toy);
  assert.equal(error.message, "number,bigint,function");
});

test("a binding is replied what JSON lacks as the language has it, and the log spells it", async () => {
  const lacking = { $float: "NaN" };
  const toy = new Tools();
  const taken = [];
  toy.callTool = async (_step, provider) => {
    taken.push(await provider.answer({ args: {} }, () => ({ result: 1, annotation: null })));
    return null;
  };
  const log = await run([tool([{ op: "edit", set: { "/result": lacking } }])], toy);
  assert.deepEqual(taken, [{ result: Number.NaN, annotation: null }]);
  assert.deepEqual(log.find(({ fact }) => fact === "leave").reply, { result: lacking, annotation: null });
});

test("a binding is handed chunks with what JSON lacks as the language has it", async () => {
  const lacking = { $float: "NaN" };
  const toy = new Toy();
  const taken = [];
  toy.openStream = async (_step, { source }) => {
    for await (const chunk of source.open({ request: {} })) taken.push(chunk);
    throw new Error("refused");
  };
  const stream = { step: "call", as: "c", kind: "llm_stream", name: "gpt", request: {}, codec: "none", drain: true };
  const provider = [{ op: "yield", chunks: [[lacking]] }];
  const log = await run([{ ...stream, provider, collector: [], finalizer: [] }], toy);
  assert.deepEqual(taken, [[Number.NaN]]);
  assert.deepEqual(log.find(({ fact }) => fact === "chunk").value, [lacking]);
});

test("what wraps a call is replied it too", async () => {
  const log = await run([on("tool.execution", "x", [{ op: "edit", set: { "/result": { $function: true } } }]), tool()]);
  assert.deepEqual(log.find(({ callback, fact }) => callback === "x" && fact === "leave").reply.result, {
    $function: true,
  });
});
