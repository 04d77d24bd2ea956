"""A subscriber that raises: the call goes on, and others are told."""

import asyncio

import nemo_relay as relay

told = []


def fail(event):
    raise ValueError("boom")


async def provider(request):
    return {"ok": True}


async def main():
    relay.subscribers.register("bad", fail)
    relay.subscribers.register("good", told.append)
    print(f"the call gives {await relay.llm.execute('gpt', relay.LLMRequest({}, {}), provider)}")
    await asyncio.to_thread(relay.subscribers.flush)
    print(f"the other one is told {len(told)} events")


asyncio.run(main())
