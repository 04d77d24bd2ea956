// Drives a host of workers, the npm package nemo-relay-node, with the worker of the adapter worker-raw, which answers
// with any bytes. Usage: node adapter.mjs FOLDER PACKAGES WORKER PYTHON: the folder that has the package, that of the
// worker's packages, the worker's program, and what runs it.

import { dirname } from "node:path";
import { Inexpressible, serve, Unsupported } from "../sdk/node/index.mjs";
import { counted, described, hosting, Launch, observed, times } from "../sdk/node/relay/plugins/index.mjs";

class Calls {
  #binding;
  #command;

  constructor(binding, command) {
    this.#binding = binding;
    this.#command = command;
  }

  /** Say which host is driven. */
  describe() {
    return described("worker", "worker-raw", this.#binding.version);
  }

  /** Act a scenario of steps `worker` out. */
  async run(_suite, { steps }) {
    steps.forEach(requireCall);
    return observed(this.#binding, new Launch(this.#command), steps, async ({ recorder, host }) => {
      await host.start();
      const found = await counted(this.#binding.relay, steps, recorder);
      const [asked, cancelled] = ["asked", "cancelled"].map((note) => host.lines(note));
      for (const [name, facts] of found) {
        recorder.measure(name, { asked: times(asked, name), cancelled: times(cancelled, name), ...facts });
      }
    });
  }
}

function requireCall({ step, how }) {
  if (step !== "worker") {
    throw new Inexpressible("program", "a worker is asked in its host's calls, and has no program of its own");
  }
  if (how === "never") throw new Unsupported("cancel", "a call of the package cannot be cancelled");
}

const [folder, packages, worker, python] = process.argv.slice(2);

await serve("worker-node", "1", () => {
  return hosting(folder, (binding) => new Calls(binding, [python, "-S", worker, packages, dirname(worker)]));
});
