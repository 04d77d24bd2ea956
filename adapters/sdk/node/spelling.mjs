// Values that JSON lacks, in the one spelling that all SDKs share; ../cases/README.md has the table.

const WORDS = new Set(["$none", "$float", "$integer", "$utf16", "$function", "$object"]);
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Return what the log says of a value; a member that is undefined is told as such. */
export function spelled(value) {
  switch (typeof value) {
    case "undefined":
      return { $none: true };
    case "number":
      return Number.isFinite(value) ? value : { $float: String(value) };
    case "bigint":
      return isSafe(value) ? Number(value) : { $integer: String(value) };
    case "string":
      return LONE.test(value)
        ? { $utf16: Array.from({ length: value.length }, (_, at) => value.charCodeAt(at)) }
        : value;
    case "function":
      return { $function: true };
    case "boolean":
      return value;
    case "symbol":
      throw new TypeError("there is no spelling of a symbol");
  }
  if (value === null) return null;
  if (Array.isArray(value)) return Array.from(value, spelled); // a hole is undefined
  const told = Object.entries(value).map(([name, item]) => [name, spelled(item)]);
  const object = Object.fromEntries(told);
  return told.length === 1 && WORDS.has(told[0][0]) ? { $object: object } : object;
}

/**
 * Return the value that a spelling means; an integer past 2^53 is a BigInt.
 * Throws RangeError for one that means nothing.
 */
export function meant(value) {
  if (Array.isArray(value)) return value.map(meant);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value);
  if (members.length === 1 && WORDS.has(members[0][0])) return meantBy(...members[0]);
  return Object.fromEntries(members.map(([name, item]) => [name, meant(item)]));
}

function meantBy(word, told) {
  if (word === "$none" && told === true) return undefined;
  if (word === "$float" && ["NaN", "Infinity", "-Infinity"].includes(told)) return Number(told);
  if (word === "$integer" && typeof told === "string" && /^-?\d+$/.test(told)) return BigInt(told);
  if (word === "$utf16" && Array.isArray(told)) return told.map((unit) => String.fromCharCode(unit)).join("");
  if (word === "$function" && told === true) return () => undefined;
  if (word === "$object" && typeof told === "object" && told !== null && !Array.isArray(told)) {
    return Object.fromEntries(Object.entries(told).map(([name, item]) => [name, meant(item)]));
  }
  throw new RangeError(`${word} of ${JSON.stringify(told)} means nothing`);
}

function isSafe(integer) {
  return integer >= BigInt(Number.MIN_SAFE_INTEGER) && integer <= BigInt(Number.MAX_SAFE_INTEGER);
}
