// What a binding lists as registered: as records tell it, and as a gate finds there what a plugin registered.

/** Return what records say of an entry; of a plugin's also whose it is, by a number where the binding counts. */
export function told({ family, name, plugin, number }) {
  const owner = plugin === undefined ? {} : { plugin };
  const counted = number === undefined ? {} : { number };
  return { family, name, ...owner, ...counted };
}

/** Return what a gate targets of what a plugin registered by this name; throws where nothing is listed so. */
export function effectiveOf(listed, plugin, name) {
  const found = listed.find((one) => one.plugin === plugin && one.name === name);
  if (found) return found.effective;
  throw new Error(`nothing is listed as '${name}' of the plugin '${plugin}'`);
}
