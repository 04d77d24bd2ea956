// What a program, or a sanitizer, asks a codec.

import { Unsupported } from "../signals.mjs";

/** Return what the codec of a step answers; throws Unsupported where it cannot be asked. */
export function answered(binding, step) {
  if (!binding.decode) throw new Unsupported("codec.asked", "a program cannot ask a codec what it reads and writes");
  if (step.codec !== "own") mustBeBuiltIn(binding, "codec.builtin", step.codec);
  return step.step === "decode" ? binding.decode(step) : binding.encode(step);
}

/** Throw Unsupported, for want of a capability, where the binding has no built-in codec of this name. */
export function mustBeBuiltIn(binding, capability, codec) {
  if (binding.codecs?.().includes(codec)) return;
  throw new Unsupported(capability, `there is no built-in codec '${codec}' to be had`);
}
