// What a Node program needs to be a bindproof adapter: the protocol, and what it says of itself and of values. No
// dependencies. An adapter gives `serve` a function that connects to its target; one that calls a single function is a
// `Func`. What the adapters of one suite alone share is in a folder here, named as the suite is.

export { Func } from "./function.mjs";
export { located } from "./located.mjs";
export { serve } from "./serve.mjs";
export { AdapterFault, Inexpressible, Stop, Unsupported } from "./signals.mjs";
export { meant, spelled } from "./spelling.mjs";
