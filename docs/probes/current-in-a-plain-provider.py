"""What the current scope is in a provider that is awaited, and in one that answers at once, behind an intercept."""

import asyncio

import nemo_relay as relay


async def main(is_awaited):
    told = []

    def at_once(given):
        told.append(relay.scope.get_handle().name)
        return {"ok": True}

    async def awaited(given):
        return at_once(given)

    async def pass_on(*given):  # of another number in each release; the last one goes on
        return await given[-1](next(one for one in given if isinstance(one, relay.LLMRequest)))

    relay.intercepts.register_llm_execution("i", 1, pass_on)
    with relay.scope.scope("agent", relay.ScopeType.Agent):
        provider = awaited if is_awaited else at_once
        await relay.llm.execute("gpt", relay.LLMRequest({}, {"messages": []}), provider)
    relay.intercepts.deregister_llm_execution("i")
    return told[0]


for is_awaited in (True, False):
    current = asyncio.run(main(is_awaited))
    print(f"a provider that {'is awaited' if is_awaited else 'answers at once'}: the current scope is {current!r}")
