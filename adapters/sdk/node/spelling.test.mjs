// The values that JSON lacks, by the table that the SDKs of all languages run; and what a function's record is.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { AdapterFault, Func, meant, spelled } from "./index.mjs";

const { cases, meaningless } = JSON.parse(
  readFileSync(new URL("../cases/spelling/values.json", import.meta.url), "utf8"),
);
const NATURAL = {
  undefined: undefined,
  "no number": Number.NaN,
  infinity: Number.POSITIVE_INFINITY,
  "negative infinity": Number.NEGATIVE_INFINITY,
  "the largest safe integer": Number.MAX_SAFE_INTEGER,
  "past it": 9007199254740993n,
  "far below its negative": -123456789012345678901234567890n,
  "a lone surrogate": "a\ud83d",
  "a pair of surrogates": "\u{1F600}",
  "a function": (given) => given,
  "an object that looks like one": { $none: true },
  "an object within another": { $none: true, in: [{ $float: Number.NaN }] },
};

test("each case has its value", () => {
  assert.deepEqual(cases.map(({ name }) => name).sort(), Object.keys(NATURAL).sort());
});

for (const { name, spelled: expected } of cases) {
  test(name, () => {
    assert.deepEqual(spelled(NATURAL[name]), expected);
    const value = meant(expected);
    if (typeof value !== "function") assert.deepEqual(value, NATURAL[name]);
    assert.deepEqual(spelled(value), expected);
  });
}

test("what means nothing is refused", () => {
  for (const one of meaningless) assert.throws(() => meant(one), /means nothing/);
  assert.deepEqual(spelled([...new Array(1), 5n]), [{ $none: true }, 5]);
  assert.throws(() => spelled(Symbol("s")), TypeError);
});

test("a function's record is its value or its error, and the adapter's own faults pass", async () => {
  const run = (call) => new Func("mine", "1", "sums", "node", call).run("sums", { n: 1 });
  assert.deepEqual(await run(({ n }) => n / 0), { log: [{ fact: "result", value: { $float: "Infinity" } }] });
  const thrown = (error) => run(() => Promise.reject(error));
  assert.deepEqual(await thrown(new RangeError("no")), {
    log: [{ fact: "result", error: { type: "RangeError", message: "no" } }],
  });
  assert.deepEqual(await thrown("words"), { log: [{ fact: "result", error: { type: "string", message: "words" } }] });
  await assert.rejects(thrown(new AdapterFault("mine")), AdapterFault);
});
