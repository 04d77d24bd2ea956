// Plugins of nemo-relay-node, as a program installs them.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

// What the kind of each plugin begins with.
const PREFIX = "bindproof-";

// The kind of the plugin of a name.
const kindOf = (name) => `${PREFIX}${name}`;

// In place of the user's own file of plugins, which would be merged in: that none is there is a warning.
const NO_FILE = "/nonexistent/plugins.toml";

// What each plugin is configured by.
const CONFIGURED = { list: [1, "text"] };

// Files that have plugins of some kinds, once they were asked for.
const files = new Map();

// Kinds that were asked about together, and answered well: the next scenario of this process need not ask.
const rehearsed = new Set();

/** Return the name of the plugin of a kind: of one that is not installed here, the kind. */
export function nameOf(kind) {
  return kind.startsWith(PREFIX) ? kind.slice(PREFIX.length) : kind;
}

/** Install plugins that register by `register`, which is given name and context; promise what takes them back. */
export async function install(plugin, names, register) {
  const kinds = [...new Set(names)].map(kindOf);
  if (!rehearsed.has(String(kinds))) await rehearse(plugin, names, kinds);
  rehearsed.add(String(kinds));
  for (const name of new Set(names)) {
    const ask = (given, context) => registering(given, context, name, register);
    plugin.register(kindOf(name), { validate: () => [], register: ask });
  }
  let active;
  try {
    active = await plugin.initialize(configured(plugin, names, true), NO_FILE);
    mustHold(active.isActive, "what was activated is not active");
  } catch (error) {
    forget(plugin, kinds);
    throw error;
  }
  return async () => {
    await active.close();
    mustHold(!active.isActive, "what was closed is active");
    forget(plugin, kinds);
  };
}

function registering(given, context, name, register) {
  mustHold(isDeepStrictEqual(given, CONFIGURED), `'${name}' is given ${JSON.stringify(given)}`);
  register(name, context);
}

/**
 * Ask whether the plugins' kinds and configurations are known, and activate them where they are switched off by a program
 * and where a file alone has them. Rejects where an answer does not have the kinds, so that no plugin is installed.
 */
async function rehearse(plugin, names, kinds) {
  let registered = 0;
  for (const kind of kinds) plugin.register(kind, { register: () => registered++ });
  try {
    const known = plugin.listKinds();
    mustHold(
      kinds.every((kind) => known.includes(kind)),
      "a kind is not among those that are listed",
    );
    const whole = configured(plugin, names, true);
    mustHold(has(plugin.validateExact(whole), kinds), "the configuration of a program lacks a kind");
    mustHold(has(plugin.validate(whole, NO_FILE), kinds), "the configuration that is merged lacks a kind");
    const alone = plugin.validate(plugin.defaultConfig(), ofFile(kinds));
    mustHold(has(alone, kinds), "the configuration of a file lacks a kind");
    await activated(plugin, configured(plugin, names, false), NO_FILE, kinds);
    mustHold(registered === 0, "a plugin that is switched off registers");
    await activated(plugin, plugin.defaultConfig(), ofFile(kinds), kinds);
    mustHold(registered === kinds.length, "a plugin of a file does not register");
  } finally {
    forget(plugin, kinds);
  }
}

async function activated(plugin, config, path, kinds) {
  const active = await plugin.initialize(config, path);
  try {
    mustHold(has(active.report, kinds), "the report of an activation lacks a kind");
  } finally {
    await active.close();
  }
}

function configured(plugin, names, enabled) {
  const config = plugin.defaultConfig();
  config.components.push(...names.map((name) => plugin.ComponentSpec(kindOf(name), CONFIGURED, { enabled })));
  return config;
}

function ofFile(kinds) {
  const key = kinds.join(" ");
  if (!files.has(key)) {
    const folder = mkdtempSync(join(tmpdir(), "plugins-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "plugins.toml");
    const components = kinds.map((kind) => `[[components]]\nkind = "${kind}"\n`);
    writeFileSync(file, `version = 1\n${components.join("")}`);
    files.set(key, file);
  }
  return files.get(key);
}

/** Return whether a report says that all of these kinds are configured. */
function has(report, kinds) {
  const found = report.resolved_config.components.map(({ kind }) => kind);
  return kinds.every((kind) => found.includes(kind));
}

/** Take the kinds back; throws where that says that one was none. */
function forget(plugin, kinds) {
  const gone = kinds.filter((kind) => !plugin.deregister(kind));
  mustHold(gone.length === 0, `the kinds ${gone} were registered, and are not there to be taken back`);
}

function mustHold(holds, otherwise) {
  if (!holds) throw new Error(`plugins: ${otherwise}`);
}
