// A toy of a runtime: it hands the request of a call to intercepts and then to a provider. Your binding goes here.

import { randomUUID } from "node:crypto";

export const version = "0.1.0";

/** The headers that are the runtime's, in upper or lower case. */
const TRACE = ["traceparent", "tracestate"];

const kept = new Map();

/** Register an intercept: a function from a call's name and request to the request. */
export function register(name, priority, breakChain, intercept) {
  if (kept.has(name)) throw new Error(`invalid_argument: ${name} is registered already`);
  kept.set(name, { priority, breakChain, intercept });
}

/** Take an intercept back; say whether it was there. */
export function deregister(name) {
  return kept.delete(name);
}

/** The names of the intercepts. */
export function registered() {
  return [...kept.keys()];
}

/** Have the intercepts see the request, then answer with what the provider makes of it. */
export function call(name, request, provider) {
  let seen = request;
  // EDIT HERE: make it `b.priority - a.priority`, and bindproof goes red
  const inOrder = [...kept].sort(([m, a], [n, b]) => a.priority - b.priority || (m < n ? -1 : 1));
  for (const [, { breakChain, intercept }] of inOrder) {
    seen = intercept(name, seen);
    if (breakChain) break;
  }
  const own = randomUUID().replaceAll("-", "");
  const headers = Object.entries(seen.headers).filter(([key]) => !TRACE.includes(key.toLowerCase()));
  headers.push(["traceparent", `00-${own}-${own.slice(16)}-01`]);
  return provider({ ...seen, headers: Object.fromEntries(headers) });
}
