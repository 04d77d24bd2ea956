// One pair of a host, the npm package nemo-relay-node, and a native plugin: loads the plugin, makes one call, and prints
// the errors of each, and the marks that were told. Usage: node native_pair.mjs FOLDER RELEASE LIBRARY: the folder that
// has the package, the release whose line the manifest names, and the library.

import { counted, hosting, Library, observed } from "../../adapters/sdk/node/relay/plugins/index.mjs";

const [folder, admitted, library] = process.argv.slice(2);

/** Return an error's text without what differs from run to run. */
function plain(error, host) {
  return error.message.replaceAll(host.folder, "FOLDER").replaceAll(/\s+/g, " ").trim();
}

await hosting(folder, ({ relay, plugin }) => {
  return observed({ relay, plugin, version: admitted }, new Library(library), [], async ({ recorder, host }) => {
    const found = { load: null, call: null };
    await host.start().catch((error) => {
      found.load = plain(error, host);
    });
    const [[, { marks }]] = await counted(relay, [{ as: "gpt" }], recorder);
    const [{ error }] = recorder.log;
    if (error) found.call = plain(error, host);
    console.log(JSON.stringify({ ...found, marks: marks.map(({ name }) => name) }));
  });
});
