"""What programs in Node ask codecs.

Enters: steps that ask. Leaves: lines of source text. Must not know what codecs read.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites.relay.programs.node_callbacks import Callbacks, deeper, text_of
from bindproof.suites.relay.programs.python_words import CODECS


class Coding(Callbacks):
    """The questions of one program to codecs."""

    def _decode(self, step: Json) -> list[str]:
        function = "decodeResponse" if step["side"] == "response" else "decode"
        return self._answer(step, f"{_asked(step)}.{function}({self._payload(step, step['side'])})")

    def _encode(self, step: Json) -> list[str]:
        given = f"{self._value(step['annotation'])}, {self._payload(step, 'request')}"
        return self._answer(step, f"{_asked(step)}.encode({given})")

    def _payload(self, step: Json, side: str) -> str:
        """Return what is asked about: of a sanitizer its first parameter."""
        return side if step["codec"] == "own" else self._value(step["payload"])

    def _answer(self, step: Json, expression: str) -> list[str]:
        if step["codec"] != "own":
            return self._shown(step, expression)
        name = text_of(step["as"])
        lines = [
            "const codec = context.resolveCodec();",
            f'saw({name}, "gives", codec === null ? null : {expression}, "publication");',
        ]
        if not self._outline.may_fail(step["as"]):
            return ["{", *deeper(lines), "}"]
        caught = f'saw({name}, "fails", error, "publication");'
        return ["try {", *deeper(lines), "} catch (error) {", *deeper([caught]), "}"]


def _asked(step: Json) -> str:
    return "codec" if step["codec"] == "own" else f"new relay.{CODECS[step['codec']]}()"
