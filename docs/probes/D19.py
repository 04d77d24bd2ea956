"""A request intercept that fails before a stream: the call fails where it is opened, and no event is told."""

import asyncio

import nemo_relay as relay

told = []


def fail(name, request, annotated):
    raise ValueError("boom")


async def source(request):
    yield {"i": 0}


async def main():
    relay.subscribers.register("s", told.append)
    relay.intercepts.register_llm_request("i", 0, False, fail)
    try:
        await relay.llm.stream_execute("gpt", relay.LLMRequest({}, {}), source, lambda chunk: None, dict)
        print("opened")
    except Exception as error:
        print(f"not opened: {error}")
    await asyncio.to_thread(relay.subscribers.flush)
    print(f"events: {len(told)}")


asyncio.run(main())
