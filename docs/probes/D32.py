"""On which thread a subscriber is told, and whether it was told before a flush."""

import asyncio
import threading

import nemo_relay as relay

threads = []


async def provider(request):
    return {}


async def main():
    relay.subscribers.register("s", lambda event: threads.append(threading.get_ident()))
    await relay.llm.execute("gpt", relay.LLMRequest({}, {}), provider)
    await asyncio.to_thread(relay.subscribers.flush)
    print(f"told {len(threads)} times, of these {threads.count(threading.get_ident())} on the caller's thread")


asyncio.run(main())
