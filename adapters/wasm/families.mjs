// The callbacks of each family as the package calls them, and where each is registered.

import { Inexpressible, Unsupported } from "../sdk/node/index.mjs";
import { isAwaited } from "../sdk/node/relay/index.mjs";

const REQUEST = ({ request }) => request;
const ARGS = ({ args }) => args;
const PASS = () => null;

// Family → what its functions are called after `register`.
const STEMS = {
  subscriber: "Subscriber",
  "llm.request": "LlmRequestIntercept",
  "llm.execution": "LlmExecutionIntercept",
  "llm.conditional": "LlmConditionalExecutionGuardrail",
  "llm.sanitize_request": "LlmSanitizeRequestGuardrail",
  "llm.sanitize_response": "LlmSanitizeResponseGuardrail",
  "tool.request": "ToolRequestIntercept",
  "tool.execution": "ToolExecutionIntercept",
  "tool.conditional": "ToolConditionalExecutionGuardrail",
  "tool.sanitize_request": "ToolSanitizeRequestGuardrail",
  "tool.sanitize_response": "ToolSanitizeResponseGuardrail",
};

const BREAKING = ["llm.request", "tool.request"];

// Family → makes of a scripted callback the function that the package is given. An outcome of today is handed over as it
// is, marks and all: what the package makes of it is its own matter.
const FUNCTIONS = {
  subscriber: (sink) => (event) => sink.put(event),
  "llm.request": (callback) => (given) =>
    callback.play(given, ({ request, annotated }) => ({ request, annotated, pendingMarks: [] })),
  "llm.execution": (callback) => (request, next) =>
    callback.wrap({ request }, request, (answer = null) => answer, next),
  "llm.conditional": (callback) => (request) => callback.play({ request }, PASS),
  "llm.sanitize_request": (callback) => (request) => callback.play({ request }, REQUEST),
  "llm.sanitize_response": (callback) => (response) => callback.play({ response }, () => response),
  "tool.request": (callback) => (name, args) => callback.play({ name, args }, ARGS),
  "tool.execution": (callback) => async (args, next) => {
    const form = (answer) => ({ result: null, ...answer, pending_marks: [] });
    const proceed = async (argument) => resultOf(await next(argument));
    return rawOf(await callback.wrap({ args }, args, form, proceed));
  },
  "tool.conditional": (callback) => (name, args) => callback.play({ name, args }, PASS),
  "tool.sanitize_request": (callback) => (name, args) => callback.play({ name, args }, ARGS),
  "tool.sanitize_response": (callback) => (name, result) => callback.play({ name, result }, () => result),
};

/** Return a tool's own value as the result that the scenario language has. */
export function resultOf(result) {
  return { result, annotation: null };
}

/** Return what of a reply the package is handed: a tool's own value. */
export function rawOf(reply) {
  return reply?.result;
}

/** Refuse ops that change more of a tool's answer than its result, which is all that there is of it here. */
export function mustBeRaw(ops) {
  for (const op of ops) {
    if (op.op === "each") op.ops.map(mustBeRaw);
    if (op.op !== "edit") continue;
    const places = [...Object.keys(op.set ?? {}), ...(op.remove ?? []), ...Object.keys(op.append ?? {})];
    const isRaw = (place) => place === "/result" || place.startsWith("/result/");
    if (!places.every(isRaw) || op.remove?.includes("/result")) {
      throw new Unsupported("tool result", "a tool's answer is its own value: it has neither annotation nor marks");
    }
  }
}

/** Register a callback globally, or on the scope that is to own it; return what deregisters it. */
export function register(relay, step, callback) {
  const { family, name, scope } = step;
  const stem = stemOf(family);
  if (scope === null) {
    relay[`register${stem}`](...registration(step, callback));
    return () => relay[`deregister${stem}`](name);
  }
  relay[`scopeRegister${stem}`](scope.uuid, ...registration(step, callback));
  return () => relay[`scopeDeregister${stem}`](scope.uuid, name);
}

/** Register a callback through the context of a plugin. */
export function registerInPlugin(context, step, callback) {
  context[`register${stemOf(step.family)}`](...registration(step, callback));
}

/** Take back what a plugin of this kind registered, by the name that the package makes of its own; tell whether it was there. */
export function takeBackOfPlugin(relay, { family, name }) {
  return relay[`deregister${stemOf(family)}`](name);
}

function stemOf(family) {
  if (STEMS[family]) return STEMS[family];
  throw new Unsupported(family, "this release has no such registration, or it is not driven");
}

// What every registration is called with: a name, its place in the order, what is registered.
function registration(step, callback) {
  const { family, name, priority, break_chain, odd, do: ops } = step;
  if (family === "tool.execution") mustBeRaw(ops);
  if (isAwaited(step)) throw new Unsupported("async", "a callback's promise is taken for its answer");
  if (odd === "no_parameters") {
    throw new Inexpressible("parameters", "a function is called with any number of arguments");
  }
  const order = family === "subscriber" ? [] : [priority];
  if (BREAKING.includes(family)) order.push(break_chain);
  return [name, ...order, odd ? "no function" : FUNCTIONS[family](callback)];
}
