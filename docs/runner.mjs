// Judges a binding by an export of bindproof: node runner.mjs FOLDER EDITION DIALECT PREFIX [ADAPTER …]
// Without an adapter it judges the logs that must fail. What it has no words for, it says, and does not judge.
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { isDeepStrictEqual } from "node:util"

const [folder, edition, dialect, prefix, ...adapter] = process.argv.slice(2)
const read = (name) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8"))
const index = read("index.json"), count = {}
const patterns = index.dialects[dialect].errors.filter((one) => one.editions.includes(edition))
const laneOf = (one) => one.subscriber ?? (/\.(sanitize|inject)$/.test(one.callback) ? "publication" : "program")
const nanoseconds = (text) => BigInt(Date.parse(text.replace(/\.\d+/, ""))) * 1000000n +
  BigInt((/\.(\d+)/.exec(text)?.[1] ?? "").padEnd(9, "0"))
function kind(message, raised, refused) {
  if (refused.some((text) => text && message.includes(text))) return "outcome_malformed"
  const words = raised.reduce((text, own) => text.replaceAll(own, "\ufffc"), message)
  const found = patterns.find((one) => new RegExp(one.pattern).test(words))
  return found?.kind ?? (words === message ? "unknown" : "callback_raised")
}
function allows(run, log) {
  const ids = new Map(), names = new Map(), times = new Map(), refused = []
  const both = (map, key, value) => map.set(key, map.get(key) ?? value).get(key) === value
  const matchers = {
    $any: () => true,
    $literal: isDeepStrictEqual,
    $one_of: (options, seen) => options.some((option) => match(option, seen)),
    $contains: (some, seen) => Object.entries(some).every(([key, one]) => key in seen && match(one, seen[key])),
    $text: (text, seen) => typeof seen === "string" && seen.includes(text),
    $id: (name, id) => typeof id === "string" && both(ids, name, id) && both(names, id, name),
    $trace: ({ trace, span }, seen) => {
      const [, whole, part] = /^00-(.{32})-(.{16})-0[01]$/.exec(seen) ?? []
      const uuid = whole?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
      return matchers.$id(trace, uuid) && (span !== trace || whole.endsWith(part))
    },
    $time: ({ as, of, at, equal, at_least = 0 }, seen) => {
      const now = nanoseconds(seen), then = of === undefined ? 0n : times.get(of)
      return (as === undefined || both(times, as, now)) && (at !== undefined ? now === BigInt(at) * 1000n :
        then === undefined || (equal === undefined ? now >= then + BigInt(at_least) : now === then + BigInt(equal)))
    },
  }
  const match = (wanted, seen) => {
    if (!wanted || typeof wanted !== "object") return wanted === seen
    const [name, ...more] = Object.keys(wanted)
    if (!more.length && name?.startsWith("$")) return matchers[name](wanted[name], seen)
    return !!seen && typeof seen === "object" && Array.isArray(wanted) === Array.isArray(seen) &&
      Object.keys(seen).length === Object.keys(wanted).length &&
      Object.keys(wanted).every((key) => Object.hasOwn(seen, key) && match(wanted[key], seen[key]))
  }
  const places = Object.fromEntries(Object.keys(run.lanes).map((name) => [name, []]))
  log.forEach((one, at) => {
    if (one.fact === "refused") refused.push(one.error.message)
    else if (one.error) one.error.kind = kind(one.error.message, run.raised, refused)
    ;(places[laneOf(one)] ??= []).push(at)
  })
  return Object.entries(places).every(([name, at]) => at.length === run.lanes[name]?.length &&
    at.every((place, number) => match(run.lanes[name][number], log[place]))) &&
    run.after.every(([one, here, other, there]) => places[one][here] > places[other][there])
}
function judge(run, log, title) {
  let said = "unanswered"
  try {
    if (log) said = allows(run, log) ? "conforms" : "diverges"
  } catch {
    said = "unjudged"
  }
  count[said] = (count[said] ?? 0) + 1
  console.log(said, title)
}
const runs = index.vectors.filter((id) => id.startsWith(prefix)).flatMap((id) =>
  read(`vectors/${id.slice(id.indexOf("/") + 1)}.json`).runs.map((run) => ({ id, ...run })))
  .filter((run) => run.settings.includes(`${edition}/${dialect}`))
if (!adapter.length) {
  for (const one of read(`must-fail/${edition}/${dialect}.json`)) {
    const run = runs.find((run) => run.id === one.vector && run.of === "vector")
    if (run) judge(run, one.log, `${one.fault} (${one.breaks})`)
  }
} else {
  const started = spawn(adapter[0], adapter.slice(1), { stdio: ["pipe", "pipe", "ignore"] })
  const lines = createInterface({ input: started.stdout })[Symbol.asyncIterator]()
  let id = 0
  const ask = async (method, params) => {
    started.stdin.write(JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params }) + "\n")
    return JSON.parse((await lines.next()).value).result
  }
  await ask("initialize", { protocol_versions: [1], harness: { name: "runner.mjs", version: "1" } })
  for (const run of runs) {
    const result = await ask("run", { suite: index.suite, scenario: run.scenario })
    judge(run, result?.observation?.log, run.of === "twin" ? `${run.id}+twin` : run.id)
  }
  await ask("shutdown", {})
  started.stdin.end()
}
console.log(JSON.stringify(count))
process.exitCode = count.diverges ? 1 : 0
