"""Marks below `next` calls that overlap (F24, F28): how many of 20 rounds told them in the order of the calls."""

import asyncio

import nemo_relay as relay

told = []


async def tool(arguments):
    return relay.ToolExecutionResult({}) if hasattr(relay, "ToolExecutionResult") else {}


async def several(*given):
    await asyncio.gather(*[given[-1]({"number": number}) for number in range(5)])
    return relay.ToolExecutionInterceptOutcome({})


async def one(*given):
    number = (given[0].args if hasattr(given[0], "args") else given[1])["number"]
    await asyncio.sleep((5 - number) * 0.003)
    return relay.ToolExecutionInterceptOutcome({}, [relay.PendingMarkSpec(str(number))])


async def main():
    relay.subscribers.register("s", lambda event: told.append(event.name))
    relay.intercepts.register_tool_execution("x", 1, several)
    relay.intercepts.register_tool_execution("y", 2, one)
    rounds = []
    for _ in range(20):
        told.clear()
        await relay.tools.execute("t", {}, tool)
        await asyncio.to_thread(relay.subscribers.flush)
        rounds.append("".join(name for name in told if name.isdigit()))
    print(f"in order in {rounds.count('01234')} of 20 rounds; orders: {', '.join(sorted(set(rounds)))}")


asyncio.run(main())
