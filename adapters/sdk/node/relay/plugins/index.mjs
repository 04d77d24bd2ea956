// What an adapter needs that has the npm package nemo-relay-node host a plugin: the host, what it starts, and calls that
// are counted.

import { tmpdir } from "node:os";
import { located } from "../../located.mjs";

export { counted, observed, times } from "./calling.mjs";
export { Launch } from "./launch.mjs";
export { Library } from "./library.mjs";

const PACKAGE = "nemo-relay-node";

/** Load the package from a folder; return what `connected` makes of {relay, plugin, version}. */
export function hosting(folder, connected) {
  process.env.XDG_CONFIG_HOME = tmpdir(); // no host reads what its user configured
  return located(PACKAGE, folder, ({ require, version }) => {
    return connected({ relay: require(PACKAGE), plugin: require(`${PACKAGE}/plugin`), version });
  });
}

/** Say which host is driven. boundary: what it hosts, such as `worker`. */
export function described(boundary, dialect, version) {
  const runtime = `Node ${process.version}`;
  const target = { name: `${PACKAGE}/${boundary}`, version, language: "node", runtime };
  return { target, suites: { relay: { dialect, capabilities: [] } } };
}
