"""Whether a request's sanitizer is done before the provider starts: always until 0.7, either way from 0.8 on."""

import asyncio
import time

import nemo_relay as relay


def sanitize(request, *context):
    time.sleep(0.2)
    print("sanitized")
    return request


async def provider(request):
    print("the provider runs")
    return {}


async def main():
    relay.subscribers.register("s", lambda event: None)
    relay.guardrails.register_llm_sanitize_request("q", 0, sanitize)
    await relay.llm.execute("gpt", relay.LLMRequest({}, {}), provider)
    await asyncio.to_thread(relay.subscribers.flush)


asyncio.run(main())
