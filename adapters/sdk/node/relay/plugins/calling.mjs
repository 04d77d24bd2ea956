// Managed calls of a host whose only request intercept is a plugin's, and what is counted of each. What the plugin
// answers stands in `answers.json` of the host's folder, by the name of the call.

import { Recorder } from "../recorder.mjs";
import { Host } from "./host.mjs";

const REQUEST = { headers: {}, content: { messages: [] } };

// What is measured of a mark.
const MARK = ["name", "category", "category_profile", "data"];

// The subscriber that hears of the events.
const HEARD = "bindproof";

/**
 * Have a host of one plugin, and return what was observed of it.
 * binding: {relay, plugin, version}: the package, its part for plugins, its version. artifact: the plugin.
 * steps: each says what is answered, or how the plugin is loaded. act: called with {recorder, host}; the host is not started yet.
 */
export async function observed({ relay, plugin, version }, artifact, steps, act) {
  const strays = [];
  const [recorder, host] = [new Recorder(strays), new Host(plugin, version, artifact)];
  host.write("answers.json", JSON.stringify(Object.fromEntries(steps.map((step) => [step.as, step]))));
  try {
    relay.setThreadScopeStack(relay.createScopeStack());
    await act({ recorder, host });
  } finally {
    recorder.settle();
    relay.deregisterSubscriber(HEARD);
    await host.stop();
    host.remove();
  }
  return { log: recorder.log, left: [], stray: strays };
}

/** Make the call of each step, and record it; return its name and what is counted of each. */
export async function counted(relay, calls, recorder) {
  const told = [];
  relay.registerSubscriber(HEARD, (event) => told.push(event));
  const found = [];
  for (const { as: name } of calls) found.push([name, await call(relay, name, recorder, told)]);
  relay.deregisterSubscriber(HEARD);
  return found;
}

/** Return how often a name is among names. */
export function times(names, name) {
  return names.filter((one) => one === name).length;
}

async function call(relay, name, recorder, told) {
  const sent = [];
  const provider = async (request) => {
    sent.push(request.content);
    return { ok: true };
  };
  try {
    recorder.done(name, await relay.llmCallExecuteAsync(name, REQUEST, provider));
  } catch (error) {
    recorder.failed(name, error);
  }
  await relay.flushSubscribers();
  const events = told.splice(0); // what came since the call before
  const marks = events.filter(({ kind }) => kind === "mark").map((event) => picked(event));
  return { sent, events: events.map((event) => event.scope_category ?? event.kind), marks };
}

function picked(event) {
  return Object.fromEntries(MARK.map((name) => [name, event[name] ?? null]));
}
