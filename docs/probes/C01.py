"""The helper of request intercepts: what it gives inside an event loop, and outside of one (C01, C02)."""

import asyncio
import inspect

import nemo_relay as relay


async def main():
    given = relay.llm.request_intercepts("gpt", relay.LLMRequest({}, {}))
    waited = inspect.isawaitable(given)
    print("in a loop: awaitable" if waited else "in a loop: a value")
    print(f"it gives {type(await given if waited else given).__name__}")


print(f"outside: {type(relay.llm.request_intercepts('gpt', relay.LLMRequest({}, {}))).__name__}")
asyncio.run(main())
