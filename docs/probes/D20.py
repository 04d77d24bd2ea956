"""A chunk that is no JSON ends its stream: how, and what the reader is told."""

import asyncio

import nemo_relay as relay


async def source(request):
    yield {"i": 0}
    yield object()


async def main():
    relay.subscribers.register("s", lambda event: print(f"event: {event.to_json()[:60]}…"))
    stream = await relay.llm.stream_execute("gpt", relay.LLMRequest({}, {}), source, lambda chunk: None, dict)
    try:
        async for chunk in stream:
            print(f"read {chunk}")
        print("the stream ended")
    except Exception as error:
        print(f"the stream failed: {error}")
    await asyncio.to_thread(relay.subscribers.flush)


asyncio.run(main())
