// A native plugin as a host finds it: a library, and what its manifest says of it, truly or not.

import { copyFileSync, linkSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { attestation, digestOf, filled, WORDS, within } from "./texts.mjs";

const PLUGIN = "bindproof.native";

// The library, beside its manifest.
const LIBRARY = "plugin.so";

// The file that has its signature, beside its manifest, and beside the library that was built.
const SIGNATURE = "signature";

// What is said of a plugin that a host takes.
const HONEST = {
  range: "own",
  digest: "own",
  signature: "unstated",
  policy: "integrity_only",
  enabled: false,
  abi: "own",
};

export class Library {
  #path;
  #said;

  /** path: the library's. said: what a step `load` states of it. */
  constructor(path, said = HONEST) {
    this.#path = path;
    this.#said = said;
    const asked = said.policy === "unstated" ? "" : `${attestation(said.policy)}\n`;
    this.policy = `${asked}trusted_public_keys = ["${WORDS.trusted_key}"]`;
  }

  /** Put the library into a folder, with its signature; return its manifest, for a host of a line such as `0.9`. */
  write(folder, line) {
    const { range, enabled, abi, signature } = this.#said;
    linkSync(keptOf(this.#path), join(folder, LIBRARY));
    if (signature !== "unstated") writeFileSync(join(folder, SIGNATURE), this.#signature());
    const admitted = WORDS.ranges[range];
    const relay = admitted ? `relay = "${within(admitted, { line })}"\n` : "";
    const said = { relay, enabled, symbol: WORDS.symbols[abi], integrity: this.#integrity() };
    return filled("native.toml", { plugin: PLUGIN, library: LIBRARY, ...said });
  }

  #integrity() {
    const { digest, signature } = this.#said;
    const content = digest === "own" ? readFileSync(this.#path) : "another library";
    const said = [
      digest === "unstated" ? "" : `sha256 = "sha256:${digestOf(content)}"\n`,
      signature === "unstated" ? "" : `signature = "${SIGNATURE}"\n`,
    ].join("");
    return said && `[integrity]\n${said}`;
  }

  #signature() {
    const isOwn = this.#said.signature === "own";
    return isOwn ? readFileSync(join(dirname(this.#path), SIGNATURE), "utf8") : WORDS.another_signature;
  }
}

// A library → its copy where folders of plugins are made.
const kept = new Map();

/**
 * Return a copy of a library that all folders of this process have links to. So it is loaded once: each library that is
 * another file takes keys of thread-local storage from the process, which no host gives back.
 */
function keptOf(path) {
  if (!kept.has(path)) {
    const copy = join(mkdtempSync(join(tmpdir(), "l")), LIBRARY);
    copyFileSync(path, copy);
    kept.set(path, copy);
  }
  return kept.get(path);
}
