// What an adapter of the suite `relay` needs besides: the log, the scripted callbacks, the clean slate. It wraps its
// binding in an `Actor`, and is then its binding's API calls and little else.

export { Actor } from "./actor.mjs";
export { decoded, encoded, toolOutcome } from "./natural.mjs";
export { Recorder } from "./recorder.mjs";
export { isAwaited, ScriptedError } from "./script.mjs";
export { Source } from "./streaming.mjs";
