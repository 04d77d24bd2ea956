// Asks json-schema-diff and json-schema-diff-validator about pairs of schemas, one pair a line on stdin.
// Runs in a folder of its own, which `benchmarks.evolution` fills.
const readline = require("readline");
const { createRequire } = require("module");
const there = createRequire(process.cwd() + "/");
const { diffSchemas } = there("json-schema-diff");
const { validateSchemaCompatibility } = there("json-schema-diff-validator");

const tools = {
  "json-schema-diff": async (old, now) =>
    !(await diffSchemas({ sourceSchema: old, destinationSchema: now })).removalsFound,
  "json-schema-diff-validator": async (old, now) => {
    try {
      validateSchemaCompatibility(old, now);
      return true;
    } catch (error) {
      if (/not backward compatible/.test(error.message)) return false;
      throw error;
    }
  },
};

(async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [old, now] = JSON.parse(line);
    const told = {};
    for (const [name, tool] of Object.entries(tools)) {
      const started = process.hrtime.bigint();
      let answer = "undecided";
      try {
        answer = (await tool(old, now)) ? "safe" : "breaking";
      } catch {
        // it cannot read the schema
      }
      told[name] = [answer, Number(process.hrtime.bigint() - started) / 1e9];
    }
    console.log(JSON.stringify(told));
  }
})();
