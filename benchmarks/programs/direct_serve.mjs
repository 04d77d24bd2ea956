// Runs a Node adapter's own target in a loop, in one process, without protocol: what the binding alone costs.
// Takes one line of JSON on stdin: the `suite` and its `scenarios` as the adapter is sent them, `warm_up` and `count`; prints the seconds
// that `count` scenarios took.

import { readFileSync } from "node:fs";

export async function serve(_name, _version, connect) {
  const asked = JSON.parse(readFileSync(0, "utf8"));
  const target = await connect();
  let next = 0;
  const run = async (times) => {
    for (let i = 0; i < times; i++) await target.run(asked.suite, asked.scenarios[next++ % asked.scenarios.length]);
  };
  await run(asked.warm_up);
  const began = process.hrtime.bigint();
  await run(asked.count);
  console.log(Number(process.hrtime.bigint() - began) / 1e9);
  process.exit(0);
}
