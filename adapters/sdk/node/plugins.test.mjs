// What the SDK does with a binding that takes plugins: what is recorded of one, and what is undone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Bare } from "./bare.mjs";
import { Actor, Unsupported } from "./index.mjs";

/** Its plugins take a name once; one that fails leaves nothing. */
class Plugged extends Bare {
  names = [];
  undone = 0;

  registered() {
    return this.names.map((name) => ["llm.request", name]);
  }

  async install(setUp) {
    const before = [...this.names];
    try {
      setUp(({ name }) => {
        if (this.names.includes(name)) throw new Error("taken");
        this.names.push(name);
      });
    } catch (error) {
      this.names = before;
      throw new Error(`registration failed: ${error.message}`);
    }
    return async () => {
      this.undone += 1;
      this.names = before;
    };
  }
}

const inside = (as) => ({
  op: "step",
  step: { step: "register", as, family: "llm.request", name: "a", scope: "global", do: [] },
});
const install = (...ops) => ({ step: "install", as: "p", do: ops });
const uninstall = { step: "uninstall", as: "u", of: "p" };

async function run(steps, toy = new Plugged()) {
  const { log, left } = await new Actor(toy).run("relay", { steps });
  assert.deepEqual(left, []);
  return log;
}

test("a plugin is a callback with steps inside", async () => {
  const log = await run([install(inside("i")), uninstall]);
  const facts = log.map(({ fact, callback, step }) => [fact, callback ?? step]);
  const of = [
    ["enter", "p"],
    ["done", "i"],
    ["leave", "p"],
    ["done", "p"],
    ["done", "u"],
    ["settled", undefined],
  ];
  assert.deepEqual(facts, of);
  assert.deepEqual([log[0].given, log[2].reply, log[3].value], [{}, null, null]);
});

test("a registration that fails is recorded, and the plugin goes on", async () => {
  const log = await run([install(inside("i"), inside("j"))]);
  assert.equal(log[2].error.message, "taken");
  assert.deepEqual(log[4], { fact: "done", step: "p", value: null });
});

test("a plugin that throws fails to be installed", async () => {
  const toy = new Plugged();
  const log = await run([install(inside("i"), { op: "raise", text: "boom-1!" })], toy);
  assert.equal(log[2].raised, "boom-1!");
  assert.equal(log[3].error.message, "registration failed: boom-1!");
  assert.equal(toy.undone, 0);
});

test("a plugin is taken back once, at the end of the scenario at the latest", async () => {
  for (const steps of [[install(inside("i"))], [install(inside("i")), uninstall]]) {
    const toy = new Plugged();
    await run(steps, toy);
    assert.equal(toy.undone, 1);
  }
});

test("a binding without plugins says so", async () => {
  const says = (error) => error instanceof Unsupported && error.capability === "plugin";
  await assert.rejects(run([install()], new Bare()), says);
});
