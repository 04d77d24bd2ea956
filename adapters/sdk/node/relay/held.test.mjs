// Latches at which what runs when an event is published stands.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Held } from "./held.mjs";

function recorded() {
  const log = [];
  const recorder = {
    waiting: (callback, k, latch) => log.push(`wait ${callback} ${k} ${latch}`),
    resumed: (callback, k) => log.push(`resume ${callback} ${k}`),
  };
  const held = new Held(recorder);
  held.expect([{ op: "wait", latch: "x" }, { op: "edit" }]);
  return { held, log };
}

test("who opens a latch waits until someone stands there", async () => {
  const { held, log } = recorded();
  const opened = held.open("x").then(() => log.push("open"));
  await new Promise(setImmediate);
  assert.deepEqual(log, []);
  await Promise.all([held.wait("z.sanitize", 0, "x"), opened]);
  await held.wait("z.sanitize", 1, "x");
  assert.deepEqual([...log].sort(), ["open", "resume z.sanitize 0", "wait z.sanitize 0 x"]);
  assert.equal(log[0], "wait z.sanitize 0 x");
});

test("what is closed still is opened when all is over", async () => {
  const { held, log } = recorded();
  const standing = held.wait("z.sanitize", 0, "x");
  held.openAll();
  await standing;
  assert.deepEqual(log, ["wait z.sanitize 0 x", "resume z.sanitize 0"]);
});

test("only the latches of what is published are such", () => {
  const { held } = recorded();
  assert.deepEqual([held.has("x"), held.has("y")], [true, false]);
});
