// A native plugin as a host finds it: a library, and what its manifest says of it, truly or not.

import { copyFileSync, linkSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attestation, digestOf, filled, WORDS, within } from "./texts.mjs";

const PLUGIN = "bindproof.native";

// The library, beside its manifest.
const LIBRARY = "plugin.so";

// What is said of a plugin that a host takes.
const HONEST = { range: "own", digest: "own", policy: "integrity_only", enabled: false, abi: "own" };

export class Library {
  #path;
  #said;

  /** path: the library's. said: what a step `load` states of it. */
  constructor(path, said = HONEST) {
    this.#path = path;
    this.#said = said;
    this.policy = said.policy === "unstated" ? "" : attestation(said.policy);
  }

  /** Put the library into a folder; return its manifest, for a host of a line such as `0.9`. */
  write(folder, line) {
    const { range, enabled, abi } = this.#said;
    linkSync(keptOf(this.#path), join(folder, LIBRARY));
    const admitted = WORDS.ranges[range];
    const relay = admitted ? `relay = "${within(admitted, { line })}"\n` : "";
    const said = { relay, enabled, symbol: WORDS.symbols[abi], integrity: this.#integrity() };
    return filled("native.toml", { plugin: PLUGIN, library: LIBRARY, ...said });
  }

  #integrity() {
    const { digest } = this.#said;
    if (digest === "unstated") return "";
    const content = digest === "own" ? readFileSync(this.#path) : "another library";
    return `[integrity]\nsha256 = "sha256:${digestOf(content)}"\n`;
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
