"""A subscriber that is a coroutine function is told nothing, and nothing says so."""

import asyncio

import nemo_relay as relay

told = []


async def subscriber(event):
    told.append(event)


async def provider(request):
    return {}


async def main():
    relay.subscribers.register("s", subscriber)
    await relay.llm.execute("gpt", relay.LLMRequest({}, {}), provider)
    await asyncio.to_thread(relay.subscribers.flush)
    print(f"told {len(told)} events")


asyncio.run(main())
