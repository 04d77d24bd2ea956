// Searches with the npm package @metrichor/jmespath, which the suite knows nothing of. It judges nothing.
// Usage: node adapter.mjs FOLDER; the package is taken from FOLDER's node_modules.

import { createRequire } from "node:module";
import { resolve } from "node:path";

const { Func, serve } = await import(`${process.env.BINDPROOF_SDK}/node/index.mjs`);

await serve("metrichor", "1", () => {
  const require = createRequire(`${resolve(process.argv[2])}/node_modules/@metrichor/jmespath/package.json`);
  const { search } = require("@metrichor/jmespath");
  const { version } = require("./package.json");
  const call = ({ expression, given }) => search(given, expression);
  return new Func("metrichor-jmespath", version, "jmespath", "metrichor", call);
});
