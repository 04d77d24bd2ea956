"""Sanitizers of LLM calls run where nobody is told too."""

import asyncio

import nemo_relay as relay


def sanitize(words):
    def run(value, *context):
        print(f"{words} is sanitized")
        return value

    return run


async def provider(request):
    return {}


async def main():
    relay.guardrails.register_llm_sanitize_request("q", 0, sanitize("the request"))
    relay.guardrails.register_llm_sanitize_response("r", 0, sanitize("the response"))
    await relay.llm.execute("gpt", relay.LLMRequest({}, {}), provider)
    await asyncio.to_thread(relay.subscribers.flush)


asyncio.run(main())
