"""The forms in which the adapter of Python makes a managed call: each takes JSON and gives JSON."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from bindproof.core.paths import adapters_root
from tests.loose import module_at

Json = Any


forms: Any = module_at(adapters_root() / "python" / "forms.py")
FORMS = list(forms.CODECS)


class Codec:
    """A codec of the package: what it made of JSON it knows again, and it takes nothing else."""

    def __init__(self, made_by: Any = None) -> None:
        self.made_by = made_by

    def from_json(self, value: Json) -> Any:
        return value if self.made_by is None else self.made_by.model_validate(value)

    def to_json(self, value: Any) -> Json:
        return value if self.made_by is None else value.model_dump(mode="json")


class Package:
    """A package that notes by which of its functions a call was made, and whether its provider was awaited."""

    def __init__(self) -> None:
        self.made: list[tuple[str, bool]] = []
        codecs = {"JsonPassthrough": Codec, "PydanticCodec": Codec, "BestEffortAnyCodec": Codec}
        self.llm = SimpleNamespace(execute=self._plain, stream_execute=self._plain_stream)
        self.tools = SimpleNamespace(execute=self._plain)
        self.typed = SimpleNamespace(
            llm_execute=self._typed_llm, llm_stream_execute=self._typed_stream, tool_execute=self._typed_tool, **codecs
        )

    async def _done(self, name: str, given: Any, provider: Any) -> Any:
        answer = provider(given)
        self.made.append((name, inspect.isawaitable(answer)))
        return await answer if inspect.isawaitable(answer) else answer

    async def _plain(self, _: str, given: Json, provider: Any) -> Json:
        return await self._done("plain", given, provider)

    async def _typed_llm(self, _: str, request: Json, provider: Any, codec: Codec) -> Any:
        return codec.from_json(codec.to_json(await self._done("typed", request, provider)))

    async def _typed_tool(self, _: str, args: Any, provider: Any, of_args: Codec, of_result: Codec) -> Any:
        given = of_args.from_json(of_args.to_json(args))
        return of_result.from_json(of_result.to_json(await self._done("typed", given, provider)))

    async def _plain_stream(self, _: str, request: Json, source: Any, collect: Any, finish: Any) -> list[Json]:
        self.made.append(("plain", True))
        chunks = [chunk async for chunk in source(request)]
        return [*[collect(chunk) for chunk in chunks], *chunks, finish()]

    async def _typed_stream(
        self, _: str, request: Json, source: Any, collect: Any, finish: Any, of_chunk: Codec, of_answer: Codec
    ) -> list[Json]:
        self.made.append(("typed", True))
        chunks = [of_chunk.to_json(chunk) async for chunk in source(request)]
        return [*[collect(of_chunk.from_json(chunk)) for chunk in chunks], *chunks, of_answer.to_json(finish())]


def _step(number: int, **members: Json) -> Json:
    return {"as": f"c{number}", "name": "t", "args": {"n": None}, "provider": [], "background": False, **members}


def _in_form(form: str) -> Json:
    return next(step for step in map(_step, range(len(FORMS))) if forms.form_of(step) == form)


def test_as_many_calls_as_there_are_forms_whose_ids_follow_each_other_are_made_in_each() -> None:
    assert {forms.form_of(_step(number)) for number in range(len(FORMS))} == set(FORMS)


@pytest.mark.parametrize("waiting", [{"background": True}, {"provider": [{"op": "wait", "latch": "l"}]}])
def test_a_provider_that_has_to_wait_is_awaited(waiting: Json) -> None:
    made = {forms.form_of(_step(number, **waiting)) for number in range(len(FORMS))}
    assert made == set(FORMS) - set(forms.AT_ONCE)


@pytest.mark.parametrize("lacking", [float("nan"), 2**64, print])
def test_what_json_lacks_is_handed_over_as_it_is(lacking: Json) -> None:
    made = {forms.form_of(_step(number, data={"n": [lacking]})) for number in range(len(FORMS))}
    assert made == {"plain"}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", ["llm", "tool"])
def test_a_call_gives_its_provider_json_and_takes_json(kind: str, form: str) -> None:
    package = Package()
    given: list[Json] = []

    def at_once(value: Json) -> Json:
        given.append(value)
        return {"ok": [value]}

    async def awaited(value: Json) -> Json:
        return at_once(value)

    step, answer = _in_form(form), (awaited, at_once)
    made = forms.Forms(package)
    call = made.tool(step, answer, {}) if kind == "tool" else made.llm(step, {"n": None}, answer, {})
    assert asyncio.run(call) == {"ok": [{"n": None}]}
    assert given == [{"n": None}]
    assert package.made == [("typed" if forms.CODECS[form] else "plain", form not in forms.AT_ONCE)]


@pytest.mark.parametrize("form", FORMS)
def test_a_stream_has_chunks_of_json(form: str) -> None:
    package = Package()
    collected: list[Json] = []

    async def source(request: Json) -> AsyncIterator[Json]:
        yield request
        yield None

    async def call() -> Any:
        return await forms.Forms(package).stream(
            _in_form(form), {"n": 1}, source, collected.append, lambda: {"done": True}, {}
        )

    assert asyncio.run(call()) == [None, None, {"n": 1}, None, {"done": True}]
    assert collected == [{"n": 1}, None]
    assert package.made == [("typed" if forms.CODECS[form] else "plain", True)]


def test_what_a_stream_does_before_its_first_chunk_is_done_at_once() -> None:
    package = Package()
    raising = [_step(number, provider=[{"op": "raise", "text": "boom!"}]) for number in range(len(FORMS))]

    def source(request: Json) -> AsyncIterator[Json]:
        raise RuntimeError("boom!")

    for step in raising:
        with pytest.raises(RuntimeError, match="boom!"):
            asyncio.run(forms.Forms(package).stream(step, {}, source, lambda _: None, lambda: None, {}))
    assert package.made == [("plain", True)] * len(FORMS)
