// The gates of one scenario: what each decides, what it was given, and what takes it back.
// How often a gate is asked is open: what it was given is noted once.

import { Unsupported } from "../signals.mjs";
import { effectiveOf } from "./listing.mjs";
import { ScriptedError } from "./script.mjs";

/** Register a gate; return what takes it back, and says whether it was there and what it was given. */
export function register(binding, step) {
  if (!binding.gate) throw new Unsupported("gate", "a program registers no gates here");
  const target = targetOf(binding, step);
  const given = new Map();
  const undo = binding.gate({ ...step, target }, (families, name) => {
    const asked = { families: [...families].sort(), ...named(name, target, step) };
    given.set(JSON.stringify(asked), asked);
    if (step.raises !== null) throw new ScriptedError(step.raises);
    return step.reason;
  });
  return { undo, takeBack: () => ({ was: undo(), given: [...given.values()] }) };
}

// What a plugin registers has a name of the binding's making, which only its listing tells.
function targetOf(binding, { plugin, families, target }) {
  return plugin === null ? target : effectiveOf(binding.registered(families[0]), plugin, target);
}

// The name that a gate was given: where it is that of the binding's making, the plugin and its own name in its place.
function named(name, effective, { plugin, target }) {
  return plugin !== null && name === effective ? { name: target, plugin } : { name };
}
