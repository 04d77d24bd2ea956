// Programs of one scenario that begin at the same moment, as promises, each on a scope stack of its own.

import { Inexpressible, Unsupported } from "../signals.mjs";

/** Act the programs of a step until all are over; `act` promises that one of their steps is done. */
export async function storm(binding, { on, programs }, act) {
  if (on === "threads") throw new Inexpressible("threads", "a program of the language runs on one thread");
  if (!binding.inOwnScope) throw new Unsupported("storm", "programs that run at once are not built yet");
  let begin;
  const begun = new Promise((resolve) => {
    begin = resolve;
  });
  const program = async (steps) => {
    await begun;
    for (const step of steps) await act(step);
  };
  const all = programs.map((steps) => binding.inOwnScope(() => program(steps)));
  begin();
  const failed = (await Promise.allSettled(all)).find(({ status }) => status === "rejected");
  if (failed) throw failed.reason;
  return null;
}
