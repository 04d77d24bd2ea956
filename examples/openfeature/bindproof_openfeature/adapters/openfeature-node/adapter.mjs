// Evaluates one flag with the npm package @openfeature/server-sdk, and says which hooks ran. It judges nothing.
// Usage: node adapter.mjs FOLDER; the package is taken from FOLDER's node_modules and from nowhere else.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { serve } = await import(`${process.env.BINDPROOF_SDK}/node/index.mjs`);
const HOME = `${process.argv[2]}/node_modules/@openfeature/server-sdk/package.json`;

const DEFAULTS = { boolean: false, integer: 7 };
const VALUES = { boolean: { gives: true, "another type": "x" }, integer: { gives: 1, "another type": true } };

class Recording {
  constructor(level, raises, log) {
    const ran = (stage) => {
      log.push({ fact: "hook", level, stage });
      if (raises.includes(stage)) throw new Error(`${level} ${stage}`);
    };
    for (const stage of ["before", "after", "error", "finally"]) this[stage] = () => ran(stage);
  }
}

class OpenFeatureAdapter {
  constructor(openFeature, version) {
    this.openFeature = openFeature;
    this.version = version;
  }

  describe() {
    const runtime = `Node ${process.version}`;
    const target = { name: "openfeature-node", version: this.version, language: "javascript", runtime };
    return { target, suites: { openfeature: { dialect: "wire" } } };
  }

  async run(_suite, { flag, hooks, provider }) {
    const log = [];
    const of = (level) => (level in hooks ? [new Recording(level, hooks[level], log)] : []);
    const resolve = async () => {
      log.push({ fact: "asked" });
      if (provider === "raises") throw new Error("the provider");
      return { value: VALUES[flag][provider] };
    };
    this.openFeature.clearHooks();
    await this.openFeature.setProviderAndWait({
      metadata: { name: "scripted" },
      hooks: of("provider"),
      resolveBooleanEvaluation: resolve,
      resolveNumberEvaluation: resolve,
    });
    this.openFeature.addHooks(...of("api"));
    const client = this.openFeature.getClient();
    client.addHooks(...of("client"));
    const method = flag === "boolean" ? "getBooleanDetails" : "getNumberDetails";
    const found = await client[method]("flag", DEFAULTS[flag], {}, { hooks: of("call") });
    return { log: [...log, { fact: "result", value: found.value, failed: found.errorCode !== undefined }] };
  }
}

await serve("openfeature-node", "1", () => {
  const { OpenFeature } = createRequire(HOME)("@openfeature/server-sdk");
  OpenFeature.setLogger({ error() {}, warn() {}, info() {}, debug() {} });
  return new OpenFeatureAdapter(OpenFeature, JSON.parse(readFileSync(HOME, "utf8")).version);
});
