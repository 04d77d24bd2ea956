// Searches with the npm package jmespath. It judges nothing.
// Usage: node adapter.mjs FOLDER; the package is taken from FOLDER's node_modules and from nowhere else.

import { createRequire } from "node:module";

const { Func, serve } = await import(`${process.env.BINDPROOF_SDK}/node/index.mjs`);

await serve("jmespath-node", "1", () => {
  const require = createRequire(`${process.argv[2]}/node_modules/jmespath/package.json`);
  const { search } = require("jmespath");
  const { version } = require("./package.json");
  return new Func("jmespath-npm", version, "jmespath", "node", ({ expression, given }) => search(given, expression));
});
