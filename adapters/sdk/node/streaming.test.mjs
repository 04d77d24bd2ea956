// What the SDK does with streams of a binding of a few lines: what is recorded of chunks, readers, failures and closing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Bare } from "./bare.mjs";
import { Actor, AdapterFault, Unsupported } from "./index.mjs";

/** Hands each chunk of the outermost source to the collector and to its reader, and reads nothing ahead. */
class Toy extends Bare {
  wrappers = [];

  register(_step, callback) {
    this.wrappers.push(callback);
    return () => true;
  }

  async openStream(step, { source, collector, finalizer }) {
    const go = async ([first, ...rest], request) =>
      first ? first.wrap({ request }, request, (argument) => go(rest, argument)) : source.open({ request });
    const chunks = await go(this.wrappers, step.request);
    return {
      async next() {
        let got;
        try {
          got = await chunks.next();
          if (!got.done) collector.take(got.value);
        } catch (error) {
          finalizer.finish();
          await chunks.return();
          throw error;
        }
        if (got.done) finalizer.finish();
        return got;
      },
      async close() {
        await chunks.return();
        finalizer.finish();
      },
    };
  }
}

const stream = (provider = [], more = {}) => ({
  step: "call",
  as: "c",
  kind: "llm_stream",
  name: "gpt",
  request: { q: 1 },
  codec: "none",
  provider,
  collector: [],
  finalizer: [],
  drain: true,
  ...more,
});
const on = (as, ...ops) => ({
  step: "register",
  as,
  family: "llm.stream",
  name: as,
  scope: "global",
  do: ops,
});
const yields = (...chunks) => ({ op: "yield", chunks });
const raise = { op: "raise", text: "boom-1!" };
const hang = { op: "hang" };
const read = (n) => ({ step: "read", as: "r", of: "c", n });
const close = { step: "close", as: "x", of: "c", how: "close" };

async function run(...steps) {
  const { log, left } = await new Actor(new Toy()).run("relay", { steps });
  assert.deepEqual(left, []);
  return log;
}

const facts = (log, fact) => log.filter((record) => record.fact === fact);
const values = (log, fact) => facts(log, fact).map(({ value }) => value);

test("a provider without chunks of its own hands over two", async () => {
  const log = await run(stream());
  assert.deepEqual(values(log, "chunk"), [{ i: 0 }, { i: 1 }]);
  assert.deepEqual(values(log, "read"), [{ i: 0 }, { i: 1 }]);
  assert.deepEqual(facts(log, "over"), [{ fact: "over", callback: "c.source", k: 0, how: "ended" }]);
  assert.deepEqual(facts(log, "done").at(-1), { fact: "done", step: "c", value: null });
});

test("what stands before the first yield is done when the provider is called", async () => {
  const [enter, leave, done] = await run(stream([raise]));
  assert.equal(enter.callback, "c.source");
  assert.deepEqual(leave, { fact: "leave", callback: "c.source", k: 0, raised: "boom-1!" });
  assert.equal(done.error.same_as, "c.source");
});

test("what stands behind it fails the reader", async () => {
  const log = await run(stream([yields(1), raise]));
  assert.deepEqual(values(log, "read"), [1]);
  assert.deepEqual(facts(log, "over"), [{ fact: "over", callback: "c.source", k: 0, raised: "boom-1!" }]);
  assert.equal(facts(log, "done").at(-1).error.same_as, "c.source");
});

test("an intercept changes every chunk that it passes on, then does what is behind", async () => {
  const log = await run(on("i", { op: "edit", set: { "/a": 1 } }, yields({ own: 1 })), stream([yields({ n: 0 })]));
  assert.deepEqual(values(log, "read"), [{ n: 0, a: 1 }, { own: 1 }]);
  assert.deepEqual(facts(log, "next"), [{ fact: "next", callback: "i", k: 0, given: { q: 1 } }]);
});

test("an intercept goes on late, with another request", async () => {
  const late = { op: "next", edits: [{ set: { "/q": 2 } }], catch: false };
  const log = await run(on("i", yields(), late), stream());
  const places = ["leave", "next"].map((fact) => log.findIndex((one) => one.fact === fact && one.callback === "i"));
  assert.ok(places[0] < places[1]);
  assert.deepEqual(log.find(({ callback }) => callback === "c.source").given, { request: { q: 2 } });
});

for (const provider of [[raise], [yields(1), raise]]) {
  test(`a failure is caught: ${JSON.stringify(provider)}`, async () => {
    const log = await run(on("i", { op: "next", edits: [{}], catch: true }, yields(2)), stream(provider));
    assert.equal(values(log, "read").at(-1), 2);
  });
}

test("a collector fails in one entry", async () => {
  const log = await run(stream([], { collector: [{ op: "each", ops: [[], [raise]] }] }));
  assert.deepEqual(values(log, "read"), [{ i: 0 }]);
  assert.equal(facts(log, "done").at(-1).error.same_as, "c.collector");
});

test("a stream that hangs is closed while it waits, and what wraps it too", async () => {
  const log = await run(on("i"), stream([yields(1), hang], { drain: false }), read(1), close);
  assert.deepEqual(values(log, "read"), [1]);
  assert.deepEqual(
    facts(log, "over").map(({ callback, how }) => [callback, how]),
    [
      ["i", "closed"],
      ["c.source", "closed"],
    ],
  );
});

test("reading says whether the stream has ended", async () => {
  const log = await run(stream([], { drain: false }), read(1), { ...read(null), as: "r2" }, close);
  const said = facts(log, "done").map(({ step, value }) => [step, value?.ended]);
  assert.deepEqual(said.slice(1, 3), [
    ["r", false],
    ["r2", true],
  ]);
});

test("a stream that nobody opened is the scenario's mistake", async () => {
  await assert.rejects(run(read(1)), (error) => error instanceof AdapterFault && /'c' has opened/.test(error.message));
});

test("a binding without streams says so", async () => {
  const bare = new Toy();
  bare.openStream = undefined;
  const acted = new Actor(bare).run("relay", { steps: [stream()] });
  await assert.rejects(acted, (error) => error instanceof Unsupported && error.capability === "llm.stream");
});

test("of a stream that is to be dropped nothing is done: nobody could tell when that happens", async () => {
  const toy = new Toy();
  toy.openStream = () => assert.fail("it was opened");
  const dropped = { ...close, how: "drop" };
  const acted = new Actor(toy).run("relay", { steps: [stream([yields(1), hang], { drain: false }), dropped] });
  await assert.rejects(acted, (error) => error instanceof Unsupported && error.capability === "drop");
});
