// Natural replies that are the same for every binding.

/** Return the plain chat form of a request: its messages, and its model where it has one. */
export function decoded(request) {
  const content = objectOr(request?.content);
  const messages = content.messages || [];
  return Object.hasOwn(content, "model") ? { messages, model: content.model } : { messages };
}

/** Return the original request with the annotation's members laid over its content. */
export function encoded(annotated, original) {
  return { headers: original?.headers, content: { ...objectOr(original?.content), ...objectOr(annotated) } };
}

/** Return the reply that an answer to `next` makes of a tool execution intercept, in names of its own for marks. */
export function toolOutcome(answer, marks = "pending_marks") {
  return { ...(answer ?? { result: null, annotation: null }), [marks]: [] };
}

function objectOr(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
