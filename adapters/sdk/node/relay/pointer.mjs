// JSON pointers (RFC 6901) on plain values: find, put, cut, extend.

/** The pointer names nothing that the operation could work on; the message says what is missing. */
export class PlaceError extends Error {}

/** Return the value at `pointer`; throw PlaceError where there is none. */
export function find(document, pointer) {
  return tokens(pointer).reduce((value, token) => value[key(value, token)], document);
}

/** Set `pointer` to `value` and return the document; the parent must exist, and a list only takes an index it has. */
export function put(document, pointer, value) {
  if (pointer === "") return value;
  const [parent, token] = parentOf(document, pointer);
  define(parent, Array.isArray(parent) ? key(parent, token) : member(parent, token), value);
  return document;
}

/** Remove the existing member at `pointer`. */
export function cut(document, pointer) {
  if (pointer === "") throw new PlaceError("the whole document cannot be removed");
  const [parent, token] = parentOf(document, pointer);
  const found = key(parent, token);
  if (Array.isArray(parent)) parent.splice(found, 1);
  else delete parent[found];
}

/** Append `values` to the existing list at `pointer`. */
export function extend(document, pointer, values) {
  const place = find(document, pointer);
  if (!Array.isArray(place)) throw new PlaceError("there is no list there");
  for (const value of values) place.push(value);
}

function parentOf(document, pointer) {
  return [find(document, pointer.slice(0, pointer.lastIndexOf("/"))), tokens(pointer).at(-1)];
}

function tokens(pointer) {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) throw new PlaceError("a pointer is empty or begins with /");
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function key(parent, token) {
  if (!Array.isArray(parent)) {
    if (!hasMember(parent, token)) throw new PlaceError(`there is no member '${token}'`);
    return token;
  }
  if (!/^(0|[1-9][0-9]*)$/.test(token) || Number(token) >= parent.length) {
    throw new PlaceError(`a list of ${parent.length} has no index '${token}'`);
  }
  return Number(token);
}

function hasMember(parent, token) {
  member(parent, token);
  return Object.hasOwn(parent, token);
}

function member(parent, token) {
  if (typeof parent !== "object" || parent === null) {
    throw new PlaceError(`${parent === null ? "null" : typeof parent} has no member '${token}'`);
  }
  return token;
}

// Not an assignment: a member called __proto__ is data like any other.
function define(parent, name, value) {
  Object.defineProperty(parent, name, { value, writable: true, enumerable: true, configurable: true });
}
