// The two pipes to the harness, kept from everybody else in the process.

import { closeSync, openSync, writeSync } from "node:fs";

const LINE_FEED = 0x0a;

/** Takes stdout for the protocol; from then on fd 1 is stderr for all other code, native code too. */
export class Channel {
  #output = takeStdout();

  /** Yield every line of stdin as bytes, ended by a line feed alone, until the harness closes the pipe. */
  async *lines() {
    let begun = [];
    for await (const chunk of process.stdin) {
      let from = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
        const rest = chunk.subarray(from, end);
        yield begun.length > 0 ? Buffer.concat([...begun, rest]) : rest;
        begun = [];
        from = end + 1;
      }
      if (from < chunk.length) begun.push(chunk.subarray(from));
    }
  }

  /** Write one line, whole, at once. */
  write(line) {
    const bytes = Buffer.from(`${line}\n`, "utf8");
    for (let sent = 0; sent < bytes.length; ) sent += writeSome(this.#output, bytes, sent);
  }
}

// Node has no dup2: a new descriptor for the pipe is opened by name, then fd 1, being the lowest free one, is reused for
// stderr. Where the system does not allow that, fd 1 stays the channel and only JavaScript's console moves away.
function takeStdout() {
  globalThis.console = new console.Console(process.stderr, process.stderr);
  let output;
  try {
    output = openSync("/dev/fd/1", "a");
  } catch {
    process.stdout.write = process.stderr.write.bind(process.stderr);
    return 1;
  }
  closeSync(1);
  openSync("/dev/fd/2", "a");
  return output;
}

function writeSome(fd, bytes, from) {
  try {
    return writeSync(fd, bytes, from);
  } catch (error) {
    if (error.code === "EAGAIN") return 0;
    throw error;
  }
}
