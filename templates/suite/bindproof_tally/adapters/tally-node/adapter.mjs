// Drives the counter in Node: acts scenarios out and says what it saw. It judges nothing.
// Usage: node adapter.mjs FOLDER; the binding is taken from FOLDER and from nowhere else.

const { AdapterFault, serve } = await import(`${process.env.BINDPROOF_SDK}/node/index.mjs`);

class Counters {
  #binding;

  constructor(binding) {
    this.#binding = binding;
  }

  describe() {
    const { version } = this.#binding;
    const target = { name: "counter-node", version, language: "javascript", runtime: `Node ${process.version}` };
    return { target, suites: { tally: { dialect: "wire" } } };
  }

  run(_suite, scenario) {
    const counter = new this.#binding.Counter();
    const calls = { add: (number) => counter.add(number), take: (number) => counter.take(number) };
    const totals = scenario.steps.map(({ step, number }) => calls[step](number));
    return { log: totals.map((total, index) => ({ fact: "done", step: index, total })) };
  }
}

async function connect() {
  try {
    return new Counters(await import(`${process.argv[2]}/counter.mjs`));
  } catch (error) {
    throw new AdapterFault(`the counter cannot be loaded: ${error.message}`);
  }
}

await serve("tally-node", "1", connect);
