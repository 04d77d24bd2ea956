"""The form of CEL's conformance tests: protobuf's text format, read by protobuf itself.

Enters: a file of `tests/simple/testdata`. Leaves: its cases. The messages' definitions are those of the table: they lie
in a folder `proto` above it, and protoc compiles them, so that each commit is read as it means itself. Both come with
an extra, `bindproof[cel]`. Raises FileError where they are missing, SpecError for a file that is none.

Values, bindings and declarations are protobuf's JSON of their messages, such as `{"int64Value": "1"}`: so 1, 1u and 1.0
stay apart, and every language's protobuf writes the same. The entries of a map come in any order, numbers that JSON
writes as such are equal as numbers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from warnings import catch_warnings, filterwarnings

from bindproof.core.errors import FileError, SpecError
from bindproof.core.model import Json
from bindproof.spec.files.text import read_bytes
from bindproof.tables.case import Case, literal

EXTRA: Final = "it needs the packages protobuf and grpcio-tools: pip install 'bindproof[cel]'"

_SIMPLE: Final = "cel/expr/conformance/test/simple.proto"
_MESSAGES: Final = "cel/expr/conformance/proto*/*.proto"
"""The messages that cases have in an `Any`."""

_FILE: Final = "cel.expr.conformance.test.SimpleTestFile"
_QUESTION: Final = re.compile(rb"((?<!\\)(?:\\\\)*)\\\?")
r"""`\?`, which means a question mark: protobuf's reader in Python would leave the backslash there."""

_PLAIN: Final = ("expr", "container", "locale", "disable_macros", "disable_check", "check_only")
"""Members of a case that are texts and truths."""


def cases(path: Path) -> Iterator[Case]:
    """Yield the cases of a file, in its order; one that expects an unknown, a type or one of several errors expects
    nothing that a vector says.
    """
    folders = (folder / "proto" for folder in path.resolve().parents)
    protos = next((folder for folder in folders if (folder / _SIMPLE).is_file()), None)
    if protos is None:
        raise FileError(path, None, f"no folder above it has proto/{_SIMPLE}, which says what is in it")
    reader = _Reader(_pool(protos))
    for section in reader.read(path).section:
        for test in section.test:
            yield reader.case(f"{section.name}: {test.name}", test)


class _Reader:
    """Reads files by the definitions of messages. pool: they."""

    def __init__(self, pool: Any) -> None:
        self._pool = pool

    def read(self, path: Path) -> Any:
        from google.protobuf import message_factory, text_format

        message = message_factory.GetMessageClass(self._pool.FindMessageTypeByName(_FILE))()
        content = _QUESTION.sub(rb"\1?", read_bytes(path, str(path)))
        said = "this is no table of the form cel-spec"
        try:
            with catch_warnings():
                filterwarnings("error", message=".*invalid escape")  # it would be read as another text
                return text_format.Parse(content, message, descriptor_pool=self._pool)
        except text_format.ParseError as error:
            raise SpecError(path, error.GetLine(), f"{said}: {error}") from error
        except (UnicodeDecodeError, Warning) as error:
            raise SpecError(path, None, f"{said}: {error}") from error

    def case(self, title: str, test: Any) -> Case:
        members: dict[str, Json] = {name: getattr(test, name) for name in _PLAIN}
        members["type_env"] = [self._json(one) for one in test.type_env]
        members["bindings"] = {name: self._json(test.bindings[name]) for name in sorted(test.bindings)}
        expected = test.WhichOneof("result_matcher")
        if expected == "eval_error" and test.eval_error.errors:
            return Case(title, members, error=test.eval_error.errors[0].message)
        if test.check_only:
            return Case(title, members)
        if expected is None:
            return Case(title, members, {"boolValue": True}, matched=True)
        if expected == "value":
            return Case(title, members, self._matched(test.value), matched=True)
        if expected == "typed_result" and test.typed_result.HasField("result"):
            return Case(title, members, self._matched(test.typed_result.result), matched=True)
        return Case(title, members)

    def _matched(self, value: Any) -> Json:
        """Return what accepts a value and its equals."""
        kind = value.WhichOneof("kind")
        if kind == "map_value" and value.map_value.entries:
            entries = [
                {"key": self._matched(one.key), "value": self._matched(one.value)} for one in value.map_value.entries
            ]
            return {"mapValue": {"entries": {"$unordered": entries}}}
        if kind == "list_value" and value.list_value.values:
            return {"listValue": {"values": [self._matched(one) for one in value.list_value.values]}}
        return literal(self._json(value), numeric=True)

    def _json(self, message: Any) -> Json:
        from google.protobuf import json_format

        told = json_format.MessageToJson(message, descriptor_pool=self._pool, sort_keys=True)  # maps have no order
        return json.loads(told)


@cache
def _pool(protos: Path) -> Any:
    """Return the definitions that lie in a folder, compiled."""
    try:
        from google.protobuf import descriptor_pb2, descriptor_pool
        from grpc_tools import protoc
    except ImportError as error:
        raise FileError(protos / _SIMPLE, None, EXTRA) from error
    names = [_SIMPLE, *(path.relative_to(protos).as_posix() for path in sorted(protos.glob(_MESSAGES)))]
    own = files("grpc_tools") / "_proto"  # those of protobuf itself, such as any.proto
    with TemporaryDirectory() as folder:
        out = Path(folder) / "descriptors"
        words = ["protoc", f"-I{protos}", f"-I{own}", "--include_imports", f"--descriptor_set_out={out}", *names]
        if protoc.main(words) != 0:
            raise FileError(protos / _SIMPLE, None, "protoc cannot compile it, for the reason above")
        compiled = descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes())
    pool = descriptor_pool.DescriptorPool()
    for file in compiled.file:
        pool.Add(file)
    return pool
