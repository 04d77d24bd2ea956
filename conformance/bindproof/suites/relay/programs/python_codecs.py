"""What programs in Python ask codecs.

Enters: steps that ask. Leaves: lines of source text. Must not know what codecs read.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites.relay.programs.python_callbacks import Callbacks
from bindproof.suites.relay.programs.python_words import CODECS, deeper, text_of


class Coding(Callbacks):
    """The questions of one program to codecs."""

    def _decode(self, step: Json) -> list[str]:
        return self._answer(step, self._annotation(step, self._payload(step)))

    def _encode(self, step: Json) -> list[str]:
        written = f"{self._asked(step)}.encode(annotation_of({self._value(step['annotation'])}), {self._payload(step)})"
        return self._answer(step, f"request_json({written})")

    def _annotation(self, step: Json, payload: str) -> str:
        if step["side"] == "response":
            return f"response_json({self._asked(step)}.decode_response({payload}))"
        return f"annotation_json({self._asked(step)}.decode({payload}))"

    def _asked(self, step: Json) -> str:
        return "codec" if step["codec"] == "own" else f"codecs.{CODECS[step['codec']]}()"

    def _payload(self, step: Json) -> str:
        """Return what is asked about: of a sanitizer its first parameter."""
        side = step.get("side", "request")
        if step["codec"] == "own":
            return str(side)
        return self._value(step["payload"]) if side == "response" else f"request_of({self._value(step['payload'])})"

    def _answer(self, step: Json, expression: str) -> list[str]:
        if step["codec"] != "own":
            return self._shown(step, expression)
        name = text_of(step["as"])
        lines = [
            "codec = context.resolve_codec()",
            f'saw({name}, "gives", None if codec is None else {expression}, lane="publication")',
        ]
        caught = ["except Exception as error:", f'    saw({name}, "fails", error, lane="publication")']
        return ["try:", *deeper(lines), *caught] if self._outline.may_fail(step["as"]) else lines
