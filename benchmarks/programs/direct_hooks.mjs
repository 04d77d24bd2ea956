// What `direct.mjs` hooks into the resolving of modules: Node 20 has no other way than hooks in a module of their own.

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  if (!found.url.endsWith("/sdk/node/serve.mjs")) return found;
  return { ...found, url: new URL("./direct_serve.mjs", import.meta.url).href };
}
