// The callbacks of each family as the package calls them, and where each is registered.

import { Inexpressible } from "../sdk/node/index.mjs";
import { toolOutcome } from "../sdk/node/relay/index.mjs";
import { sanitizing } from "./codecs.mjs";

const REQUEST = ({ request }) => request;
const ARGS = ({ args }) => args;
const PASS = () => null;

// Family → [what its functions are called after `register`, kind in the package's own listing].
const NAMES = {
  subscriber: ["Subscriber", "subscriber"],
  "llm.request": ["LlmRequestIntercept", "llm_request_intercept"],
  "llm.execution": ["LlmExecutionIntercept", "llm_execution_intercept"],
  "llm.stream": ["LlmStreamExecutionIntercept", "llm_stream_execution_intercept"],
  "llm.conditional": ["LlmConditionalExecutionGuardrail", "llm_conditional_execution_guardrail"],
  "llm.sanitize_request": ["LlmSanitizeRequestGuardrail", "llm_sanitize_request_guardrail"],
  "llm.sanitize_response": ["LlmSanitizeResponseGuardrail", "llm_sanitize_response_guardrail"],
  "tool.request": ["ToolRequestIntercept", "tool_request_intercept"],
  "tool.execution": ["ToolExecutionIntercept", "tool_execution_intercept"],
  "tool.conditional": ["ToolConditionalExecutionGuardrail", "tool_conditional_execution_guardrail"],
  "tool.sanitize_request": ["ToolSanitizeRequestGuardrail", "tool_sanitize_request_guardrail"],
  "tool.sanitize_response": ["ToolSanitizeResponseGuardrail", "tool_sanitize_response_guardrail"],
  "mark.sanitize": ["MarkSanitizeGuardrail", "mark_sanitize_guardrail"],
  "start.sanitize": ["ScopeSanitizeStartGuardrail", "scope_sanitize_start_guardrail"],
  "end.sanitize": ["ScopeSanitizeEndGuardrail", "scope_sanitize_end_guardrail"],
  "event.metadata": ["EventMetadataInjector", "event_metadata_injector"],
};

const BREAKING = ["llm.request", "tool.request"];

// Family → makes of a scripted callback the function that the package is given.
const FUNCTIONS = {
  subscriber: (sink) => (event) => sink.put(event),
  "llm.request": (callback) => (given) =>
    callback.play(given, ({ request, annotated }) => ({ request, annotated, pendingMarks: [] })),
  "llm.execution": (callback) => (request, next) =>
    callback.wrap({ request }, request, (answer = null) => answer, next),
  "llm.stream": (callback) => (request, next) => callback.wrap({ request }, request, next),
  "llm.conditional": (callback) => (request) => callback.play({ request }, PASS),
  "llm.sanitize_request": (callback) => (request, context) =>
    sanitizing(request, context, () => callback.play({ request, codec: codecOf(context) }, REQUEST)),
  "llm.sanitize_response": (callback) => (response, context) =>
    sanitizing(response, context, () => callback.play({ response, codec: codecOf(context) }, () => response)),
  "tool.request": (callback) => (name, args) => callback.play({ name, args }, ARGS),
  "tool.execution": (callback) => (context, next) => {
    const { toolName: name, args, toolCallId: tool_call_id } = context;
    const proceed = async (argument) => resultOf(await next(argument));
    return callback.wrap({ name, args, tool_call_id }, args, (answer) => toolOutcome(answer, "pendingMarks"), proceed);
  },
  "tool.conditional": (callback) => (name, args) => callback.play({ name, args }, PASS),
  "tool.sanitize_request": (callback) => (name, args) => callback.play({ name, args }, ARGS),
  "tool.sanitize_response": (callback) => (name, result) => callback.play({ name, result }, () => result),
  "mark.sanitize": eventFields,
  "start.sanitize": eventFields,
  "end.sanitize": eventFields,
  "event.metadata": (callback) => (event) => callback.play({ event }, () => ({})),
};

/** Return which codec a sanitizer is told of. */
function codecOf(context) {
  const { kind, id = null } = context.codec;
  return { kind, id, resolves: context.resolveCodec() !== null };
}

function eventFields(callback) {
  return (event, fields) => callback.play({ event, fields }, () => fields);
}

/** Return a tool's result with both its keys. */
export function resultOf({ result, annotation = null }) {
  return { result, annotation };
}

/** Return the family of a kind in the package's own listing. */
export function familyOf(kind) {
  return Object.keys(NAMES).find((family) => NAMES[family][1] === kind) ?? kind;
}

/** Return the kind of a family there. */
export function kindOf(family) {
  return NAMES[family][1];
}

/** Register a callback globally, or on the scope that is to own it; return what deregisters it. */
export function register(relay, step, callback) {
  const { family, name, scope } = step;
  const [stem] = NAMES[family];
  if (scope === null) {
    relay[`register${stem}`](...registration(step, callback));
    return () => relay[`deregister${stem}`](name);
  }
  relay[`scopeRegister${stem}`](scope.uuid, ...registration(step, callback));
  return () => relay[`scopeDeregister${stem}`](scope.uuid, name);
}

/** Register a callback through the context of a plugin. */
export function registerInPlugin(context, step, callback) {
  context[`register${NAMES[step.family][0]}`](...registration(step, callback));
}

// What every registration is called with: a name, its place in the order, what is registered.
function registration({ family, name, priority, break_chain, odd }, callback) {
  const order = family === "subscriber" ? [] : [priority];
  if (BREAKING.includes(family)) order.push(break_chain);
  if (odd === "no_parameters") {
    throw new Inexpressible("parameters", "a function is called with any number of arguments");
  }
  return [name, ...order, odd ? "no function" : FUNCTIONS[family](callback)];
}
