// Imported before a Node adapter: puts `direct_serve.mjs` in the place of the SDK's `serve`.

import { register } from "node:module";

register("./direct_hooks.mjs", import.meta.url);
