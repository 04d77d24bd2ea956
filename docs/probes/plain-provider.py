"""A provider, and an execution intercept, that are plain functions and no coroutine functions."""

import asyncio

import nemo_relay as relay


def provider(request):
    return {"from": "a plain provider"}


def intercept(*given):
    return {"from": "a plain intercept"}


async def main():
    print(await relay.llm.execute("gpt", relay.LLMRequest({}, {}), provider))
    relay.intercepts.register_llm_execution("x", 0, intercept)
    print(await relay.llm.execute("gpt", relay.LLMRequest({}, {}), provider))


asyncio.run(main())
