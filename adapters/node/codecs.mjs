// Codecs: those that calls are given, and those that are asked, the package's own and what sanitizers get.

import { AdapterFault } from "../sdk/node/index.mjs";
import { decoded, encoded } from "../sdk/node/relay/index.mjs";

// Built-in codec → the package's class.
const CLASSES = {
  openai_chat: "OpenAIChatCodec",
  openai_responses: "OpenAIResponsesCodec",
  anthropic_messages: "AnthropicMessagesCodec",
  gemini_generate_content: "GeminiGenerateContentCodec",
  oci_genai: "OCIGenAIChatCodec",
};

// What the package handed to the sanitizer that runs now: its payload and its context.
let handed = null;

/** Return what `work` does, which is a sanitizer's, with what that was handed. */
export function sanitizing(payload, context, work) {
  const before = handed;
  handed = { payload, context };
  try {
    return work();
  } finally {
    handed = before;
  }
}

/** Return the names of the built-in codecs that the package has. */
export function namesOf(relay) {
  return Object.keys(CLASSES).filter((name) => relay[CLASSES[name]]);
}

/** Return a new built-in codec; undefined for a name that is none. */
export function builtIn(relay, name) {
  return CLASSES[name] ? new relay[CLASSES[name]]() : undefined;
}

/** Return what the codec of a step reads of a request or of a response; null where a sanitizer gets no codec. */
export function decode(relay, step) {
  const { codec, payload } = asked(relay, step);
  if (codec === null) return null;
  return step.side === "response" ? codec.decodeResponse(payload) : codec.decode(payload);
}

/** Return the request into which the codec of a step writes an annotation; null where a sanitizer gets no codec. */
export function encode(relay, step) {
  const { codec, payload } = asked(relay, step);
  return codec === null ? null : codec.encode(step.annotation, payload);
}

function asked(relay, { codec, payload }) {
  if (codec !== "own") return { codec: builtIn(relay, codec), payload };
  if (handed === null) throw new AdapterFault("a codec is asked as a sanitizer's own where no sanitizer runs");
  return { codec: handed.context.resolveCodec(), payload: handed.payload };
}

/** Return the codec whose two functions are scripted callbacks. */
export function scripted(decode, encode) {
  return {
    decode: (request) => decode.play({ request }, (given) => decoded(given.request)),
    encode: (annotated, original) => encode.play({ annotated, original }, () => encoded(annotated, original)),
  };
}

/** Return a built-in codec whose functions may be handed over: what they throw would end the process. */
export function answering(codec) {
  return (
    codec && {
      decode: (request) => orNothing(() => codec.decode(request)),
      encode: (annotated, original) => orNothing(() => codec.encode(annotated, original)),
    }
  );
}

/** Return what `work` does, and undefined where it throws. */
export function orNothing(work) {
  try {
    return work();
  } catch {
    return undefined;
  }
}
