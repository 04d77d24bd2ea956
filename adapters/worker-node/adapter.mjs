// Drives a host of workers, the npm package nemo-relay-node, with the worker of the adapter worker-raw, which answers
// with any bytes. Here the program is: the host's managed calls, and what is counted of each. Usage: node adapter.mjs
// FOLDER PACKAGES WORKER PYTHON: the folder that has the package, that of the worker's packages, the worker's program,
// and what runs it.

import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Inexpressible, located, serve, Unsupported } from "../sdk/node/index.mjs";
import { Recorder } from "../sdk/node/relay/index.mjs";
import { Host } from "./host.mjs";

const PACKAGE = "nemo-relay-node";
const TARGET = "nemo-relay-node/worker";
const REQUEST = { headers: {}, content: { messages: [] } };

// What is measured of a mark.
const MARK = ["name", "category", "category_profile", "data"];

class Calls {
  #command;
  #plugin;
  #relay;
  #version;

  constructor(relay, plugin, version, command) {
    this.#relay = relay;
    this.#plugin = plugin;
    this.#version = version;
    this.#command = command;
  }

  /** Say which host is driven. */
  describe() {
    const runtime = `Node ${process.version}`;
    const target = { name: TARGET, version: this.#version, language: "node", runtime };
    return { target, suites: { relay: { dialect: "worker-raw", capabilities: [] } } };
  }

  /** Act a scenario of steps `worker` out. */
  async run(_suite, { steps }) {
    steps.forEach(requireCall);
    const strays = [];
    const [recorder, host] = [new Recorder(strays), new Host(this.#plugin, this.#version, this.#command)];
    const answers = Object.fromEntries(steps.map((step) => [step.as, step]));
    writeFileSync(join(host.folder, "answers.json"), JSON.stringify(answers));
    const told = [];
    try {
      this.#relay.setThreadScopeStack(this.#relay.createScopeStack());
      await host.start();
      this.#relay.registerSubscriber("bindproof", (event) => told.push(event));
      const counted = [];
      for (const { as: name } of steps) counted.push([name, await this.#call(name, recorder, told)]);
      const [asked, cancelled] = ["asked", "cancelled"].map((note) => host.lines(note));
      const times = (names, name) => names.filter((one) => one === name).length;
      for (const [name, facts] of counted) {
        recorder.measure(name, { asked: times(asked, name), cancelled: times(cancelled, name), ...facts });
      }
    } finally {
      recorder.settle();
      this.#relay.deregisterSubscriber("bindproof");
      await host.stop();
      host.remove();
    }
    return { log: recorder.log, left: [], stray: strays };
  }

  /** Make the call of a step, and record it; return what is counted of it. told: the events that come meanwhile. */
  async #call(name, recorder, told) {
    const sent = [];
    const provider = async (request) => {
      sent.push(request.content);
      return { ok: true };
    };
    try {
      recorder.done(name, await this.#relay.llmCallExecuteAsync(name, REQUEST, provider));
    } catch (error) {
      recorder.failed(name, error);
    }
    await this.#relay.flushSubscribers();
    const events = told.splice(0);
    const marks = events.filter(({ kind }) => kind === "mark").map((event) => picked(event));
    return { sent, events: events.map((event) => event.scope_category ?? event.kind), marks };
  }
}

function picked(event) {
  return Object.fromEntries(MARK.map((name) => [name, event[name] ?? null]));
}

function requireCall({ step, how }) {
  if (step !== "worker") {
    throw new Inexpressible("program", "a worker is asked in its host's calls, and has no program of its own");
  }
  if (how === "never") throw new Unsupported("cancel", "a call of the package cannot be cancelled");
}

function connect([folder, packages, worker, python]) {
  process.env.XDG_CONFIG_HOME = tmpdir(); // no host reads what its user configured
  const command = [python, "-S", worker, packages, dirname(worker)];
  return located(PACKAGE, folder, ({ require, version }) => {
    return new Calls(require(PACKAGE), require(`${PACKAGE}/plugin`), version, command);
  });
}

await serve("worker-node", "1", () => connect(process.argv.slice(2)));
