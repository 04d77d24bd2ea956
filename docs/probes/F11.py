"""A tool, and an intercept of tools, that are plain functions and no coroutine functions."""

import asyncio

import nemo_relay as relay


def result():
    return relay.ToolExecutionResult({}) if hasattr(relay, "ToolExecutionResult") else {}


async def tool(arguments):
    return result()


def plain_tool(arguments):
    return result()


def plain_intercept(*given):
    return relay.ToolExecutionInterceptOutcome({})


async def attempt(words, call):
    try:
        await relay.tools.execute("t", {}, call)
        print(f"{words}: taken")
    except Exception as error:
        print(f"{words}: {error}")


async def main():
    await attempt("a plain tool", plain_tool)
    relay.intercepts.register_tool_execution("x", 0, plain_intercept)
    await attempt("a plain intercept", tool)


asyncio.run(main())
