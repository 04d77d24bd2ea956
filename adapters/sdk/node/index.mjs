// What a Node program needs to be a bindproof adapter: the protocol, the log, the scripted callbacks, the clean slate.
// No dependencies. An adapter gives `serve` a function that connects to its target; one that drives a binding of the
// `relay` suite wraps it in an `Actor`, and is then its binding's API calls and little else.

export { Actor } from "./actor.mjs";
export { Func } from "./function.mjs";
export { decoded, encoded, toolOutcome } from "./natural.mjs";
export { serve } from "./serve.mjs";
export { AdapterFault, Inexpressible, ScriptedError, Unsupported } from "./signals.mjs";
export { meant, spelled } from "./spelling.mjs";
export { Source } from "./streaming.mjs";
