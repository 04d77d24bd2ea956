// Drives a host of native plugins, the npm package nemo-relay-node, with the library of the adapter `native`, which
// answers with any bytes. Usage: node adapter.mjs FOLDER LIBRARY: the folder that has the package, and the library.

import { Inexpressible, serve } from "../sdk/node/index.mjs";
import { counted, described, hosting, Library, observed, times } from "../sdk/node/relay/plugins/index.mjs";

class Calls {
  #binding;
  #library;

  constructor(binding, library) {
    this.#binding = binding;
    this.#library = library;
  }

  /** Say which host is driven. */
  describe() {
    return described("native", "native", this.#binding.version);
  }

  /** Act a scenario of steps `load` and `native` out. */
  async run(_suite, { steps }) {
    if (!steps.every(({ step }) => step === "load" || step === "native")) {
      throw new Inexpressible("program", "a native plugin is asked in its host's calls, and has no own program");
    }
    const load = steps[0].step === "load" ? steps[0] : undefined;
    const calls = steps.filter((step) => step !== load);
    return observed(this.#binding, new Library(this.#library, load), steps, async ({ recorder, host }) => {
      await loaded(host, load, recorder);
      const found = await counted(this.#binding.relay, calls, recorder);
      await host.stop();
      if (load) recorder.measure(load.as, { freed: host.lines("freed").length });
      const asked = host.lines("asked");
      for (const [name, facts] of found) recorder.measure(name, { asked: times(asked, name), ...facts });
    });
  }
}

/** Load the plugin; where no step does, it is there or the adapter is at fault. */
async function loaded(host, load, recorder) {
  if (!load) {
    await host.start();
    return;
  }
  try {
    await host.start();
    recorder.done(load.as, null);
  } catch (error) {
    recorder.failed(load.as, error);
  }
}

const [folder, library] = process.argv.slice(2);

await serve("native-node", "1", () => hosting(folder, (binding) => new Calls(binding, library)));
