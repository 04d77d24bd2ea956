// Drives the npm package nemo-relay-node through its public API. Objects pass through untouched: spelling is the
// harness's matter. Usage: node adapter.mjs [FOLDER]; the package is taken from FOLDER's node_modules and from nowhere
// else; without FOLDER, from where Node would find it for the current folder.

import { Inexpressible, located, serve, Unsupported } from "../sdk/node/index.mjs";
import { Actor } from "../sdk/node/relay/index.mjs";
import { answering, builtIn, decode, encode, namesOf, orNothing, scripted } from "./codecs.mjs";
import { familyOf, kindOf, register, registerInPlugin, resultOf } from "./families.mjs";
import { install, nameOf } from "./plugins.mjs";

const PACKAGE = "nemo-relay-node";

// What a step captures → the package's function.
const CAPTURING = {
  usual: "capturePropagationContext",
  rootless: "captureRootlessPropagationContext",
  rooted: "capturePropagationContextWithRoot",
  traceparent: "captureTraceparent",
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
    const stack = this.#relay.createScopeStack();
    if (stack) this.#relay.setThreadScopeStack(stack);
    return Boolean(stack);
  }

  async inOwnScope(program) {
    let [entered, running] = [0, null];
    const answer = this.#relay.withScopeStack(this.#relay.createScopeStack(), () => {
      entered += 1;
      running ??= program();
      return running;
    });
    await running;
    if (entered !== 1 || !(answer instanceof Promise))
      throw new Error("withScopeStack promises no one run of its callback");
    await answer;
  }

  context() {
    const around = this.#relay.currentScopeStack();
    if (!this.freshScope() || !this.#relay.scopeStackActive())
      throw new Error("a new scope stack is none, or not active");
    return () => this.#relay.setThreadScopeStack(around);
  }

  capture({ what, root }) {
    const capture = this.#relay[CAPTURING[what]];
    const captured = root === null ? capture() : capture(root.uuid);
    return typeof captured === "string" ? captured : JSON.parse(this.#relay.propagationContextToJson(captured));
  }

  received(captured) {
    const around = this.#relay.currentScopeStack();
    const context = this.#relay.propagationContextFromJson(JSON.stringify(captured));
    this.#relay.setThreadScopeStack(this.#relay.createScopeStackFromPropagation(context));
    return () => this.#relay.setThreadScopeStack(around);
  }

  // A listing that answers nothing lists nothing: a step that asks for it shows that.
  registered(family = null) {
    const kinds = family === null ? NONE : [kindOf(family)];
    const listed = this.#relay.listRuntimeRegistrations(kinds) ?? [];
    return listed.map(entryOf);
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

  install(plugins, setUp) {
    const put = (context) => (step, callback) => registerInPlugin(context, step, callback);
    return install(this.#plugin, plugins, (name, context) => setUp(name, put(context)));
  }

  callLlm(step, provider, decode, encode) {
    const natural = () => ({ ok: true });
    const form = formOf(step);
    const answer = (request) =>
      form === "plain" ? provider.play({ request }, natural) : provider.answer({ request }, natural);
    const codec = decode ? scripted(decode, encode) : answering(builtIn(this.#relay, step.codec));
    const reading = builtIn(this.#relay, step.response_codec);
    if (form === "typed") {
      const passed = new this.#typed.JsonPassthrough();
      const options = { ...optionsOf(step), modelName: step.model ?? NONE, codec, responseCodec: reading };
      return this.#typed.typedLlmExecute(step.name, step.request, answer, passed, options);
    }
    const call = form === "plain" ? this.#relay.llmCallExecute : this.#relay.llmCallExecuteAsync;
    return call(
      step.name,
      step.request,
      answer,
      ...lead(step),
      step.metadata ?? NONE,
      step.model ?? NONE,
      codec && ((request) => codec.decode(request)),
      codec && (({ annotated, original }) => codec.encode(annotated, original)),
      reading && ((given) => orNothing(() => reading.decodeResponse(given)) ?? null),
    );
  }

  codecs() {
    return namesOf(this.#relay);
  }

  decode(step) {
    return decode(this.#relay, step);
  }

  encode(step) {
    return encode(this.#relay, step);
  }

  async openStream(step, { source, collector, finalizer }, decode, encode) {
    const ops = [...step.provider, ...step.collector, ...step.finalizer];
    const failing = ops.some(({ op }) => op === "raise" || op === "each"); // a collector does nothing else
    if (failing) throw new Unsupported("stream.fail", "what throws in a stream's own callbacks ends the process");
    const codecs = {
      codec: decode ? scripted(decode, encode) : builtIn(this.#relay, step.codec),
      responseCodec: builtIn(this.#relay, step.response_codec),
    };
    const passed = new this.#typed.JsonPassthrough();
    const stream = await this.#typed.typedLlmStreamExecute(
      step.name,
      step.request,
      (request) => source.open({ request }),
      (chunk) => collector.take(chunk),
      () => finalizer.finish(),
      passed,
      passed,
      { ...optionsOf(step), modelName: step.model ?? NONE, ...codecs },
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
    const natural = () => ({ result: { ok: true }, annotation: null });
    const form = formOf(step);
    const answer = (args) => (form === "plain" ? provider.play({ args }, natural) : provider.answer({ args }, natural));
    const id = step.tool_call_id ?? NONE;
    if (form === "typed") {
      const passed = new this.#typed.JsonPassthrough();
      const options = { ...optionsOf(step), toolCallId: id };
      return resultOf(await this.#typed.typedToolExecute(step.name, step.args, answer, passed, passed, options));
    }
    const call = form === "plain" ? this.#relay.toolCallExecute : this.#relay.toolCallExecuteAsync;
    return resultOf(await call(step.name, step.args, answer, ...lead(step), step.metadata ?? NONE, id));
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
      return relay.pushScope(step.name, typeOf(relay, step), ...lead(step), metadata, step.input ?? NONE, time);
    }
    if (step.kind === "llm") {
      return relay.llmCall(step.name, step.request, ...lead(step), metadata, step.model ?? NONE, time);
    }
    return relay.toolCall(step.name, step.args, ...lead(step), metadata, step.tool_call_id ?? NONE, time);
  }

  // A block: its callback goes on until it is left, and its value is what the package has to promise.
  block(step, endsAt) {
    if (step.timestamp !== null || endsAt !== null) {
      throw new Inexpressible("block.timestamp", "withScope takes no times");
    }
    const relay = this.#relay;
    return new Promise((begun, failed) => {
      let [entered, left] = [0, null];
      const inside = (handle) => {
        entered += 1;
        left ??= new Promise((resolve, reject) => {
          begun({ handle, leave: (error) => leave(error === null ? () => resolve(step.name) : () => reject(error)) });
        });
        return left;
      };
      const leave = async (goOn) => {
        goOn();
        const value = await over;
        if (entered !== 1 || value !== step.name) throw new Error("withScope promises no one run of its callback");
      };
      const [type, metadata, input] = [typeOf(relay, step), step.metadata ?? NONE, step.input ?? NONE];
      const over = relay.withScope(step.name, type, inside, ...lead(step), metadata, input);
      over.catch(failed);
    });
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

/** Return an item of the package's listing as the SDK has it. */
function entryOf({ kind, localName, effectiveName, owner }) {
  const entry = { family: familyOf(kind), name: localName, effective: effectiveName };
  if (owner.kind !== "plugin") return entry;
  return { ...entry, plugin: nameOf(owner.pluginKind), number: owner.componentOrdinal ?? undefined };
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

// The package's forms of a managed call: one whose callback answers at once, one whose callback may promise its answer,
// and one that makes values of its own types.
const FORMS = ["async", "plain", "typed"];

/** Return in which form a call is made. It goes by what the step says, so it is the same whenever the step is acted. */
function formOf({ as, name, request, args, data, metadata, background, provider }) {
  if (background || provider.some(({ op }) => op === "wait")) return "async";
  const said = JSON.stringify([as, name, request ?? args, data, metadata, provider]);
  return FORMS[[...said].reduce((sum, letter) => sum + letter.codePointAt(0), 0) % FORMS.length];
}

/** Return the options of a typed call. */
function optionsOf(step) {
  const [handle, attributes, data] = lead(step);
  return { handle, attributes, data, metadata: step.metadata ?? NONE };
}

function typeOf(relay, { type }) {
  return relay.ScopeType[capitalised(type)];
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
