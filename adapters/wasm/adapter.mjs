// Drives the npm package nemo-relay-wasm through its public API. Its one release is of before the contract: what it has
// not is unsupported, and what an intercept returns is handed over untouched. Usage: node adapter.mjs [FOLDER]; the
// package is taken from FOLDER's node_modules and from nowhere else; without FOLDER, from where Node would find it for
// the current folder.

import { pathToFileURL } from "node:url";
import { located, serve, Unsupported } from "../sdk/node/index.mjs";
import { Actor, decoded, encoded } from "../sdk/node/relay/index.mjs";
import { mustBeRaw, rawOf, register, registerInPlugin, resultOf, takeBackOfPlugin } from "./families.mjs";

const PACKAGE = "nemo-relay-wasm";

// The kind of the plugin of a name, and what initializes plugins.
const kindOf = (name) => `bindproof-${name}`;
const configured = (names) => ({
  version: 1,
  components: names.map((name) => ({ kind: kindOf(name), enabled: true, config: {} })),
});

// What the package puts before the names that a plugin registers. Of one that is configured several times it has a number.
function prefixOf(name, plugins, nth) {
  const several = plugins.filter((one) => one === name).length > 1;
  return `__nemo_relay_plugin__${kindOf(name)}__${several ? `${nth}__` : ""}`;
}

// What the SDK is told of a registration: without a listing, the one name by which it can be taken back.
const entryOf = (family, name) => ({ family, name, effective: name });

const OLDER = "of what codecs of this release make of a request the contract is silent";

// Built-in codec → the package's class.
const CODECS = {
  openai_chat: "OpenAIChatCodec",
  openai_responses: "OpenAIResponsesCodec",
  anthropic_messages: "AnthropicMessagesCodec",
};

class Relay {
  inFlight = true;
  #installed = [];
  #kept = new Set();
  #relay;
  #version;

  constructor(relay, version) {
    this.#relay = relay;
    this.#version = version;
  }

