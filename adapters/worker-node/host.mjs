// A plugin host with one worker in it: the npm package nemo-relay-node, and a folder that tells it of the worker.
// The worker gets that folder's name by its configuration, and notes there what it is asked.

import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PLUGIN = "bindproof.worker";

// The worker's program, beside its manifest: a script, as a host starts it without arguments.
const PROGRAM = "start";

const manifest = (line, digest) => `manifest_version = 1
[plugin]
id = "${PLUGIN}"
kind = "worker"
[compat]
relay = ">=${line}.0,<1.0"
worker_protocol = "grpc-v1"
[defaults]
enabled = false
[capabilities]
items = ["plugin_worker"]
[source]
artifact = "${PROGRAM}"
[integrity]
sha256 = "sha256:${digest}"
[load]
runtime = "command"
entrypoint = "${PROGRAM}"
`;

const plugins = (folder) => `version = 1
[[plugins.dynamic]]
manifest = "relay-plugin.toml"
[plugins.dynamic.config]
folder = ${JSON.stringify(folder)}
[plugins.policy.defaults]
startup = "required"
attestation = "integrity_only"
`;

export class Host {
  #active = null;
  #plugin;

  /** plugin: the package's part for plugins. version: the package's. command: the words that start the worker. */
  constructor(plugin, version, command) {
    this.#plugin = plugin;
    this.folder = mkdtempSync(join(tmpdir(), "w"));
    const script = `#!/bin/sh\nexec ${command.map(quoted).join(" ")}\n`;
    const digest = createHash("sha256").update(script).digest("hex");
    const [major, minor] = version.split(".");
    writeFileSync(join(this.folder, PROGRAM), script, { mode: 0o700 });
    writeFileSync(join(this.folder, "relay-plugin.toml"), manifest(`${major}.${minor}`, digest));
    writeFileSync(join(this.folder, "plugins.toml"), plugins(this.folder));
  }

  /** Start the worker, and let it register; throws what the package does where that fails. */
  async start() {
    this.#active = await this.#plugin.initialize({ version: 1, components: [] }, join(this.folder, "plugins.toml"));
  }

  /** End the worker and what it has registered; one that has ended already is over all the same. */
  async stop() {
    const active = this.#active;
    this.#active = null;
    await active?.close().catch(() => {});
  }

  /** Return the lines that the worker wrote into one of its notes. */
  lines(note) {
    try {
      return readFileSync(join(this.folder, note), "utf8").split("\n").filter(Boolean);
    } catch {
      return [];
    }
  }

  /** Take the folder away; nothing of it is used again. */
  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Return a word as a shell reads it back. */
function quoted(word) {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
