"""What an execution intercept is given, of plain calls (F19) and of streams (F20): a context from 0.10 on."""

import asyncio

import nemo_relay as relay


async def provider(request):
    return {}


async def source(request):
    yield {}


async def intercept(*given):
    print(f"  given {', '.join(type(one).__name__ for one in given)}")
    return await given[-1](next(one for one in given if isinstance(one, relay.LLMRequest)))


async def main():
    relay.intercepts.register_llm_execution("x", 0, intercept)
    relay.intercepts.register_llm_stream_execution("y", 0, intercept)
    print("a plain call")
    await relay.llm.execute("gpt", relay.LLMRequest({}, {}), provider)
    print("a stream")
    stream = await relay.llm.stream_execute("gpt", relay.LLMRequest({}, {}), source, lambda chunk: None, dict)
    async for _ in stream:
        pass


asyncio.run(main())
