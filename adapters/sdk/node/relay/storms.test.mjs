// Programs that begin at the same moment, each on a scope stack of its own.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Inexpressible, Unsupported } from "../index.mjs";
import { Bare } from "./bare.mjs";
import { Actor } from "./index.mjs";

/** Calls back only when all calls that were made are waiting. */
class Together extends Bare {
  stacks = 0;
  waiting = [];

  inOwnScope(program) {
    this.stacks += 1;
    return program();
  }

  async callLlm({ request }, provider) {
    await new Promise((go) => {
      this.waiting.push(go);
      if (this.waiting.length === this.stacks) for (const one of this.waiting.splice(0)) one();
    });
    return provider.play({ request }, () => ({ ok: true }));
  }
}

const call = (as) => ({ step: "call", as, kind: "llm", name: as, request: {}, codec: "none", provider: [] });
const storm = (on) => ({
  step: "storm",
  as: "w",
  on,
  programs: ["a", "b", "c"].map((as) => [call(as), call(`${as}2`)]),
});
const run = (binding, on) => new Actor(binding).run("relay", { steps: [storm(on)] });

test("all are on their way before one of them is over, and each does its steps in order", async () => {
  const binding = new Together();
  const { log } = await run(binding, "tasks");
  const done = log.filter(({ fact }) => fact === "done").map(({ step }) => step);
  assert.equal(binding.stacks, 3);
  assert.equal(done.at(-1), "w");
  for (const as of ["a", "b", "c"]) assert.ok(done.indexOf(as) < done.indexOf(`${as}2`));
});

test("there are no threads, and without scope stacks nothing is acted at once", async () => {
  await assert.rejects(run(new Together(), "threads"), Inexpressible);
  await assert.rejects(run(new Bare(), "tasks"), Unsupported);
});
