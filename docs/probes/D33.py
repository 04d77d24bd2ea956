"""How far ahead of its reader a stream is read: nobody reads, and the source counts what is taken from it."""

import asyncio

import nemo_relay as relay


async def main():
    for size in (3, 32, 33, 3000):
        taken = []

        async def source(request, size=size, taken=taken):
            for number in range(size):
                taken.append(number)
                yield {"i": number}

        stream = await relay.llm.stream_execute("gpt", relay.LLMRequest({}, {}), source, lambda chunk: None, dict)
        await asyncio.sleep(0.2)
        ahead = len(taken)
        read = [chunk async for chunk in stream]
        print(f"of {size} chunks {ahead} were taken before any was read; then {len(read)} were read")


asyncio.run(main())
