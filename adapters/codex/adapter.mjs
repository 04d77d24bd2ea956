// Drives the code-mode host of Codex over its framed pipes: acts scenarios out and says what it saw. It judges nothing.
// Usage: node adapter.mjs FOLDER; the package is taken from FOLDER and from nowhere else.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Cells, refuse } from "./cells.mjs";
import { connection } from "./connection.mjs";

const { AdapterFault, Inexpressible, serve } = await import(`${process.env.BINDPROOF_SDK}/node/index.mjs`);

/** The host of one release, started anew for each scenario. */
class Codex {
  #program;
  #version;

  constructor(program, version) {
    this.#program = program;
    this.#version = version;
  }

  describe() {
    const runtime = `codex-code-mode-host, driven by Node ${process.version}`;
    const target = { name: "codex", version: this.#version, language: "javascript", runtime };
    return { target, suites: { cells: { dialect: "codex" } } };
  }

  async run(_suite, scenario) {
    if (scenario.frames) return { log: await connection(this.#program, scenario.frames) };
    if (scenario.asks) throw new Inexpressible("asks", "creating a cell and observing it first is one request");
    refuse(scenario.steps);
    return { log: await new Cells(this.#program).act(scenario.steps) };
  }
}

/** Return the host's program, which the package of this platform brings. */
function programIn(folder) {
  const scope = join(folder, "node_modules", "@openai");
  const name = process.platform === "win32" ? "codex-code-mode-host.exe" : "codex-code-mode-host";
  const vendor = join(scope, `codex-${process.platform}-${process.arch}`, "vendor");
  const triples = existsSync(vendor) ? readdirSync(vendor) : [];
  const found = triples.map((triple) => join(vendor, triple, "bin", name)).find((file) => existsSync(file));
  if (!found)
    throw new AdapterFault(`@openai/codex has no ${name} for ${process.platform}-${process.arch} in ${folder}`);
  return [found, JSON.parse(readFileSync(join(scope, "codex", "package.json"), "utf8")).version];
}

await serve("codex", "1", () => new Codex(...programIn(process.argv[2])));