  describe() {
    const target = { name: PACKAGE, version: this.#version, language: "node", runtime: `Node ${process.version}` };
    return { target, suites: { relay: { dialect: "wasm", capabilities: [] } } };
  }

  freshScope() {
    this.#relay.setThreadScopeStack(this.#relay.createScopeStack());
  }

  context() {
    const around = this.#relay.currentScopeStack();
    this.freshScope();
    return () => this.#relay.setThreadScopeStack(around);
  }

  // The package lists nothing of what is registered. Left behind is what a trap kept from being deregistered; and of
  // plugins' registrations those that can still be taken back, and are gone then.
  registered(family) {
    if (family !== undefined) throw new Unsupported("list", "this release has no listing of what is registered");
    const left = this.#installed.splice(0).filter((entry) => this.#isLeft(entry));
    return [...this.#kept, ...left];
  }

  #isLeft(entry) {
    try {
      return takeBackOfPlugin(this.#relay, entry);
    } catch (error) {
      if (isTrap(error)) return true;
      throw error;
    }
  }

  async flush() {
    this.#relay.flushSubscribers();
  }

  register(step, callback) {
    const takeBack = register(this.#relay, step, callback);
    const entry = entryOf(step.family, step.name);
    return () => {
      try {
        return takeBack();
      } catch (error) {
        if (isTrap(error)) this.#kept.add(entry);
        throw error;
      }
    };
  }

  async install(plugins, setUp) {
    const relay = this.#relay;
    const names = [...new Set(plugins)];
    const asked = [];
    const register = (name, context) => {
      asked.push(name);
      const place = prefixOf(name, plugins, asked.filter((one) => one === name).length);
      return (step, callback) => {
        registerInPlugin(context, step, callback);
        this.#installed.push(entryOf(step.family, `${place}${step.name}`));
      };
    };
    const forget = () => {
      for (const name of names) relay.deregisterPlugin(kindOf(name));
    };
    for (const name of names) {
      relay.registerPlugin(kindOf(name), NONE, (_, context) => setUp(name, register(name, context)));
    }
    try {
      await relay.initializePlugins(configured(plugins));
    } catch (error) {
      forget();
      throw error;
    }
    return async () => {
      relay.clearPluginConfiguration();
      forget();
    };
  }

  callLlm(step, provider, decode, encode) {
    const answer = (request) => provider.answer({ request }, () => ({ ok: true }));
    const codec = decode
      ? [
          (request) => decode.play({ request }, (given) => decoded(given.request)),
          (annotated, original) => encode.play({ annotated, original }, () => encoded(annotated, original)),
        ]
      : this.#builtIn(step.codec);
    return this.#relay.llmCallExecute(
      step.name,
      step.request,
      answer,
      ...lead(step),
      step.metadata ?? NONE,
      step.model ?? NONE,
      ...codec,
      this.#reading(step.response_codec),
    );
  }

  codecs() {
    return Object.keys(CODECS).filter((name) => this.#relay[CODECS[name]]);
  }

  decode({ codec, side, payload }) {
    if (codec === "own") throw new Unsupported("codec.asked", "a sanitizer of this package gets no codec");
    if (side === "request") throw new Unsupported("codec.builtin", OLDER);
    return new this.#relay[CODECS[codec]]().decodeResponse(payload);
  }

  encode() {
    throw new Unsupported("codec.builtin", OLDER);
  }

  #builtIn(name) {
    if (name !== "none") throw new Unsupported("codec.builtin", OLDER);
    return [NONE, NONE];
  }

  // What reads an answer with a built-in codec, and null where it cannot, as in the package's own typed calls.
  #reading(name) {
    if (!name) return NONE;
    const codec = new this.#relay[CODECS[name]]();
    return (answer) => {
      try {
        return codec.decodeResponse(answer) ?? null;
      } catch {
        return null;
      }
    };
  }

  openStream() {
    throw new Unsupported("stream", "what a stream's provider answers with is one chunk, a list of chunks too");
  }

  async callTool(step, provider) {
    if (step.tool_call_id) throw new Unsupported("tool_call_id", "a managed call of a tool takes no id");
    mustBeRaw(step.provider);
    const answer = async (args) => rawOf(await provider.answer({ args }, () => resultOf({ ok: true })));
    const metadata = step.metadata ?? NONE;
    return resultOf(await this.#relay.toolCallExecute(step.name, step.args, answer, ...lead(step), metadata));
  }

  async helper(step) {
    const relay = this.#relay;
    if (step.kind === "llm.request") throw new Unsupported("helper llm.request", "it answers with a request alone");
    if (step.kind === "tool.request") return relay.toolRequestIntercepts(step.name, step.args);
    if (step.kind === "llm.conditional") return relay.llmConditionalExecution(step.request) ?? null;
    return relay.toolConditionalExecution(step.name, step.args) ?? null;
  }

  start(step) {
    const [metadata, time, relay] = [step.metadata ?? NONE, timeOf(step), this.#relay];
    if (step.kind === "scope") {
      const type = relay.ScopeType[capitalised(step.type)];
      return relay.pushScope(step.name, type, ...lead(step), metadata, step.input ?? NONE, time);
    }
    if (step.kind === "llm") {
      return relay.llmCall(step.name, step.request, ...lead(step), metadata, step.model ?? NONE, time);
    }
    return relay.toolCall(step.name, step.args, ...lead(step), metadata, step.tool_call_id ?? NONE, time);
  }

  end(step) {
    const [metadata, time, relay] = [step.metadata ?? NONE, timeOf(step), this.#relay];
    const data = step.data ?? NONE;
    if (step.annotation || step.response_codec) {
      throw new Unsupported("end.annotation", "an end takes neither an annotation nor a codec");
    }
    if (step.kind === "scope") relay.popScope(step.of, step.output ?? NONE, time, metadata);
    else if (step.kind === "tool") relay.toolCallEnd(step.of, step.output, data, metadata, time);
    else relay.llmCallEnd(step.of, step.output, data, metadata, time);
  }

  handle({ of, kind }) {
    const said = { uuid: of.uuid, parent_uuid: of.parentUuid, name: of.name, attributes: named(of.attributes, kind) };
    if (kind !== "scope") return said;
    const type = this.#relay.ScopeType[of.scopeType].toLowerCase();
    return { ...said, data: of.data, metadata: of.metadata, type };
  }

  current() {
    const { uuid, name } = this.#relay.getHandle();
    return { uuid, name };
  }

  mark(step) {
    if (step.severity !== null || step.data_schema !== null) {
      throw new Unsupported("severity", "marks of this release have neither schema nor severity");
    }
    const [data, metadata] = [step.data ?? NONE, step.metadata ?? NONE];
    this.#relay.event(step.name, step.parent ?? NONE, data, metadata, timeOf(step));
  }
}

/** Tell whether the instance was stopped in its midst, with the locks that it held then. */
function isTrap(error) {
  return error instanceof WebAssembly.RuntimeError;
}

// What is not handed over, where an argument follows that is.
const NONE = undefined;

// Attribute → its bit in the number that the package takes, which names none of them.
const ATTRIBUTES = { parallel: 1, relocatable: 2, stateful: 1, streaming: 2, remote: 1 };

// Kind of what is started → its attributes, in alphabetical order.
const NAMES = { scope: ["parallel", "relocatable"], llm: ["stateful", "streaming"], tool: ["remote"] };

/** Return what comes before the metadata in most functions: the parent, the attributes, a call's data. */
function lead(step) {
  return [step.parent ?? NONE, bits(step), step.data ?? NONE];
}

function bits({ attributes }) {
  return attributes.length === 0 ? NONE : attributes.reduce((sum, name) => sum | ATTRIBUTES[name], 0);
}

function timeOf({ timestamp }) {
  return timestamp ?? NONE;
}

function named(bits, kind) {
  return NAMES[kind].filter((name) => bits & ATTRIBUTES[name]);
}

function capitalised(word) {
  return word[0].toUpperCase() + word.slice(1);
}

function connect(folder) {
  return located(PACKAGE, folder, async ({ entry, version }) => {
    return new Actor(new Relay(await import(pathToFileURL(entry)), version));
  });
}

await serve("wasm", "1", () => connect(process.argv[2]));
