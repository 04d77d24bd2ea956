"""A call inside an inner scope whose handle is an outer one: whether the inner scope's intercepts run."""

import asyncio

import nemo_relay as relay


async def provider(request):
    return {}


def intercept(name, request, annotated):
    print("the inner scope's intercept runs")
    return relay.LLMRequestInterceptOutcome(request, annotated)


async def main():
    agent = relay.ScopeType.Agent
    with relay.scope.scope("outer", agent) as outer, relay.scope.scope("inner", agent) as inner:
        relay.scope_local.register_llm_request(inner, "i", 0, False, intercept)
        await relay.llm.execute("gpt", relay.LLMRequest({}, {}), provider, handle=outer)
        print("the call is over")


asyncio.run(main())
