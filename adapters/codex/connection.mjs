// One connection, frame by frame, to a host of its own.

import { framed, Host, head } from "./host.mjs";

const LARGEST = 64 * 1024 * 1024;

const request = ({ id, session }) => ({
  type: "operation/request",
  id,
  request: { method: "session/open", sessionId: session },
});
const OPEN = request({ id: 1, session: "s" });

const BROKEN = {
  short_head: () => Buffer.from([5, 0]),
  short_body: () => Buffer.concat([head(5), Buffer.from("ab")]),
  oversized: () => Buffer.concat([head(LARGEST + 1), Buffer.from("ab")]),
  empty: () => head(0),
  not_json: () => Buffer.concat([head(5), Buffer.from("{nope")]),
  unknown_field: () => framed({ ...OPEN, planted: 1 }),
  unknown_member: () => framed({ ...OPEN, request: { ...OPEN.request, planted: 1 } }),
  unknown_type: () => framed({ type: "planted" }),
  unknown_method: () => framed({ ...OPEN, request: { method: "planted" } }),
};

const FRAMES = {
  hello: ({ versions, required, optional }) =>
    framed({
      type: "connection/hello",
      supportedVersions: versions,
      requiredCapabilities: required,
      optionalCapabilities: optional,
    }),
  request: (frame) => framed(request(frame)),
  stray: ({ about, id }) => framed({ type: `operation/${about}`, id }),
  broken: ({ how }) => BROKEN[how](),
};

/** Which frames are answered, or end the host. */
const ANSWERED = ["hello", "request"];

/** Send the frames, close the pipe, and return the log. */
export async function connection(program, frames) {
  const log = [];
  let heard = () => {};
  const host = new Host(program, (message) => {
    log.push({ fact: "got", reply: reply(message) });
    heard();
  });
  for (const frame of frames) {
    const answered = new Promise((resolve) => {
      heard = resolve;
    });
    host.write(FRAMES[frame.frame](frame));
    if (ANSWERED.includes(frame.frame)) await Promise.race([answered, host.ended]);
  }
  host.close();
  log.push({ fact: "ended", exit: await host.ended });
  return log;
}

function reply(message) {
  if (message.type === "connection/ready") return { type: "ready", version: message.selectedVersion };
  if (message.type === "connection/rejected") return { type: "rejected", reason: message.reason.type };
  if (message.type === "operation/response" && message.result.value?.type === "session/ready") {
    return { type: "opened", id: message.id };
  }
  return message;
}
