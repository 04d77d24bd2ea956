"""The parts of generated scenarios of `relay`: values, requests, marks, codecs, replies of the wrong form.

Enters: a source of choices. Leaves: parts in canonical spelling. The first option of each choice is the simplest.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Choices

TEXTS = ("a", "", "ж✓", "two words", "\u2028\u0085", "x" * 64)
SCALARS = (None, True, False, 0, 1, -1, 2**53 - 1, 1.5, *TEXTS)
ODD_SCALARS = (
    0.1,
    -0.5,
    1e21,
    2.0**70,
    5e-324,
    1.7976931348623157e308,
    "\x00",
    "\x7f",
    "\U0001f600",
    "line\nbreak",
    'quote"',
    "back\\slash",
)
"""Values that some language is likely to have trouble with, of those that every language has.

What was found with values that are not here any more is kept in vectors, and told in docs/findings.md.
"""
KEYS = ("k", "l", "ж", "")
ODD_KEYS = ("constructor", "toJSON", "then", "length", "0", "a.b", "~/", "\U0001f600", "$ref")
CATEGORIES = (None, "llm", "tool", "custom", "agent", "weird")
HEADERS = ("h", "k", "tracestate", "TraceParent")
ODD_HEADERS = ("", "a\x00b", "H", "ж", "a b", "content-type", "traceparent", "x" * 300)

DECISIONS = ("marks", "marks", "header", "drop header", "content", "annotate", "omit")
"""What a request intercept decides; the last two are about the annotation."""

MALFORMED: tuple[Json, ...] = (
    {"op": "edit", "set": {"": None}},
    {"op": "edit", "set": {"": "text"}},
    {"op": "edit", "remove": ["/request"]},
    {"op": "edit", "set": {"/request": None}},
    {"op": "edit", "set": {"/request/headers": None}},
    {"op": "edit", "set": {"/pending_marks": None}},
    {"op": "edit", "set": {"/pending_marks": [{"category": "llm"}]}},
    {"op": "edit", "set": {"/pending_marks": [{"name": 3}]}},
    {"op": "edit", "set": {"/pending_marks": [{"name": "m", "uuid": "u"}]}},
    {"op": "edit", "set": {"/pending_marks": [{"name": "m", "category_profile": "text"}]}},
    {"op": "edit", "set": {"/pending_marks": ["m"]}},
    {"op": "edit", "set": {"/pending_marks": {}}},
    {"op": "edit", "set": {"/pending_marks": [None]}},
    {"op": "edit", "set": {"/pending_marks": [{"name": "m", "data_schema": {"name": "n"}}]}},
    {"op": "edit", "set": {"/pending_marks": [{"name": "m", "category": 1}]}},
    {"op": "edit", "set": {"/pending_marks": [{"name": "m", "severity": "loud"}]}},
    {"op": "edit", "set": {"": []}},
    {"op": "edit", "set": {"": 0}},
    {"op": "edit", "set": {"/request": {}}},
    {"op": "edit", "set": {"/request": {"content": None}}},
    {"op": "edit", "set": {"/request/headers": []}},
    {"op": "edit", "set": {"/annotated_request": "text"}},
    {"op": "edit", "set": {"/annotated_request": {"messages": 1}}},
    {"op": "edit", "set": {"/bogus": None}},
)
"""Edits after which a reply is no outcome, or has a member of the wrong form."""

MALFORMED_OR_UNDEFINED = (
    *MALFORMED,
    {"op": "edit", "set": {"/pending_marks": [{"name": "m", "data": {"$none": True}}]}},
)


OUTPUT: Json = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "ж"}]}
READ: tuple[tuple[str, Json], ...] = (
    ("openai_chat", {"id": "i", "choices": [{"message": {"content": "a"}, "finish_reason": "stop"}], "x-own": [1]}),
    ("openai_chat", {"model": "m", "choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 0}}),
    ("openai_chat", {"choices": {}}),
    ("anthropic_messages", {"stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 0}}),
    ("openai_responses", {"status": "completed", "output": [OUTPUT]}),
    ("openai_responses", "text"),
    ("anthropic_messages", {"content": [{"type": "text", "text": ""}], "stop_reason": "max_tokens"}),
    ("anthropic_messages", {"ok": None, "content": "a"}),
)
"""Response codecs and answers, of which they can read most."""

TURN: Json = {"role": "model", "parts": [{"text": "ж"}]}
READ_BY_GEMINI: tuple[tuple[str, Json], ...] = (
    ("gemini_generate_content", {"responseId": "i", "candidates": [{"content": TURN, "finishReason": "STOP"}]}),
    ("gemini_generate_content", {"usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 0}, "x-own": [1]}),
    ("gemini_generate_content", {"candidates": {}}),
    ("gemini_generate_content", None),
)
OCI_CHOICE: Json = {"message": {"content": [{"type": "TEXT", "text": "ж"}]}, "finishReason": "length"}
READ_BY_OCI: tuple[tuple[str, Json], ...] = (
    ("oci_genai", {"modelId": "m", "chatResponse": {"choices": [OCI_CHOICE]}, "x-own": 1}),
    ("oci_genai", {"choices": [], "usage": {"promptTokens": 1, "completionTokens": 0}}),
    ("oci_genai", {"ok": None, "choices": "a"}),
    ("oci_genai", "text"),
)
"""The same of the codecs that there are from edition 0.8 on; of that for OCI, C has none."""


def may_be_undefined(dialect: str | None) -> bool:
    """Tell whether values may be undefined: only `node` has such a value; None means that all may be said."""
    return dialect in (None, "node")


class Parts:
    """Draws parts. undefined: whether JavaScript's undefined is among them."""

    def __init__(self, choices: Choices, *, undefined: bool = False) -> None:
        self.choices = choices
        self.undefined = undefined
        self.markers = 0

    def request_decision(self, *, annotated: bool = True) -> Json:
        """Draw what a request intercept does to its outcome."""
        kind = self.choices.pick(DECISIONS if annotated else DECISIONS[:-2])
        if kind == "marks":
            count = self.choices.integer(1, 3)
            return {"op": "edit", "append": {"/pending_marks": [self.mark() for _ in range(count)]}}
        if kind == "header":
            value = self.value() if self.choices.chance(10) else self.choices.pick(TEXTS)
            return {"op": "edit", "set": {f"/request/headers/{self.choices.pick(HEADERS)}": value}}
        if kind == "drop header":
            return {"op": "edit", "set": {"/request/headers": {}}}
        if kind == "content":
            return {"op": "edit", "set": {"/request/content": {"messages": [], "x": self.value()}}}
        if kind == "annotate":
            return {"op": "edit", "set": {"/annotated_request": self.annotation()}}
        return {"op": "edit", "set": {"/annotated_request": None}}

    def malformed(self) -> Json:
        """Draw an edit that breaks the form of an outcome."""
        return self.choices.pick(MALFORMED_OR_UNDEFINED if self.undefined else MALFORMED)

    def mark(self) -> Json:
        """Draw a pending mark."""
        mark: Json = {"name": self.choices.pick(("m1", "m2", "m3", "", "ж", "a.b"))}
        if self.choices.chance(30):
            mark["category"] = self.choices.pick(CATEGORIES)
        if self.choices.chance(30):
            mark["category_profile"] = self.choices.pick(
                (None, {}, {"model_name": "m"}, {"subtype": "a.b", "free": [1]})
            )
        if self.choices.chance(40):
            mark["data"] = self.value()
        if self.choices.chance(20):
            mark["metadata"] = self.choices.pick((None, {"k": 1}, {"k": {"n": None}}, "text", [1]))
        if self.choices.chance(10):
            mark["data_schema"] = self.choices.pick((None, {"name": "n", "version": "1"}))
        if self.choices.chance(20) and isinstance(mark.get("metadata", {}), dict):
            mark["severity"] = self.choices.pick((None, "info", "error"))
        return mark

    def request(self) -> Json:
        """Draw an LLM request."""
        headers = {self.header(): self.choices.pick(TEXTS) for _ in range(self.choices.integer(0, 2))}
        content: Json = {"messages": [self.message() for _ in range(self.choices.integer(0, 1))]}
        if self.choices.chance(40):
            content["model"] = self.choices.pick(("m", "m-2"))
        if self.choices.chance(20):
            content["free"] = self.value()
        return {"headers": headers, "content": content}

    def header(self) -> str:
        """Draw a header's name; in JavaScript none with NUL, which all calls there refuse: a vector shows that."""
        odd = tuple(name for name in ODD_HEADERS if not (self.undefined and "\x00" in name))
        header: str = self.choices.pick(odd if self.choices.chance(5) else HEADERS)
        return header

    def message(self) -> Json:
        """Draw a message of a conversation."""
        return {"role": self.choices.pick(("user", "system")), "content": self.choices.pick(TEXTS)}

    def annotation(self) -> Json:
        """Draw an annotated request."""
        annotation: Json = {"messages": [self.message() for _ in range(self.choices.integer(0, 1))]}
        if self.choices.chance(50):
            annotation["model"] = self.choices.pick(("m", "m-2"))
        if self.choices.chance(20):
            annotation["vendor"] = self.value()
        return annotation

    def codec(self) -> Json:
        """Draw a codec; a few of them fail."""
        codec: Json = {}
        if self.choices.chance(20):
            codec["encode"] = [{"op": "edit", "set": {"/content/encoded": self.value()}}]
        if self.choices.chance(5):
            part = self.choices.pick(("decode", "encode"))
            codec[part] = [self.choices.pick(({"op": "edit", "set": {"": None}}, self.raising()))]
        return codec

    def read_answer(self) -> Json:
        """Draw a response codec and an answer, as members of a call."""
        codec, answer = self.choices.pick(READ)
        return {"response_codec": codec, "provider": [{"op": "edit", "set": {"": answer}}]}

    def answer(self) -> Json:
        """Draw what an LLM's provider answers."""
        return {"op": "edit", "set": {"": self.value()}}

    def raising(self) -> Json:
        """Return an op that raises a text of its own."""
        self.markers += 1
        return {"op": "raise", "text": f"boom-{self.markers}!"}

    def registering(self, name: str) -> Json:
        """Return an op that registers a subscriber."""
        return {"op": "step", "step": {"step": "register", "as": name, "family": "subscriber", "name": name}}

    def value(self, depth: int = 2) -> Json:
        """Draw a JSON value that is at most so deep."""
        kind = self.choices.pick(("scalar", "scalar", "list", "object")) if depth else "scalar"
        if kind == "scalar":
            return self.choices.pick(ODD_SCALARS if self.choices.chance(10) else SCALARS)
        count = self.choices.integer(0, 2)
        if kind == "list":
            return [self.value(depth - 1) for _ in range(count)]
        return {self.key(): self.value(depth - 1) for _ in range(count)}

    def key(self) -> str:
        """Draw the name of a value's member."""
        key: str = self.choices.pick(ODD_KEYS if self.choices.chance(10) else KEYS)
        return key
