// Drives the toy in Node: acts scenarios out and says what it saw. It judges nothing.
// Usage: node adapter.mjs FOLDER; the binding is taken from FOLDER and from nowhere else.

const { AdapterFault, serve, Unsupported } = await import(`${process.env.BINDPROOF_SDK}/node/index.mjs`);
const { Actor } = await import(`${process.env.BINDPROOF_SDK}/node/relay/index.mjs`);

class Toy {
  #toy;

  constructor(toy) {
    this.#toy = toy;
  }

  // Which release is driven, how it spells, and which edition of the contract it is meant to keep.
  describe() {
    const { version } = this.#toy;
    const target = { name: "starling", version, language: "javascript", runtime: `Node ${process.version}` };
    return { target, suites: { relay: { dialect: "wire", edition: "0.11" } } };
  }

  freshScope() {} // the toy has no scopes

  async flush() {} // and no events

  registered(only = null) {
    const names = only === null || only === "llm.request" ? this.#toy.registered() : [];
    return names.map((name) => ({ family: "llm.request", name, effective: name }));
  }

  register({ name, family, scope, priority, break_chain }, callback) {
    if (family !== "llm.request" || scope) throw new Unsupported(family, "this family is not built yet");
    const intercept = (name, request) => {
      const given = { name, request, annotated_request: null };
      return callback.play(given, () => ({ request, annotated_request: null, pending_marks: [] })).request;
    };
    this.#toy.register(name, priority, break_chain, intercept);
    return () => this.#toy.deregister(name);
  }

  async callLlm({ name, request, codec }, provider, decode) {
    if (decode || codec !== "none") throw new Unsupported("codec", "codecs are not built yet");
    return this.#toy.call(name, request, (given) => provider.play({ request: given }, () => ({ ok: true })));
  }

  async helper({ kind }) {
    throw new Unsupported(`helper ${kind}`, "this helper is not built yet");
  }
}

// Without its binding an adapter refuses to start.
async function connect() {
  try {
    return new Actor(new Toy(await import(`${process.argv[2]}/toy.mjs`)));
  } catch (error) {
    throw new AdapterFault(`the toy cannot be loaded: ${error.message}`);
  }
}

await serve("starling", "1", connect);
