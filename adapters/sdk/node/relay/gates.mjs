// The gates of one scenario: what each decides, what it was given, and what takes it back.
// How often a gate is asked is open: what it was given is noted once.

import { Unsupported } from "../signals.mjs";
import { ScriptedError } from "./script.mjs";

/** Register a gate; return what takes it back, and says whether it was there and what it was given. */
export function register(binding, step) {
  if (!binding.gate) throw new Unsupported("gate", "a program registers no gates here");
  const given = new Map();
  const undo = binding.gate(step, (families, name) => {
    const asked = { families: [...families].sort(), name };
    given.set(JSON.stringify(asked), asked);
    if (step.raises !== null) throw new ScriptedError(step.raises);
    return step.reason;
  });
  return { undo, takeBack: () => ({ was: undo(), given: [...given.values()] }) };
}
