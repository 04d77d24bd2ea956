// Imported before a Node adapter: puts `direct_serve.mjs` in the place of the SDK's `serve`.

import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    if (!found.url.endsWith("/sdk/node/serve.mjs")) return found;
    return { ...found, url: new URL("./direct_serve.mjs", import.meta.url).href };
  },
});
