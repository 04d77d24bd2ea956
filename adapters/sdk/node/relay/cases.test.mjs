// The cases that the SDKs of all languages run.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { AdapterFault, Inexpressible, Unsupported } from "../index.mjs";
import { Actor } from "./index.mjs";
import { Toy } from "./toy.mjs";

const folder = new URL("../../cases/relay/", import.meta.url);

for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
  const text = readFileSync(new URL(file, folder), "utf8");
  for (const [index, { name, only = ["node"] }] of JSON.parse(text).cases.entries()) {
    if (only.includes("node")) test(`${file}: ${name}`, () => holds(JSON.parse(text), index));
  }
}

/** The case does what its table says of this SDK. */
async function holds({ steps, cases }, index) {
  const chosen = cases[index];
  const expected = chosen.instead?.node ?? chosen;
  const toy = new Toy(chosen.lacks);
  const acted = new Actor(toy).run("relay", { steps: chosen.steps.map((name) => steps[name]) });
  if (expected.stops) {
    await assert.rejects(acted, (stop) => stopsAs(stop, expected.stops));
    return;
  }
  const { log, left, stray } = await acted;
  assert.deepEqual(log.pop(), { fact: "settled" });
  assert.deepEqual(
    log.map((record, at) => like(record, expected.log[at] ?? "")),
    expected.log,
  );
  assert.deepEqual([left, stray], [expected.left ?? [], []]);
  assert.equal(toy.plugins, 0, "each plugin is taken back once");
}

function stopsAs(stop, { unsupported, inexpressible, fault }) {
  if (unsupported) return stop instanceof Unsupported && stop.capability === unsupported;
  if (inexpressible) return stop instanceof Inexpressible && stop.path === inexpressible;
  return stop instanceof AdapterFault && stop.message.includes(fault);
}

/** As much of a record as the expected one says. */
function like(record, expected) {
  if (typeof expected === "string") return `${record.fact} ${record.callback ?? record.step ?? record.subscriber}`;
  const there = pick(record, expected);
  return there.error ? { ...there, error: pick(there.error, expected.error) } : there;
}

function pick(record, keys) {
  return Object.fromEntries(Object.keys(keys).flatMap((key) => (key in record ? [[key, record[key]]] : [])));
}
