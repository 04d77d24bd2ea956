// Drives the npm package nemo-relay-node through its public API. Objects pass through untouched: spelling is the
// harness's matter. Usage: node adapter.mjs [FOLDER]; the package is taken from FOLDER's node_modules and from nowhere
// else; without FOLDER, from where Node would find it for the current folder.

import { Inexpressible, located, serve, Unsupported } from "../sdk/node/index.mjs";
import { Actor, decoded, encoded } from "../sdk/node/relay/index.mjs";
import { familyOf, kindOf, register, registerInPlugin, resultOf } from "./families.mjs";

const PACKAGE = "nemo-relay-node";

// The kind of the plugin that scenarios install, one at a time, and what initializes it.
const PLUGIN = "bindproof";
const INSTALLED = { version: 1, components: [{ kind: PLUGIN, enabled: true, config: {} }] };

// In place of the user's own file of plugins, which would be merged in: that none is there is a warning.
const NO_FILE = "/nonexistent/plugins.toml";

// Built-in codec → the package's class.
const CODECS = {
  openai_chat: "OpenAIChatCodec",
  openai_responses: "OpenAIResponsesCodec",
  anthropic_messages: "AnthropicMessagesCodec",
};

class Relay {
  inFlight = true;
  endsNext = true;
  #plugin;
  #relay;
  #typed;
  #version;

  constructor(relay, typed, plugin, version) {
    this.#relay = relay;
    this.#typed = typed;
    this.#plugin = plugin;
    this.#version = version;
  }

