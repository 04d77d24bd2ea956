// What a scripted callback does to its natural reply: the ops, one after the other.

import { AdapterFault } from "../signals.mjs";
import { cut, extend, PlaceError, put } from "./pointer.mjs";
import { resolve } from "./values.mjs";

/** What the op `raise` throws inside a callback; its text is the scenario's own marker. */
export class ScriptedError extends Error {
  name = "ScriptedError";
}

/** Families whose callbacks run before a call starts. */
export const BEFORE = ["llm.request", "llm.conditional", "tool.request", "tool.conditional"];

/** Tell whether what a step registers promises its reply: one that waits at a latch cannot but do so. */
export function isAwaited({ family, async: promises = false, do: ops = [] }) {
  return promises || ((BEFORE.includes(family) || published(family) !== null) && waits(ops));
}

/** Tell whether a callback waits at a latch. */
export function waits(ops) {
  return ops.some(({ op }) => op === "wait");
}

/** Return what follows the step's id in that of a callback that runs when an event is published; null for any other. */
export function published(family) {
  if (family === "event.metadata") return "inject";
  return family.includes("sanitize") ? "sanitize" : null;
}

/** Return what a callback does in entry `k`: of `each` the list of that entry, or the last one. */
export function opsOf(ops, k) {
  return ops.flatMap((op) => (op.op === "each" ? op.ops[Math.min(k, op.ops.length - 1)] : [op]));
}

/**
 * Return `reply` as the ops of `callback` leave it; `known` is what `$get` may name, `act` acts a step.
 * Throws ScriptedError for the op `raise`, and AdapterFault, naming callback, op and pointer, for an op that cannot be
 * carried out.
 */
export function perform(callback, ops, reply, known, act) {
  let current = reply;
  ops.forEach((op, index) => {
    current = apply(op, current, known, act, `callback '${callback}', op ${index}`);
  });
  return current;
}

/** Return `reply` as one op leaves it; `where` names the op. Throws what `perform` throws. */
export function apply(op, reply, known, act, where) {
  if (op.op === "edit") return change(op, reply, known, where);
  if (op.op === "raise") throw new ScriptedError(op.text);
  if (op.op === "mutate") {
    change({ set: { [op.at]: op.text } }, known.given, known, where);
    return reply;
  }
  if (op.op !== "step") throw new AdapterFault(`${where}: unknown op '${op.op}'`);
  act(op.step);
  return reply;
}

/** Return `reply` with what `edit` sets, removes and appends; `where` names the op. */
export function change(edit, reply, known, where) {
  let current = reply;
  const at = (place, make) => {
    try {
      make();
    } catch (missing) {
      if (!(missing instanceof PlaceError)) throw missing;
      throw new AdapterFault(`${where}, pointer '${place}': ${missing.message}`);
    }
  };
  for (const [place, value] of Object.entries(edit.set ?? {})) {
    at(place, () => {
      current = put(current, place, resolve(value, known));
    });
  }
  for (const place of edit.remove ?? []) at(place, () => cut(current, place));
  for (const [place, items] of Object.entries(edit.append ?? {})) {
    at(place, () => extend(current, place, resolve(items, known)));
  }
  return current;
}
