// Judges a binding by an export of bindproof: node runner.mjs FOLDER EDITION DIALECT PREFIX [ADAPTER …]
// Without an adapter it judges the logs that must fail. What it has no words for, it says, and does not judge.
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"

const [folder, edition, dialect, prefix, ...adapter] = process.argv.slice(2)
const read = (name) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8"))
const index = read("index.json")
const patterns = index.dialects[dialect].errors.filter((one) => one.editions.includes(edition))
const nanoseconds = (text) => BigInt(Date.parse(text.replace(/\.\d+/, ""))) * 1000000n +
  BigInt((/\.(\d+)/.exec(text)?.[1] ?? "").padEnd(9, "0"))
const kind = (error, raised, refused) => {
  if (refused.some((text) => text && error.message.includes(text))) return "outcome_malformed"
  const words = raised.reduce((text, own) => text.replaceAll(own, "\ufffc"), error.message)
  return patterns.find((one) => new RegExp(one.pattern).test(words))?.kind ??
    (words === error.message ? "unknown" : "callback_raised")
}
const lane = (record) => record.fact === "event" ? record.subscriber
  : /\.(sanitize|inject)$/.test(record.callback ?? "") ? "publication" : "program"

function allows(run, log) {
  const ids = new Map(), names = new Map(), times = new Map(), refused = []
  const bind = (name, id) => (ids.get(name) ?? id) === id && (names.get(id) ?? name) === name &&
    typeof id === "string" && (ids.set(name, id), names.set(id, name), true)
  const matchers = {
    $any: () => true,
    $literal: (wanted, seen) => equal(wanted, seen),
    $one_of: (options, seen) => options.some((option) => match(option, seen)),
    $contains: (some, seen) => Object.entries(some).every(([key, one]) => key in seen && match(one, seen[key])),
    $text: (text, seen) => typeof seen === "string" && seen.includes(text),
    $id: bind,
    $trace: ({ trace, span }, seen) => {
      const [, whole, part] = /^00-(.{32})-(.{16})-0[01]$/.exec(seen) ?? []
      const uuid = whole?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
      return bind(trace, uuid) && (span !== trace || whole.endsWith(part))
    },
    $time: ({ as, of, equal, at_least, at }, seen) => {
      const now = nanoseconds(seen), then = of === undefined ? 0n : times.get(of)
      if (as !== undefined && (times.get(as) ?? now) !== now) return false
      if (as !== undefined) times.set(as, now)
      if (at !== undefined) return now === BigInt(at) * 1000n
      return then === undefined ||
        (equal === undefined ? now >= then + BigInt(at_least ?? 0) : now === then + BigInt(equal))
    },
  }
  const equal = (a, b) => a === b || (a && b && typeof a === "object" && typeof b === "object" &&
    Array.isArray(a) === Array.isArray(b) && Object.keys(a).length === Object.keys(b).length &&
    Object.keys(a).every((key) => Object.hasOwn(b, key) && equal(a[key], b[key])))
  const match = (wanted, seen) => {
    if (!wanted || typeof wanted !== "object") return wanted === seen
    const [name, ...more] = Object.keys(wanted)
    if (name?.startsWith("$") && !more.length) {
      if (!matchers[name]) throw new Error(`no word for ${name}`)
      return matchers[name](wanted[name], seen)
    }
    return !!seen && typeof seen === "object" && Array.isArray(wanted) === Array.isArray(seen) &&
      Object.keys(seen).length === Object.keys(wanted).length &&
      Object.keys(wanted).every((key) => Object.hasOwn(seen, key) && match(wanted[key], seen[key]))
  }
  const places = Object.fromEntries(Object.keys(run.lanes).map((name) => [name, []]))
  log.forEach((record, at) => {
    if (record.fact === "refused") refused.push(record.error.message)
    if (record.error && record.fact !== "refused") record.error.kind = kind(record.error, run.raised, refused)
    ;(places[lane(record)] ??= []).push(at)
  })
  return Object.entries(places).every(([name, at]) => at.length === run.lanes[name]?.length &&
    at.every((place, number) => match(run.lanes[name][number], log[place]))) &&
    run.after.every(([one, here, other, there]) => places[one][here] > places[other][there])
}

const runs = index.vectors.filter((id) => id.startsWith(prefix)).flatMap((id) =>
  read(`vectors/${id.slice(id.indexOf("/") + 1)}.json`).runs
    .filter((run) => run.settings.includes(`${edition}/${dialect}`)).map((run) => ({ id, ...run })))
const count = {}
const tell = (what, id) => { count[what] = (count[what] ?? 0) + 1; console.log(`${what} ${id}`) }
const judge = (run, log, title) => {
  try {
    tell(allows(run, log) ? "conforms" : "diverges", title)
  } catch (error) {
    tell("unjudged", `${title}: ${error.message}`)
  }
}
if (!adapter.length) {
  for (const one of read(`must-fail/${edition}/${dialect}.json`)) {
    const run = runs.find((run) => run.id === one.vector && run.of === "vector")
    if (run) judge(run, one.log, `${one.fault} (${one.breaks})`)
  }
} else {
  const started = spawn(adapter[0], adapter.slice(1), { stdio: ["pipe", "pipe", "ignore"] })
  const lines = createInterface({ input: started.stdout })[Symbol.asyncIterator]()
  let asked = 0
  const ask = async (method, params) => {
    started.stdin.write(JSON.stringify({ jsonrpc: "2.0", id: ++asked, method, params }) + "\n")
    return JSON.parse((await lines.next()).value).result
  }
  await ask("initialize", { protocol_versions: [1], harness: { name: "runner.mjs", version: "1" } })
  for (const run of runs) {
    const { observation } = await ask("run", { suite: index.suite, scenario: run.scenario }) ?? {}
    const title = run.of === "twin" ? `${run.id}+twin` : run.id
    observation ? judge(run, observation.log, title) : tell("unanswered", title)
  }
  await ask("shutdown", {})
  started.stdin.end()
}
console.log(JSON.stringify(count))
process.exitCode = count.diverges ? 1 : 0
