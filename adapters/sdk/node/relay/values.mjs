// The values of a scenario: JSON in which some objects, such as {"$get": …}, stand for something else; and the way
// back, what a binding gave as JSON for the log.

import { AdapterFault } from "../signals.mjs";
import { meant, spelled } from "../spelling.mjs";
import { find, PlaceError } from "./pointer.mjs";

// Members of a step that a program hands over as JSON, in which there may be what JSON lacks.
const HANDED_OVER = ["data", "metadata", "args", "request", "input", "output"];

// How a scenario spells what JSON lacks.
const LACKING = ["$float", "$integer", "$function"];

/** Return a deep copy of `value` with every `$get` replaced by what it names in `known`, and `$none` by undefined. */
export function resolve(value, known) {
  return walk(value, (object) => {
    const keys = Object.keys(object);
    if (keys.length !== 1) return undefined;
    if (keys[0] === "$get") return [copy(get(object.$get, known))];
    return keys[0] === "$none" ? [undefined] : undefined;
  });
}

/** Return a step with what JSON lacks, in what it hands over, as the language has it. */
export function handedOver(step) {
  const lacking = HANDED_OVER.filter((key) => lacksJson(step[key]));
  return { ...step, ...Object.fromEntries(lacking.map((key) => [key, meant(step[key])])) };
}

/** Return a callback's reply with what JSON lacks as the language has it. */
export function handedBack(reply) {
  return lacksJson(reply) ? meant(reply) : reply;
}

function lacksJson(value) {
  if (typeof value !== "object" || value === null) return false;
  return LACKING.some((word) => Object.hasOwn(value, word)) || Object.values(value).some(lacksJson);
}

/** Return a deep copy of plain data. */
export function copy(value) {
  return walk(value, () => undefined);
}

/**
 * Return what the log says of `value`: a copy in which undefined, and what else JSON lacks, is spelled.
 * Throws AdapterFault for what has no spelling.
 */
export function plain(value) {
  if (value === null || JSON_LEAVES.has(typeof value)) return value;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "symbol") throw new AdapterFault(`the log cannot carry ${String(value)}`);
  if (typeof value !== "object") return spelled(value);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
}

const JSON_LEAVES = new Set(["string", "boolean"]);

// Object.fromEntries and not assignment: a member called __proto__ is data like any other.
function walk(value, replace) {
  if (Array.isArray(value)) return value.map((item) => walk(item, replace));
  if (typeof value !== "object" || value === null) return value;
  const replaced = replace(value);
  if (replaced) return replaced[0];
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, walk(item, replace)]));
}

function get(path, known) {
  const slash = path.indexOf("/");
  const name = slash < 0 ? path : path.slice(0, slash);
  if (!Object.hasOwn(known, name)) throw new PlaceError(`$get '${path}': nothing is called '${name}' here`);
  try {
    return find(known[name], slash < 0 ? "" : path.slice(slash));
  } catch (missing) {
    throw missing instanceof PlaceError ? new PlaceError(`$get '${path}': ${missing.message}`) : missing;
  }
}
