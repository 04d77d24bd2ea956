// A process of the host, and its pipe: each message is a length, four bytes with the least first, and JSON.

import { spawn } from "node:child_process";

const HEAD = 4;
const HELLO = { type: "connection/hello", supportedVersions: [1], requiredCapabilities: [], optionalCapabilities: [] };

/** Return the bytes of a message. */
export function framed(message) {
  const body = Buffer.from(JSON.stringify(message), "utf8");
  return Buffer.concat([head(body.length), body]);
}

/** Return the bytes of a length. */
export function head(length) {
  const bytes = Buffer.alloc(HEAD);
  bytes.writeUInt32LE(length);
  return bytes;
}

/** A host that ended takes its adapter with it: the scenario that it was at is lost, and no other. */
export function gone(status) {
  console.error(`the host ended with status ${status}`);
  process.exit(1);
}

export class Host {
  #process;
  #read = Buffer.alloc(0);
  #heard;

  /** heard: called with each message, in order. */
  constructor(program, heard) {
    this.#heard = heard;
    this.#process = spawn(program, [], { stdio: ["pipe", "pipe", "ignore"] });
    this.#process.stdin.on("error", () => {}); // a host that ended reads no more; its status says so
    this.#process.stdout.on("data", (bytes) => this.#take(bytes));
    /** Resolves to the status with which it ended, once all that it said was read. */
    this.ended = new Promise((resolve) => {
      this.#process.on("error", () => resolve(null));
      this.#process.on("close", (status) => resolve(status));
    });
  }

  /** Start a host and shake hands with it; messages after that are heard. */
  static async greeted(program, heard) {
    let ready;
    const answered = new Promise((resolve) => {
      ready = resolve;
    });
    let listening = false;
    const host = new Host(program, (message) => {
      if (listening) heard(message);
      listening = true;
      ready(message);
    });
    host.send(HELLO);
    const answer = await Promise.race([answered, host.ended.then((status) => ({ status }))]);
    if ("status" in answer) gone(answer.status);
    if (answer.type !== "connection/ready") throw new Error(`the host did not get ready: ${JSON.stringify(answer)}`);
    return host;
  }

  send(message) {
    this.write(framed(message));
  }

  write(bytes) {
    this.#process.stdin.write(bytes);
  }

  /** Close its pipe. */
  close() {
    this.#process.stdin.end();
  }

  /** End it now; return a promise of its end. */
  kill() {
    this.#process.kill("SIGKILL");
    return this.ended;
  }

  #take(bytes) {
    this.#read = Buffer.concat([this.#read, bytes]);
    while (this.#read.length >= HEAD) {
      const end = HEAD + this.#read.readUInt32LE();
      if (this.#read.length < end) return;
      const message = JSON.parse(this.#read.subarray(HEAD, end).toString("utf8"));
      this.#read = this.#read.subarray(end);
      this.#heard(message);
    }
  }
}
