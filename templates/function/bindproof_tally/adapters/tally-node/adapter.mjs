// Drives the function in Node: calls it and says what came out. It judges nothing.
// Usage: node adapter.mjs FOLDER; the binding is taken from FOLDER and from nowhere else.

const { AdapterFault, serve } = await import(`${process.env.BINDPROOF_SDK}/node/index.mjs`);

class Sums {
  #binding;

  constructor(binding) {
    this.#binding = binding;
  }

  describe() {
    const { version } = this.#binding;
    const target = { name: "sums-node", version, language: "javascript", runtime: `Node ${process.version}` };
    return { target, suites: { tally: { dialect: "node" } } };
  }

  run(_suite, scenario) {
    try {
      return { log: [{ fact: "result", value: this.#binding.addUp(scenario.text) }] };
    } catch (error) {
      return { log: [{ fact: "result", error: { type: error.name, message: error.message } }] };
    }
  }
}

async function connect() {
  try {
    return new Sums(await import(`${process.argv[2]}/sums.mjs`));
  } catch (error) {
    throw new AdapterFault(`the function cannot be loaded: ${error.message}`);
  }
}

await serve("tally-node", "1", connect);
