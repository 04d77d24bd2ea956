"""`next` of a tool's intercept that has answered: it runs the tool until 0.6, and is refused from 0.7 on."""

import asyncio

import nemo_relay as relay

kept = []


async def tool(arguments):
    print(f"the tool runs with {arguments}")
    return relay.ToolExecutionResult({}) if hasattr(relay, "ToolExecutionResult") else {}


async def keep(*given):
    kept.append(given[-1])
    return relay.ToolExecutionInterceptOutcome({})


async def main():
    relay.intercepts.register_tool_execution("x", 0, keep)
    await relay.tools.execute("t", {"early": 1}, tool)
    try:
        await kept[0]({"late": 1})
        print("taken")
    except Exception as error:
        print(f"refused: {error}")


asyncio.run(main())
