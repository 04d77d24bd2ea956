// A plugin host with one plugin in it: the npm package nemo-relay-node, and a folder that tells it of the plugin, which
// gets that folder's name by its configuration and writes its notes there. What it starts is a `Launch` or a `Library`.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filled } from "./texts.mjs";

export class Host {
  #active = null;
  #plugin;

  /** plugin: the package's part for plugins. version: the package's. artifact: what is started. */
  constructor(plugin, version, artifact) {
    this.#plugin = plugin;
    this.folder = mkdtempSync(join(tmpdir(), "w"));
    const line = version.split(".").slice(0, 2).join(".");
    this.write("relay-plugin.toml", artifact.write(this.folder, line));
    const said = { folder: JSON.stringify(this.folder), policy: artifact.policy };
    this.write("plugins.toml", filled("plugins.toml", said));
  }

  /** Put a file into the folder. */
  write(name, text) {
    writeFileSync(join(this.folder, name), text);
  }

  /** Start the plugin, and let it register; throws what the package does where that fails. */
  async start() {
    this.#active = await this.#plugin.initialize({ version: 1, components: [] }, join(this.folder, "plugins.toml"));
  }

  /** End the plugin and what it has registered; a worker that has ended already is over all the same. */
  async stop() {
    const active = this.#active;
    this.#active = null;
    await active?.close().catch(() => {});
  }

  /** Return the lines that the plugin wrote into one of its notes. */
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
