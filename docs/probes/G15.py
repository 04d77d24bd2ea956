"""Request intercepts of several priorities: the lowest first, and those of one priority by their names."""

import asyncio

import nemo_relay as relay

order = []


def noting(name):
    def intercept(tool, args):
        order.append(name)
        return args

    return intercept


async def add(args):
    return relay.ToolExecutionResult(3) if hasattr(relay, "ToolExecutionResult") else 3


async def main():
    for name, priority in (("late", 10), ("b", 0), ("a", 0), ("early", -5)):
        relay.intercepts.register_tool_request(name, priority, False, noting(name))
    await relay.tools.execute("add", {}, add)
    print(f"registered as late (10), b (0), a (0), early (-5), they ran as {', '.join(order)}")


asyncio.run(main())
