// Searches with the npm package jmespath. It judges nothing.
// Usage: node adapter.mjs FOLDER; the package is taken from FOLDER's node_modules and from nowhere else.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { AdapterFault, serve } = await import(`${process.env.BINDPROOF_SDK}/node/index.mjs`);
const HOME = `${process.argv[2]}/node_modules/jmespath`;

// What JSON lacks is spelled; everything else passes as it is.
function spelled(value) {
  if (value === undefined) return { $none: true };
  if (typeof value === "number" && !Number.isFinite(value)) return { $number: String(value) };
  if (Array.isArray(value)) return value.map(spelled);
  if (typeof value === "function") return { $function: value.name };
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, spelled(item)]));
}

class Jmespath {
  #search;
  #version;

  constructor(search, version) {
    this.#search = search;
    this.#version = version;
  }

  describe() {
    const runtime = `Node ${process.version}`;
    const target = { name: "jmespath-npm", version: this.#version, language: "javascript", runtime };
    return { target, suites: { jmespath: { dialect: "node" } } };
  }

  run(_suite, { expression, given }) {
    try {
      return { log: [{ fact: "result", value: spelled(this.#search(given, expression)) }] };
    } catch (error) {
      return { log: [{ fact: "result", error: { type: error.name, message: error.message } }] };
    }
  }
}

function connect() {
  try {
    const { version } = JSON.parse(readFileSync(`${HOME}/package.json`, "utf8"));
    return new Jmespath(createRequire(`${HOME}/package.json`)(HOME).search, version);
  } catch (error) {
    throw new AdapterFault(`jmespath cannot be loaded: ${error.message}`);
  }
}

await serve("jmespath-node", "1", connect);
