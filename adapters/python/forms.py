"""In which form of the package a managed call is made: with JSON or with values of types of the program's own, and by a
function that is awaited or not.

Enters: steps of calls, and functions that take and give JSON. Leaves: what the package gave, as JSON where it is a
value. Must not know what a scenario expects.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable
from collections.abc import Callable as Function
from contextlib import aclosing
from typing import Any

from bindproof_adapter import spelled

Json = Any
Answer = tuple[Function[[Any], Awaitable[Any]], Function[[Any], Any]]
"""A call's provider: to be awaited, and as a function that answers at once."""

CODECS = {
    "plain": None,
    "at_once": None,
    "passed": "JsonPassthrough",
    "model": "PydanticCodec",
    "any": "BestEffortAnyCodec",
}
"""Form → the codec of the package's module `typed`, or None for its calls that take JSON."""

AT_ONCE = {"at_once": "plain", "any": "passed"}
"""Form whose provider is not awaited → the form of a call whose provider has to wait."""


class Value:
    """A value of a type of the program's own, as models of Pydantic are: it says what it is as JSON."""

    def __init__(self, value: Json) -> None:
        self._value = value

    def model_dump(self, *, mode: str = "python") -> Json:
        """Return the value as JSON, in every mode."""
        return self._value

    @classmethod
    def model_validate(cls, data: Json) -> Value:
        """Return a value of any JSON."""
        return cls(data)


class Forms:
    """The package's forms of a managed call. It goes by what a step says in which of them it is made."""

    def __init__(self, relay: Any) -> None:
        self._relay, self._typed = relay, relay.typed

    async def llm(self, step: Json, request: Any, answer: Answer, options: Json) -> Json:
        """Make an LLM's call, and return its response."""
        form = form_of(step)
        provider = _as_typed(form, answer, lambda given: given, lambda value: typed(form, value))
        if CODECS[form] is None:
            return await self._relay.llm.execute(step["name"], request, provider, **options)
        codec = self._codec(form)
        return plain(form, await self._typed.llm_execute(step["name"], request, provider, codec, **options))

    async def stream(
        self,
        step: Json,
        request: Any,
        source: Function[[Any], AsyncGenerator[Json, None]],
        collect: Function[[Json], None],
        finish: Function[[], Json],
        options: Json,
    ) -> Any:
        """Make a stream's call, and return the package's stream of chunks, which are JSON in each form."""
        form = "plain" if _acts_before_its_stream(step["provider"]) else form_of(step)
        if CODECS[form] is None:
            return await self._relay.llm.stream_execute(step["name"], request, source, collect, finish, **options)

        async def typed_source(given: Any) -> AsyncIterator[Any]:
            async with aclosing(source(given)) as chunks:
                async for chunk in chunks:
                    yield typed(form, chunk)

        return await self._typed.llm_stream_execute(
            step["name"],
            request,
            typed_source,
            lambda chunk: collect(plain(form, chunk)),
            lambda: typed(form, finish()),
            self._codec(form),
            self._codec(form),
            **options,
        )

    async def tool(self, step: Json, answer: Answer, options: Json) -> Any:
        """Make a tool's call, and return its result as the package gives it."""
        form, name, args = form_of(step), step["name"], step["args"]

        def typed_result(result: Any) -> Any:
            return self._result(form, result, typed)

        provider = _as_typed(form, answer, lambda given: plain(form, given), typed_result)
        if CODECS[form] is None:
            return await self._relay.tools.execute(name, args, provider, **options)
        # From 0.11 on the codec for anything takes the result out of what says that it is a tool's: no value is that.
        codec, args = self._codec("passed" if form == "any" else form), typed(form, args)
        found = await self._typed.tool_execute(name, args, provider, codec, codec, **options)
        return self._result(form, found, plain)

    def _codec(self, form: str) -> Any:
        made_by = getattr(self._typed, str(CODECS[form]))
        return made_by(Value) if form == "model" else made_by()

    def _result(self, form: str, result: Any, as_other: Function[[str, Any], Any]) -> Any:
        """Return a tool's result with another value: an object from 0.8 on, and before that the value itself."""
        made_by = getattr(self._relay, "ToolExecutionResult", None)
        if made_by is None:
            return as_other(form, result)
        if form != "model" or not isinstance(result, made_by):
            return result  # no other value: the very object that the program made
        return made_by(as_other(form, result.result), result.annotation)


def form_of(step: Json) -> str:
    """Return in which form a call is made: the same whenever it is acted out, and each for some of them.

    One that hands over what JSON lacks, or is replied it by its own callbacks, is made of that alone: some codecs make
    JSON of anything.
    """
    said = [step.get(key) for key in ("as", "name", "request", "args", "data", "metadata", "provider")]
    if spelled([said, step.get("finalizer")]) != [said, step.get("finalizer")]:
        return "plain"
    form = list(CODECS)[sum(json.dumps(said).encode()) % len(CODECS)]
    waits = step.get("background") or any(op["op"] == "wait" for op in step["provider"])
    return AT_ONCE.get(form, form) if waits else form


def typed(form: str, value: Json) -> Any:
    """Return a value as the codec of this form takes it."""
    return Value(value) if form == "model" else value


def plain(form: str, value: Any) -> Json:
    """Return as JSON what the codec of this form made."""
    return value.model_dump() if form == "model" else value


def _as_typed(form: str, answer: Answer, given_as: Function[[Any], Any], taken_as: Function[[Any], Any]) -> Any:
    """Return the provider of a call of this form."""
    awaited, at_once = answer
    if form in AT_ONCE:
        return lambda given: taken_as(at_once(given_as(given)))

    async def provider(given: Any) -> Any:
        return taken_as(await awaited(given_as(given)))

    return provider


def _acts_before_its_stream(provider: list[Json]) -> bool:
    """Return whether it acts before its first chunk: typed providers are generators, which do nothing until then."""
    return bool(provider) and provider[0]["op"] not in ("yield", "hang")
