// The package that an adapter drives: taken from one folder's node_modules and from nowhere else.

import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { AdapterFault } from "./signals.mjs";

/**
 * Load a package, and return what `connected` makes of it, or a promise of that.
 * name: the package's. folder: the one whose node_modules has it, undefined for where Node would find it from the
 * current folder. connected: called with {require, entry, version}, may throw.
 * Throws AdapterFault with the reason where that fails.
 */
export async function located(name, folder, connected) {
  const require = createRequire(join(folder ?? process.cwd(), "from-here.js"));
  try {
    const entry = require.resolve(name);
    if (folder && !entry.startsWith(realpathSync(folder) + sep)) throw new Error(`found only outside, at ${entry}`);
    return await connected({ require, entry, version: versionOf(name, entry) });
  } catch (error) {
    const [reason] = error.message.split("\n");
    throw new AdapterFault(`the package ${name} cannot be loaded from ${folder ?? process.cwd()}: ${reason}`);
  }
}

function versionOf(name, entry) {
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = readIfThere(join(folder, "package.json"));
    if (manifest?.name === name) return manifest.version;
  }
  throw new Error(`no package.json of ${name} above ${entry}`);
}

function readIfThere(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
