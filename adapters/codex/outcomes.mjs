// The shipped wire's outcomes in the canonical form. Members keep their names and values; what is unknown stays.

const KINDS = { Yielded: "yielded", Result: "completed", Terminated: "terminated" };
/** How long the host took: no part of an outcome. */
const TIMES = ["code_mode_host_duration_ns", "result_buffered_for_ns"];

/** Return the outcome of a first observation. */
export function first(value) {
  const [[kind, members]] = Object.entries(value);
  const kept = Object.entries(members).filter(([key]) => !TIMES.includes(key));
  return { type: KINDS[kind] ?? kind, ...Object.fromEntries(kept) };
}

/** Return the outcome of a later observation, or of a termination. */
export function later(value) {
  const [[where, inner]] = Object.entries(value.outcome);
  const outcome = first(inner);
  if (where !== "MissingCell") return outcome;
  // the shipped wire says it as a result without output, in which a text for the model stands
  const { content_items: items, error_text: _, ...rest } = outcome;
  return { ...rest, type: "missing", ...(items?.length ? { content_items: items } : {}) };
}

/** Return what an operation came back with: `{outcome}` or `{error}`. */
export function ended(result, read) {
  if (result.status === "error") return { error: failure(result) };
  return { outcome: read(result.value) };
}

/** Return the error of an operation. */
export function failure({ message }) {
  return { type: "error", message };
}
