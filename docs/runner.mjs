// Judges answers to the questions of an export: ADAPTER < FOLDER/asked/0.9/node.jsonl | node runner.mjs FOLDER 0.9 node
// It tells of each run whether it conforms, and ends with 0 only where all do. What it cannot judge is `unjudged`.
import { readFileSync } from "node:fs"
import { isDeepStrictEqual } from "node:util"
const [folder, edition, dialect] = process.argv.slice(2)
const read = (name) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8"))
const index = read("index.json"), kinds = index.dialects[dialect].kinds[edition]
const runs = index.vectors.flatMap(({ file }) => read(file).runs)
  .filter((run) => run.settings.includes(`${edition}/${dialect}`)) // the question with id 1 is for the first of them
const fraction = (time) => BigInt((time.match(/\.\d{3}(\d+)/)?.[1] ?? "").padEnd(6, "0")) // what Date.parse leaves out
const tried = (ask) => { try { return ask() } catch { return false } } // what has another form than expected diverges
function allows({ lanes, callbacks, records, open, after }, raised, log) {
  const laneOf = (one) => one.subscriber ?? callbacks[one.callback] ?? lanes[0]
  const refused = log.flatMap((one) => one.fact === "refused" && one.error.message || [])
  const foreign = [...refused.map((text) => [text, "\ufffb"]), ...raised.map((text) => [text, "\ufffc"])]
  const known = new Map()
  const is = (name, value) => known.set(name, known.get(name) ?? value).get(name) === value
  const rules = {
    any: () => true,
    has: (seen, members) => isDeepStrictEqual({ ...seen, ...members }, seen),
    text: (seen, text) => seen.includes(text),
    error: (seen, { kind, text }) => seen.includes(text) &&
      new RegExp(kinds[kind]).test(foreign.reduce((words, [own, mark]) => words.replaceAll(own, mark), seen)),
    ids: (seen, { pattern, names }) => seen.replaceAll("-", "").match(pattern).slice(1)
      .every((id, at) => is(`id of ${names[at]}`, id) && is(`name of ${id}`, names[at])),
    time: (seen, { name, of, least, most }) => {
      const time = BigInt(Date.parse(seen)) * 1000000n + fraction(seen), passed = time - (known.get(of) ?? 0n)
      return is(name, time) && passed >= BigInt(least) && passed <= BigInt(most ?? passed)
    },
  }
  const order = lanes.flatMap((lane) => log.filter((one) => laneOf(one) === lane)), seen = structuredClone(order)
  return log.length === order.length && open.every(({ at, key, rule, says }) => {
    const holder = at.reduce((one, step) => one[step], seen), value = holder[key]
    holder[key] = null
    return value !== undefined && rules[rule](value, says)
  }) && isDeepStrictEqual(seen, records) &&
    after.every(([later, earlier]) => log.indexOf(order[later]) > log.indexOf(order[earlier]))
}
function judge({ name, plain, raised }, { result, fault }) {
  const log = result?.observation?.log, title = fault ? `${name} with ${fault}` : name
  if (!log || !plain) return [log ? "unjudged" : "unanswered", title]
  return [plain.some((one) => tried(() => allows(one, raised, log))) ? "conforms" : "diverges", title]
}
const answers = readFileSync(0, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line))
const told = runs.flatMap((run, at) => {
  const of = answers.filter(({ id }) => id === at + 1)
  return (of.length ? of : [{}]).map((answer) => judge(run, answer))
})
for (const one of told) console.log(...one)
process.exitCode = told.length && told.every(([verdict]) => verdict === "conforms") ? 0 : 1
