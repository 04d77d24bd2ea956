// The texts that tell a host of a plugin: those of `sdk/plugin/`, which adapters of every language fill in.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const FOLDER = new URL("../../../plugin/", import.meta.url);

/** What the words of a step `load` stand for in a manifest. */
export const WORDS = JSON.parse(text("native.json"));

/** What a host's policy says that asks for no signature. */
export const UNSIGNED = attestation("integrity_only");

/** Return a text with its gaps, such as `{plugin}`, filled in. */
export function filled(name, gaps) {
  return within(text(name), gaps);
}

/** Return `pattern` with its gaps filled in. */
export function within(pattern, gaps) {
  return pattern.replaceAll(/\{(\w+)\}/g, (_, gap) => gaps[gap]);
}

/** Return what a host's policy says of signatures. */
export function attestation(policy) {
  return `attestation = "${policy}"`;
}

/** Return the digest of a content as a manifest has it. */
export function digestOf(content) {
  return createHash("sha256").update(content).digest("hex");
}

function text(name) {
  return readFileSync(new URL(name, FOLDER), "utf8");
}
