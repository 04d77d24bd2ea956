// Gates: what each was given is noted once, what it raises the binding gets, and a plugin's is found in the listing.

import assert from "node:assert/strict";
import { test } from "node:test";

import { register } from "./gates.mjs";

const GATE = { as: "g", name: "g", families: ["tool.request"], target: "i", plugin: null, reason: "ill", raises: null };

// What is listed of the gate's family: the program's own registration, and the same name of two plugins.
const LISTED = [
  { family: "tool.request", name: "i", effective: "i" },
  { family: "tool.request", name: "i", effective: "of a: i", plugin: "a" },
  { family: "tool.request", name: "i", effective: "of b: i", plugin: "b", number: 1 },
];

class Binding {
  there = true;

  registered(family) {
    return LISTED.filter((one) => one.family === family);
  }

  gate({ target }, decide) {
    this.target = target;
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
  assert.equal(binding.target, "i");
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

test("a gate about what a plugin registered targets the name that the binding lists of it", () => {
  const binding = new Binding();
  const { takeBack } = register(binding, { ...GATE, plugin: "b" });
  assert.equal(binding.target, "of b: i");
  for (const name of ["of b: i", "of b: i", "i"]) binding.decide(["tool.request"], name);
  assert.deepEqual(takeBack().given, [
    { families: ["tool.request"], name: "i", plugin: "b" },
    { families: ["tool.request"], name: "i" },
  ]);
});

test("a gate about what the plugin has not registered is none", () => {
  const binding = new Binding();
  const says = (text) => ({ name: "Error", message: text });
  assert.throws(() => register(binding, { ...GATE, plugin: "c" }), says("nothing is listed as 'i' of the plugin 'c'"));
  assert.throws(
    () => register(binding, { ...GATE, plugin: "b", families: ["llm.request"] }),
    says("nothing is listed as 'i' of the plugin 'b'"),
  );
  assert.equal(binding.decide, undefined);
});
