"""Content with 1.0 in place of 1, beside a codec: Python takes it for changed, and refuses the outcome."""

import asyncio

import nemo_relay as relay


class Codec:
    def decode(self, request):
        return relay.AnnotatedLLMRequest(messages=[])

    def encode(self, annotated, original):
        return original


def rewrite(name, request, annotated):
    content = {**request.content, "k": 1.0}
    return relay.LLMRequestInterceptOutcome(relay.LLMRequest(request.headers, content), annotated)


async def provider(request):
    return {}


async def main():
    relay.intercepts.register_llm_request("i", 0, False, rewrite)
    for given in (1.0, 1):
        try:
            await relay.llm.execute("gpt", relay.LLMRequest({}, {"messages": [], "k": given}), provider, codec=Codec())
            print(f"{given} became 1.0: taken")
        except Exception as error:
            print(f"{given} became 1.0: {error}")


asyncio.run(main())
