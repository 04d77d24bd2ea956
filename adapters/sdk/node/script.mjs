// What a scripted callback does to its natural reply: the ops, one after the other.

import { cut, extend, PlaceError, put } from "./pointer.mjs";
import { AdapterFault, ScriptedError } from "./signals.mjs";
import { resolve } from "./values.mjs";

/**
 * Return `reply` as the ops of `callback` leave it; `known` is what `$get` may name, `act` acts a step.
 * Throws ScriptedError for the op `raise`, and AdapterFault, naming callback, op and pointer, for an op that cannot be
 * carried out.
 */
export function perform(callback, ops, reply, known, act) {
  let current = reply;
  ops.forEach((op, index) => {
    const where = `callback '${callback}', op ${index}`;
    if (op.op === "edit") current = edit(op, current, known, where);
    else if (op.op === "raise") throw new ScriptedError(op.text);
    else if (op.op === "step") act(op.step);
    else throw new AdapterFault(`${where}: unknown op '${op.op}'`);
  });
  return current;
}

function edit(op, reply, known, where) {
  let current = reply;
  const at = (place, change) => {
    try {
      change();
    } catch (missing) {
      if (!(missing instanceof PlaceError)) throw missing;
      throw new AdapterFault(`${where}, pointer '${place}': ${missing.message}`);
    }
  };
  for (const [place, value] of Object.entries(op.set ?? {})) {
    at(place, () => {
      current = put(current, place, resolve(value, known));
    });
  }
  for (const place of op.remove ?? []) at(place, () => cut(current, place));
  for (const [place, items] of Object.entries(op.append ?? {})) {
    at(place, () => extend(current, place, resolve(items, known)));
  }
  return current;
}
