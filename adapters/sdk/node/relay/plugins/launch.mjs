// A worker as a host finds it: a script, as a host starts it without arguments.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf, filled, UNSIGNED } from "./texts.mjs";

const PLUGIN = "bindproof.worker";

// The script, beside its manifest.
const PROGRAM = "start";

export class Launch {
  policy = UNSIGNED;
  #command;

  /** command: the words that start the worker. */
  constructor(command) {
    this.#command = command;
  }

  /** Put the script into a folder; return its manifest, for a host of a line such as `0.9`. */
  write(folder, line) {
    const script = `#!/bin/sh\nexec ${this.#command.map(quoted).join(" ")}\n`;
    writeFileSync(join(folder, PROGRAM), script, { mode: 0o700 });
    return filled("worker.toml", { plugin: PLUGIN, line, program: PROGRAM, digest: digestOf(script) });
  }
}

/** Return a word as a shell reads it back. */
function quoted(word) {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
