// Gates: what each was given is noted once, and what it raises the binding gets.

import assert from "node:assert/strict";
import { test } from "node:test";

import { register } from "./gates.mjs";

const GATE = { as: "g", name: "g", families: ["tool.request"], target: "i", reason: "ill", raises: null };

class Binding {
  there = true;

  gate(_step, decide) {
    this.decide = decide;
    return () => {
      const was = this.there;
      this.there = false;
      return was;
    };
  }
}

test("what a gate was given is noted once", () => {
  const binding = new Binding();
  const { takeBack } = register(binding, GATE);
  assert.deepEqual(
    [1, 2].map(() => binding.decide(["tool.request", "llm.request"], "i")),
    ["ill", "ill"],
  );
  assert.deepEqual(takeBack(), { was: true, given: [{ families: ["llm.request", "tool.request"], name: "i" }] });
  assert.equal(takeBack().was, false);
});

test("a gate raises what it is told to", () => {
  const binding = new Binding();
  register(binding, { ...GATE, reason: null, raises: "boom-1!" });
  assert.throws(() => binding.decide(["tool.request"], "i"), { message: "boom-1!" });
});
