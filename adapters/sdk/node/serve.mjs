// The adapter's side of protocol 1: JSON-RPC 2.0, a message a line, one scenario at a time, in order.

import { Channel } from "./channel.mjs";
import { Inexpressible, Stop, Unsupported } from "./signals.mjs";

const PROTOCOL_VERSION = 1;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const ADAPTER_FAULT = -32000;

/**
 * Answer the harness until it says `shutdown` or closes the pipe, then end the process.
 * name, version: the adapter's own. connect: called at `initialize`, may return a promise of the target
 * {describe(), run(suite, scenario)}; what it throws is sent as error -32000.
 */
export async function serve(name, version, connect) {
  const channel = new Channel();
  const session = new Session(name, version, connect);
  for await (const line of channel.lines()) {
    channel.write(await session.answer(line));
    if (session.over) break;
  }
  process.exit(0);
}

/** One conversation: a line in, a line out. */
export class Session {
  #adapter;
  #connect;
  #target = null;
  over = false;

  constructor(name, version, connect) {
    this.#adapter = { name, version };
    this.#connect = connect;
  }

  /** Return the reply to one line. */
  async answer(line) {
    let id = null;
    try {
      const message = messageOf(line);
      id = message.id;
      return JSON.stringify({ jsonrpc: "2.0", id, result: await this.#result(message) });
    } catch (error) {
      if (!(error instanceof RequestError || error instanceof Stop)) console.error(error);
      const text = error instanceof RequestError || error instanceof Stop ? error.message : String(error);
      return JSON.stringify({ jsonrpc: "2.0", id, error: { code: error?.rpcCode ?? ADAPTER_FAULT, message: text } });
    }
  }

  #result({ method, params = {} }) {
    if (method === "initialize") return this.#initialize(params);
    if (method === "run") return this.#run(params);
    if (method !== "shutdown") throw new RequestError(METHOD_NOT_FOUND, `unknown method '${method}'`);
    this.over = true;
    return {};
  }

  async #initialize({ protocol_versions: offered = [] }) {
    if (!offered.includes(PROTOCOL_VERSION)) {
      throw new RequestError(
        ADAPTER_FAULT,
        `this adapter speaks protocol ${PROTOCOL_VERSION}, the harness [${offered}]`,
      );
    }
    this.#target = await this.#connect();
    return { protocol_version: PROTOCOL_VERSION, adapter: this.#adapter, ...this.#target.describe() };
  }

  async #run({ suite, scenario }) {
    if (!this.#target) throw new RequestError(INVALID_REQUEST, "`run` before a successful `initialize`");
    if (typeof suite !== "string" || typeof scenario !== "object" || scenario === null) {
      throw new RequestError(INVALID_PARAMS, "`run` takes a suite's name and a scenario");
    }
    try {
      return { observation: await this.#target.run(suite, scenario) };
    } catch (stop) {
      if (stop instanceof Unsupported) {
        return { unsupported: { capability: stop.capability, reason: stop.reason } };
      }
      if (stop instanceof Inexpressible) return { inexpressible: { path: stop.path, reason: stop.reason } };
      throw stop;
    }
  }
}

class RequestError extends Error {
  constructor(rpcCode, message) {
    super(message);
    this.rpcCode = rpcCode;
  }
}

function messageOf(line) {
  let message;
  try {
    message = JSON.parse(line.toString("utf8"));
  } catch (error) {
    throw new RequestError(PARSE_ERROR, `not JSON: ${error.message}`);
  }
  if (!Number.isInteger(message?.id) || typeof message.method !== "string") {
    throw new RequestError(INVALID_REQUEST, "not a JSON-RPC request with an integer id");
  }
  return message;
}