  describe() {
    const target = { name: PACKAGE, version: this.#version, language: "node", runtime: `Node ${process.version}` };
    return { target, suites: { relay: { dialect: "node", capabilities: [] } } };
  }

  freshScope() {
    this.#relay.setThreadScopeStack(this.#relay.createScopeStack());
  }

  inOwnScope(program) {
    return this.#relay.withScopeStack(this.#relay.createScopeStack(), program);
  }

  context() {
    const around = this.#relay.currentScopeStack();
    this.freshScope();
    return () => this.#relay.setThreadScopeStack(around);
  }

  registered(family = null) {
    const kinds = family === null ? NONE : [kindOf(family)];
    return this.#relay.listRuntimeRegistrations(kinds).map((item) => [familyOf(item.kind), item.effectiveName]);
  }

  flush() {
    return this.#relay.flushSubscribers();
  }

  register(step, callback) {
    return register(this.#relay, step, callback);
  }

  gate({ name, families, target }, decide) {
    const guardrail = (kinds, registration) => decide(kinds.map(familyOf), registration);
    this.#relay.registerConditionalMiddlewareGuardrail(name, families.map(kindOf), target, guardrail);
    return () => this.#relay.deregisterConditionalMiddlewareGuardrail(name);
  }

  async install(setUp) {
    const register = (_, context) => setUp((step, callback) => registerInPlugin(context, step, callback));
    this.#plugin.register(PLUGIN, { register });
    let active;
    try {
      active = await this.#plugin.initialize(INSTALLED, NO_FILE);
    } catch (error) {
      this.#plugin.deregister(PLUGIN);
      throw error;
    }
    return async () => {
      await active.close();
      this.#plugin.deregister(PLUGIN);
    };
  }

  callLlm(step, provider, decode, encode) {
    const answer = (request) => provider.answer({ request }, () => ({ ok: true }));
    const codec = decode
      ? [
          (request) => decode.play({ request }, (given) => decoded(given.request)),
          (given) => encode.play(given, ({ annotated, original }) => encoded(annotated, original)),
        ]
      : this.#builtIn(step.codec);
    return this.#relay.llmCallExecuteAsync(
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

  // The two functions of a built-in codec, handed over as the package's own typed calls do.
  #builtIn(name) {
    if (name === "none") return [NONE, NONE];
    const codec = new this.#relay[CODECS[name]]();
    return [(request) => codec.decode(request), ({ annotated, original }) => codec.encode(annotated, original)];
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

  async openStream(step, { source, collector, finalizer }, decode, encode) {
    const ops = [...step.provider, ...step.collector, ...step.finalizer];
    const failing = ops.some(({ op }) => op === "raise" || op === "each"); // a collector does nothing else
    if (failing) throw new Unsupported("stream.fail", "what throws in a stream's own callbacks ends the process");
    const scripted = decode && {
      decode: (request) => decode.play({ request }, (given) => decoded(given.request)),
      encode: (annotated, original) => encode.play({ annotated, original }, () => encoded(annotated, original)),
    };
    const built = (name) => (CODECS[name] ? new this.#relay[CODECS[name]]() : NONE);
    const codecs = { codec: scripted ?? built(step.codec), responseCodec: built(step.response_codec) };
    const passed = new this.#typed.JsonPassthrough();
    const stream = await this.#typed.typedLlmStreamExecute(
      step.name,
      step.request,
      (request) => source.open({ request }),
      (chunk) => collector.take(chunk),
      () => finalizer.finish(),
      passed,
      passed,
      {
        handle: step.parent,
        attributes: bits(step),
        data: step.data ?? NONE,
        metadata: step.metadata ?? NONE,
        modelName: step.model ?? NONE,
        ...codecs,
      },
    );
    return {
      async next() {
        const value = await stream.next();
        return { done: value === null, value };
      },
      close: () => stream.close(),
    };
  }

  async callTool(step, provider) {
    const answer = (args) => provider.answer({ args }, () => ({ result: { ok: true }, annotation: null }));
    const [metadata, id] = [step.metadata ?? NONE, step.tool_call_id ?? NONE];
    return resultOf(await this.#relay.toolCallExecuteAsync(step.name, step.args, answer, ...lead(step), metadata, id));
  }

  async helper(step) {
    if (step.kind === "llm.request") return this.#relay.llmRequestIntercepts(step.name, step.request);
    if (step.kind === "tool.request") return this.#relay.toolRequestIntercepts(step.name, step.args);
    if (step.kind === "llm.conditional") return (await this.#relay.llmConditionalExecution(step.request)) ?? null;
    return (await this.#relay.toolConditionalExecution(step.name, step.args)) ?? null;
  }

  start(step) {
    const [metadata, time, relay] = [step.metadata ?? NONE, step.timestamp ?? NONE, this.#relay];
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
    const [metadata, time, relay] = [step.metadata ?? NONE, step.timestamp ?? NONE, this.#relay];
    const data = step.data ?? NONE;
    if (step.kind === "scope") relay.popScope(step.of, step.output ?? NONE, time, metadata);
    else if (step.kind === "tool") {
      relay.toolCallEnd(step.of, { result: step.output, annotation: step.annotation }, data, metadata, time);
    } else {
      const annotated = step.annotation !== null || step.response_codec !== null;
      if (annotated) throw new Inexpressible("end.annotation", "llmCallEnd takes neither an annotation nor a codec");
      relay.llmCallEnd(step.of, step.output, data, metadata, time);
    }
  }

  handle({ of, kind }) {
    const said = { uuid: of.uuid, parent_uuid: of.parentUuid, name: of.name, attributes: named(of.attributes, kind) };
    if (kind !== "scope") return said;
    const types = Object.entries(this.#relay.ScopeType).find(([, value]) => value === of.scopeType);
    return { ...said, data: of.data, metadata: of.metadata, type: types[0].toLowerCase() };
  }

  current() {
    const { uuid, name } = this.#relay.getHandle();
    return { uuid, name };
  }

  build({ object, value: { headers, content, ...more } }) {
    if (object !== "request" || Object.keys(more).length > 0) {
      throw new Inexpressible("build", "a program writes a plain object; LlmRequest takes headers and a content");
    }
    const request = new this.#relay.LlmRequest(headers, content);
    return { headers: request.headers, content: request.content };
  }

  mark(step) {
    const [data, metadata, schema] = [step.data ?? NONE, step.metadata ?? NONE, step.data_schema ?? NONE];
    const severity = step.severity === null ? NONE : this.#relay.LogSeverity[capitalised(step.severity)];
    const time = step.timestamp ?? NONE;
    this.#relay.event(step.name, step.parent ?? NONE, data, metadata, time, schema, severity);
  }

  metric({ name, measurements, parent, metadata, timestamp }) {
    const group = measurements.map(({ kind, value_type, ...one }) => ({
      ...one,
      kind: this.#relay.MetricKind[inCapitals(kind)],
      valueType: this.#relay.MetricValueType[inCapitals(value_type)],
    }));
    for (const one of group) for (const key of Object.keys(one)) one[key] ??= NONE;
    this.#relay.metric(name, group, parent ?? NONE, metadata ?? NONE, timestamp ?? NONE);
  }
}

// What is not handed over, where an argument follows that is.
const NONE = undefined;

// Attribute → its bit in the number that the package takes, which names none of them.
const ATTRIBUTES = { parallel: 1, relocatable: 2, stateful: 1, streaming: 2, remote: 1 };

// Kind of what is started → its attributes, in alphabetical order.
const NAMES = { scope: ["parallel", "relocatable"], llm: ["stateful", "streaming"], tool: ["remote"] };

function named(bits, kind) {
  return NAMES[kind].filter((name) => bits & ATTRIBUTES[name]);
}

/** Return what comes before the metadata in most functions: the parent, the attributes, a call's data. */
function lead(step) {
  return [step.parent ?? NONE, bits(step), step.data ?? NONE];
}

function bits({ attributes }) {
  return attributes.length === 0 ? NONE : attributes.reduce((sum, name) => sum | ATTRIBUTES[name], 0);
}

function capitalised(word) {
  return word[0].toUpperCase() + word.slice(1);
}

/** Return a name as the package's enumerations have it: `up_down_counter` as `UpDownCounter`. */
function inCapitals(name) {
  return name.split("_").map(capitalised).join("");
}

function connect(folder) {
  return located(PACKAGE, folder, ({ require, version }) => {
    const part = (name) => require(`${PACKAGE}/${name}`);
    return new Actor(new Relay(require(PACKAGE), ...["typed", "plugin"].map(part), version));
  });
}

await serve("node", "1", () => connect(process.argv[2]));
