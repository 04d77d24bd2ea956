"""The form of every message of the adapter protocol, as types: what is read is checked against them, and the schema for
those who write adapters is made of them (`schema`).

Enters: nothing. Leaves: types. Must not know in which order messages are legal, nor what is done with them.

What only the schema says (a text is not empty, an id is positive) stands in `extra_json_schema`: the reader takes more,
so that what is wrong is told by what comes of it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from bindproof.core.model import Json

PROTOCOL_VERSION = 1
"""The only version of the adapter protocol there is."""

ADAPTER_FAULT = -32000
"""The JSON-RPC error code with which an adapter reports a fault of its own."""

Text: TypeAlias = Annotated[str, Meta(extra_json_schema={"minLength": 1})]
Id: TypeAlias = Annotated[
    int, Meta(description="Chosen by the harness; a reply repeats it.", extra_json_schema={"minimum": 1})
]
ONE_MEMBER = Meta(extra_json_schema={"minProperties": 1, "maxProperties": 1})


class _Strict(Struct, gc=False, forbid_unknown_fields=True):
    """A member that the protocol does not name is refused: misspelt, it would silently mean nothing."""


class Named(_Strict):
    """A program, and which version of it."""

    name: Text
    version: Text


class Target(_Strict):
    """What an adapter drives."""

    name: Text
    version: Text
    language: Text
    runtime: Annotated[str, Meta(description="What runs it, such as `node 24.1.0`.")]


class SuiteEntry(Struct):
    """A suite that an adapter speaks. What else stands here is the suite's own business."""

    dialect: Text
    capabilities: Annotated[list[str], Meta(description="Those of its `suite.toml` that the adapter has.")] = []
    edition: (
        Annotated[Text, Meta(description="Of a target whose releases no edition can list, such as a reference.")]
        | UnsetType
    ) = UNSET


class Left(_Strict):
    """A registration that outlived its scenario."""

    family: Text
    name: str


class Observation(_Strict):
    """What was seen. What a record holds is its suite's own business."""

    log: Annotated[list[dict[str, Any]], Meta(description="In the order in which things were seen.")]
    left: (
        Annotated[
            list[Left],
            Meta(description="What outlived the clean-up; may be absent when empty."),
        ]
        | UnsetType
    ) = UNSET
    stray: (
        Annotated[
            list[dict[str, Any]],
            Meta(description="Records of an earlier scenario; may be absent when empty."),
        ]
        | UnsetType
    ) = UNSET


class Unsupported(_Strict):
    """The adapter cannot act that out."""

    capability: Annotated[str, Meta(description="The one of `suite.toml` that it lacks.")]
    reason: str


class Inexpressible(_Strict):
    """The binding's types have no way to say what stands there."""

    path: Annotated[str, Meta(description="Where, as a JSON pointer into the scenario.")]
    reason: str


class RunResult(_Strict):
    """Exactly one of the three."""

    observation: Observation | UnsetType = UNSET
    unsupported: Unsupported | UnsetType = UNSET
    inexpressible: Inexpressible | UnsetType = UNSET


class ReplyError(_Strict):
    """Why a request was not answered."""

    code: Annotated[
        int, Meta(description=f"{ADAPTER_FAULT} for a fault of the adapter's own, such as an op that cannot be done.")
    ]
    message: str
    data: Any = None


class InitializeResult(_Strict):
    """Who answers."""

    protocol_version: Annotated[int, Meta(extra_json_schema={"const": PROTOCOL_VERSION})]
    adapter: Named
    target: Target
    suites: Annotated[
        dict[str, Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": "#/$defs/SuiteEntry"})]],
        Meta(description="An entry for each suite that the adapter speaks."),
    ]


class _Reply(_Strict):
    jsonrpc: Literal["2.0"]
    id: Id


class InitializeReplyMessage(_Reply):
    """The first reply; a harness that offers no version which the adapter speaks gets an error."""

    result: InitializeResult | UnsetType = UNSET
    error: ReplyError | UnsetType = UNSET


class RunReplyMessage(_Reply):
    """What came of one scenario."""

    result: Annotated[RunResult, ONE_MEMBER] | UnsetType = UNSET
    error: ReplyError | UnsetType = UNSET


class ShutdownReplyMessage(_Reply):
    """The last reply; its result is an object that says nothing."""

    result: dict[str, Any] | UnsetType = UNSET
    error: ReplyError | UnsetType = UNSET


class InitializeParams(_Strict):
    """What the harness offers."""

    protocol_versions: Annotated[list[int], Meta(min_length=1)]
    harness: Named


class RunParams(_Strict):
    """One scenario, complete and in the adapter's dialect. What it holds is its suite's own business."""

    suite: Text
    scenario: dict[str, Any]


class ShutdownParams(_Strict):
    """Nothing."""


class _Request(_Strict):
    jsonrpc: Literal["2.0"]
    id: Id


class InitializeRequestMessage(_Request):
    """Opens a session; comes once."""

    method: Literal["initialize"]
    params: InitializeParams


class RunRequestMessage(_Request):
    """Asks for one scenario."""

    method: Literal["run"]
    params: RunParams


class ShutdownRequestMessage(_Request):
    """Asks the adapter to answer and then to end."""

    method: Literal["shutdown"]
    params: ShutdownParams


def _answering(form: type[_Reply]) -> Json:
    """Return a form of reply that has exactly one of result and error."""
    return Annotated[form, Meta(extra_json_schema={"oneOf": [{"required": ["result"]}, {"required": ["error"]}]})]


MESSAGES: tuple[Json, ...] = (
    InitializeRequestMessage,
    _answering(InitializeReplyMessage),
    RunRequestMessage,
    _answering(RunReplyMessage),
    ShutdownRequestMessage,
    _answering(ShutdownReplyMessage),
)
"""Every message."""

NAMED: tuple[Json, ...] = (SuiteEntry, Left)
"""Forms that messages name by reference alone."""
