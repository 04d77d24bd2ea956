// What the SDK does with calls in flight of a binding of a few lines: who stands at which latch, and who goes on when.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Bare } from "./bare.mjs";
import { Actor, AdapterFault, Inexpressible, Unsupported } from "./index.mjs";

class Toy extends Bare {
  inFlight = true;
  around = [];

  register(_step, callback) {
    this.around.push(callback);
    return () => true;
  }

  callLlm({ request }, provider) {
    const answer = (argument) => provider.answer({ request: argument }, () => ({ ok: true }));
    const [first] = this.around;
    return first ? first.wrap({ request }, request, (found = null) => found, answer) : answer(request);
  }
}

const call = (as, ...provider) => ({
  step: "call",
  as,
  kind: "llm",
  name: as,
  request: {},
  codec: "none",
  provider,
  background: true,
});
const wait = (latch) => ({ op: "wait", latch });
const open = (latch) => ({ step: "open", as: `open ${latch}`, latch });

async function facts(steps, binding = new Toy()) {
  const { log } = await new Actor(binding).run("relay", { steps });
  return log.map(({ fact, callback, step, latch }) => [fact, callback, step, latch].filter(Boolean).join(" "));
}

test("the second of two calls is over first", async () => {
  assert.deepEqual(await facts([call("a", wait("x")), call("b", wait("y")), open("y"), open("x")]), [
    "enter a.provider",
    "wait a.provider x",
    "enter b.provider",
    "wait b.provider y",
    "resume b.provider",
    "leave b.provider",
    "done b",
    "done open y",
    "resume a.provider",
    "leave a.provider",
    "done a",
    "done open x",
    "settled",
  ]);
});

test("who stands at one latch goes on in turn, and what is left is let go in the end", async () => {
  const found = await facts([call("a", wait("x"), wait("y")), call("b", wait("x")), open("x")]);
  assert.deepEqual(
    found.filter((fact) => /^(wait|resume|done)/.test(fact)),
    [
      "wait a.provider x",
      "wait b.provider x",
      "resume a.provider",
      "wait a.provider y",
      "resume b.provider",
      "done b",
      "done open x",
      "resume a.provider",
      "done a",
    ],
  );
});

test("at an open latch nobody stands", async () => {
  assert.ok(!(await facts([open("x"), call("a", wait("x"))])).includes("wait a.provider x"));
});

test("what wraps a call may wait", async () => {
  const ops = [wait("x"), { op: "next", edits: [{}], catch: false }];
  const around = { step: "register", as: "i", family: "llm.execution", name: "i", scope: "global", do: ops };
  const found = await facts([around, call("a"), open("x")]);
  assert.deepEqual(found.slice(1, 5), ["enter i", "wait i x", "resume i", "next i"]);
  assert.deepEqual(found.slice(-4), ["leave i", "done a", "done open x", "settled"]);
});

test("a provider that throws after it waited fails its own call", async () => {
  const found = await facts([call("a", wait("x"), { op: "raise", text: "boom-1!" }), call("b"), open("x")]);
  assert.deepEqual(
    found.filter((fact) => fact.startsWith("done")),
    ["done b", "done a", "done open x"],
  );
});

test("a call that the program waits for never hangs", async () => {
  await assert.rejects(facts([{ ...call("a", wait("x")), background: false }]), AdapterFault);
});

test("a binding of one call at a time has none in flight", async () => {
  class Alone extends Toy {
    inFlight = false;
  }
  for (const step of [call("a"), open("x")]) await assert.rejects(facts([step], new Alone()), Unsupported);
});

test("a call in flight cannot be cancelled", async () => {
  const steps = [call("a", wait("x")), { step: "cancel", as: "cancel", of: "a" }];
  await assert.rejects(facts(steps), (stop) => stop instanceof Inexpressible && stop.path === "cancel");
});
