// A plugin of nemo-relay-node, as a program installs one.

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

// The plugin's kind; there is one at a time.
const KIND = "bindproof";

// In place of the user's own file of plugins, which would be merged in: that none is there is a warning.
const NO_FILE = "/nonexistent/plugins.toml";

// What the plugin is configured by.
const CONFIGURED = { list: [1, "text"] };

// A file that has a plugin of this kind, once one was asked for.
let file;

/** Install a plugin that registers by `register`, which is given the context; promise what takes it back. */
export async function install(plugin, register) {
  await rehearse(plugin);
  plugin.register(KIND, { validate: () => [], register: (given, context) => registering(given, context, register) });
  let active;
  try {
    active = await plugin.initialize(configured(plugin, true), NO_FILE);
    mustHold(active.isActive, "what was activated is not active");
  } catch (error) {
    forget(plugin);
    throw error;
  }
  return async () => {
    await active.close();
    mustHold(!active.isActive, "what was closed is active");
    forget(plugin);
  };
}

function registering(given, context, register) {
  mustHold(isDeepStrictEqual(given, CONFIGURED), `a plugin is given ${JSON.stringify(given)}`);
  register(context);
}

/**
 * Ask whether the plugin's kind and configurations are known, and activate it where it is switched off by a program and
 * where a file alone has it. Rejects where an answer does not have the kind, so that the plugin is not installed.
 */
async function rehearse(plugin) {
  let registered = 0;
  plugin.register(KIND, { register: () => registered++ });
  try {
    mustHold(plugin.listKinds().includes(KIND), "the kind is not among those that are listed");
    mustHold(has(plugin.validateExact(configured(plugin, true))), "the configuration of a program lacks the kind");
    mustHold(
      has(plugin.validate(configured(plugin, true), NO_FILE)),
      "the configuration that is merged lacks the kind",
    );
    mustHold(has(plugin.validate(plugin.defaultConfig(), ofFile())), "the configuration of a file lacks the kind");
    await activated(plugin, configured(plugin, false), NO_FILE);
    mustHold(registered === 0, "a plugin that is switched off registers");
    await activated(plugin, plugin.defaultConfig(), ofFile());
    mustHold(registered === 1, "a plugin of a file does not register");
  } finally {
    forget(plugin);
  }
}

async function activated(plugin, config, path) {
  const active = await plugin.initialize(config, path);
  try {
    mustHold(has(active.report), "the report of an activation lacks the kind");
  } finally {
    await active.close();
  }
}

function configured(plugin, enabled) {
  const config = plugin.defaultConfig();
  config.components.push(plugin.ComponentSpec(KIND, CONFIGURED, { enabled }));
  return config;
}

function ofFile() {
  if (!file) {
    file = join(mkdtempSync(join(tmpdir(), "plugins-")), "plugins.toml");
    writeFileSync(file, `version = 1\n[[components]]\nkind = "${KIND}"\n`);
  }
  return file;
}

/** Return whether a report says that the kind is configured. */
function has(report) {
  return report.resolved_config.components.some(({ kind }) => kind === KIND);
}

/** Take the kind back; throws where that says that there was none. */
function forget(plugin) {
  mustHold(plugin.deregister(KIND), "the kind was registered, and is not there to be taken back");
}

function mustHold(holds, otherwise) {
  if (!holds) throw new Error(`the plugin '${KIND}': ${otherwise}`);
}
