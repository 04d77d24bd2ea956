// Drives the npm package nemo-relay-node through its public API. Objects pass through untouched: spelling is the
// harness's matter. Usage: node adapter.mjs [FOLDER]; the package is taken from FOLDER's node_modules and from nowhere
// else; without FOLDER, from where Node would find it for the current folder.

import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { Actor, AdapterFault, decoded, encoded, serve } from "../sdk/node/index.mjs";

const PACKAGE = "nemo-relay-node";
const FAMILIES = { llm_request_intercept: "llm.request" };

class Relay {
  #relay;
  #version;

  constructor(relay, version) {
    this.#relay = relay;
    this.#version = version;
  }

  describe() {
    const target = { name: PACKAGE, version: this.#version, language: "node", runtime: `Node ${process.version}` };
    return { target, suites: { relay: { dialect: "node", capabilities: [] } } };
  }

  freshScope() {
    this.#relay.setThreadScopeStack(this.#relay.createScopeStack());
  }

  registered() {
    return this.#relay.listRuntimeRegistrations().map((item) => [FAMILIES[item.kind] ?? item.kind, item.effectiveName]);
  }

  flush() {
    return this.#relay.flushSubscribers();
  }

  registerSubscriber(step, sink) {
    this.#relay.registerSubscriber(step.name, (event) => sink.put(event));
    return () => this.#relay.deregisterSubscriber(step.name);
  }

  registerLlmRequest(step, callback) {
    const natural = ({ request, annotated }) => ({ request, annotated, pendingMarks: [] });
    const intercept = (given) => callback.play(given, natural);
    this.#relay.registerLlmRequestIntercept(step.name, step.priority, step.break_chain, intercept);
    return () => this.#relay.deregisterLlmRequestIntercept(step.name);
  }

  callLlm(step, provider, decode, encode) {
    const answer = async (request) => provider.play({ request }, () => ({ ok: true }));
    const codec = decode && [
      (request) => decode.play({ request }, (given) => decoded(given.request)),
      (given) => encode.play(given, ({ annotated, original }) => encoded(annotated, original)),
    ];
    const [handle, attributes, data, metadata] = [];
    const model = step.model ?? undefined;
    return this.#relay.llmCallExecuteAsync(
      step.name,
      step.request,
      answer,
      handle,
      attributes,
      data,
      metadata,
      model,
      ...(codec ?? []),
    );
  }

  helperLlmRequest(step) {
    return this.#relay.llmRequestIntercepts(step.name, step.request);
  }
}

function connect(folder) {
  const require = createRequire(join(folder ?? process.cwd(), "from-here.js"));
  let entry;
  try {
    entry = require.resolve(PACKAGE);
    if (folder && !entry.startsWith(realpathSync(folder) + sep)) throw new Error(`found only outside, at ${entry}`);
    return new Actor(new Relay(require(PACKAGE), versionOf(entry)));
  } catch (error) {
    const [reason] = error.message.split("\n");
    throw new AdapterFault(`the package ${PACKAGE} cannot be loaded from ${folder ?? process.cwd()}: ${reason}`);
  }
}

function versionOf(entry) {
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = readIfThere(join(folder, "package.json"));
    if (manifest?.name === PACKAGE) return manifest.version;
  }
  throw new Error(`no package.json of ${PACKAGE} above ${entry}`);
}

function readIfThere(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

await serve("node", "1", () => connect(process.argv[2]));
