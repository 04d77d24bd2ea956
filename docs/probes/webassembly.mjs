// What the WebAssembly package loses, gathers, leaves behind and hides. `npm install nemo-relay-wasm@0.4.0` beside it.

import * as relay from "nemo-relay-wasm";
import { typedLlmStreamExecute } from "nemo-relay-wasm/typed";

const request = { headers: {}, content: { messages: [] } };
const call = (name) => relay.llmCallExecute(name, request, () => ({ ok: true }));
const told = [];
relay.registerSubscriber("s", (event) => {
  told.push(event);
});

// A mark of an intercept is lost, and so is one that is malformed.
for (const mark of [{ name: "m" }, { name: 5 }]) {
  const outcome = (given) => ({ ...given, pendingMarks: [mark] });
  relay.registerLlmRequestIntercept("i", 0, false, outcome);
  await call("gpt");
  relay.deregisterLlmRequestIntercept("i");
  relay.flushSubscribers();
  console.log("a mark", mark, "is told of:", told.splice(0).some(({ kind }) => kind === "mark"));
}

// A tool's sanitizer whose reply is no JSON leaves null to the next.
relay.registerToolSanitizeRequestGuardrail("a", 0, () => () => 1);
relay.registerToolSanitizeRequestGuardrail("b", 1, (_, args) => {
  console.log("the next sanitizer of a tool is given", args);
  return args;
});
await relay.toolCallExecute("t", { secret: 1 }, () => ({ ok: true }));
relay.deregisterToolSanitizeRequestGuardrail("a");
relay.deregisterToolSanitizeRequestGuardrail("b");
relay.registerLlmSanitizeRequestGuardrail("a", 0, () => () => 1);
relay.registerLlmSanitizeRequestGuardrail("b", 1, (given) => {
  console.log("the next sanitizer of an LLM is given", given);
  return given;
});
await call("gpt");
relay.deregisterLlmSanitizeRequestGuardrail("a");
relay.deregisterLlmSanitizeRequestGuardrail("b");

// The chunks that a generator yields are one chunk: a list of them.
async function* chunks() {
  yield { n: 1 };
  yield { n: 2 };
}
const plain = { toJson: (value) => value, fromJson: (value) => value };
const collect = (chunk) => console.log("the collector is given", chunk);
const stream = await typedLlmStreamExecute("gpt", request, chunks, collect, () => ({ done: true }), plain, plain);
console.log("the reader is given", await stream.next());

// What a plugin registers before it raises goes on running.
relay.registerPlugin("mine", undefined, (_, context) => {
  context.registerToolRequestIntercept("i", 0, false, (name, args) => {
    console.log("the intercept of a plugin that raised runs");
    return args;
  });
  throw new Error("boom");
});
const components = [{ kind: "mine", enabled: true, config: {} }];
try {
  await relay.initializePlugins({ version: 1, components });
} catch (error) {
  console.log("installing it fails:", String(error?.message ?? error));
}
await relay.toolCallExecute("t", {}, () => ({ ok: true }));
