// A cell's program as source text for the host, and the tools that it calls.

const quoted = JSON.stringify;

const STATEMENTS = {
  text: ({ text }) => `text(${quoted(text)});`,
  image: ({ url, detail }) => `image(${quoted(url)}${detail === null ? "" : `, ${quoted(detail)}`});`,
  call: ({ name, input }) => `text(await tools.${name}({ text: ${quoted(input)} }));`,
  latch: ({ name }) => `await tools.${name}({});`,
  leave: ({ name }) => `tools.${name}({});`,
  notify: ({ name }) => `notify(${quoted(name)});`,
  store: ({ key, value }) => `store(${quoted(key)}, ${quoted(value)});`,
  load: ({ key }) => `text(load(${quoted(key)}) ?? "(absent)");`,
  yield: () => "yield_control();",
  throw: ({ message }) => `throw new Error(${quoted(message)});`,
  busy: () => "while (true) {}",
};

const TOOLS = ["call", "latch", "leave"];

/** Return the source of a program. */
export function source(program) {
  return program.map((statement) => STATEMENTS[statement.do](statement)).join("\n");
}

/** Return the tools that a program calls, as the host is told of them. */
export function tools(program) {
  const called = program.filter((statement) => TOOLS.includes(statement.do));
  return called.map(({ name }) => ({
    name,
    tool_name: { name, namespace: null },
    description: name,
    kind: "function",
    input_schema: null,
    output_schema: null,
  }));
}
