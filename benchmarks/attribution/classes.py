"""Why a class of changes breaks no rule: that no statement speaks of it, or that it is lawful.

A class is the kind of change, what the record is of and what stands beside it, and the place in it:
`uuid: event start of tool in flight outside @event/parent_uuid`. A reason names the statements that come nearest, and
what they leave out. A class that no reason fits counts as one that a statement speaks of.
"""

from __future__ import annotations

import re
from functools import lru_cache

UNSPOKEN: dict[str, str] = {
    # -- what events say
    r"^time: event (chunk mark|start of llm_stream)": "the time of a chunk's mark: STR-007 counts them",
    r"^uuid: event .*@event/propagation_root_uuid": (
        "the root of what is no managed call outside scopes (LIF-014) and no start of a scope (LIF-020)"
    ),
    r"^uuid: event (mark|start of (manual|scope)).* outside.*parent_uuid": (
        "the parent, outside any scope, of what is no managed call: LIF-018 and LIF-021 name the scope around"
    ),
    r"^uuid: event mark of a callback.*parent_uuid": "a mark that an intercept emits: LIF-021 is of others",
    r"^uuid: event pending mark of tool.*parent_uuid|^leaf: event pending mark of tool": (
        "what a tool's pending mark says beside its name, place and time: the chapter on marks is about LLM calls"
    ),
    r"^leaf: event end of manual .*@event/metadata/otel": "a manual call's status: EVT-010 is of managed ones",
    r"^leaf: event (start|end) of manual .*@event/(data|category_profile)": (
        "data and profile of a manual call: EVT-005 is of scopes, LIF-004 and TOL-015 of managed calls"
    ),
    r"^leaf: event chunk mark.*@event/(category|metadata|data_schema|data/)": (
        "what a chunk's mark says beside its count (STR-007)"
    ),
    r"annotated_response/(api_specific/(?!api$)|usage/(?!(prompt|completion)_tokens))": (
        "members of a read response that the table of AUT-015 does not have"
    ),
    r"^leaf: event end .*/otel.status_description": "the words beside a status: EVT-010 and LIF-007 are of the status",
    r"^leaf: event start of llm.*@event/data/headers/x-dynamo": "headers that name agents, on a start: LIF-004",
    # -- the order of events
    r"^swap: event (?=.* in flight)(?!end of \S+ in flight.* / event end of \S+ in flight)": (
        "what is told of calls in flight beside others: EVT-015 leaves them out, FLT-004 is of two ends"
    ),
    r"^swap: event .*(guardrail|rejection)": "the place of guardrails and rejections, which no step of the program is",
    r"^swap: event .*llm_stream closed early": "when the end of a stream is told that is closed early: EVT-015 waits",
    r"^swap: event .*chunk mark.* sanitized.*chunk mark": "the order of chunks' marks that a sanitizer may rewrite",
    # -- what rewrites events
    r"^other value: enter (event\.metadata|(mark|start|end)\.sanitize)": (
        "that what rewrites events runs for each of them, once"
    ),
    r"^swap: leave (event\.metadata|\S+sanitize\S*)(?! async).* / enter": (
        "that one callback at publication is over before the next is entered: MID-017 is of asynchronous ones"
    ),
    # -- streams
    r"^(drop|double): over |^leaf: over ": "that what hands chunks over comes to its end, or how: no statement asks it",
    r"^(drop|double|swap|leaf): chunk ": (
        "chunks that are read ahead, or that an intercept which changes chunks goes on with: STR-001, STR-015"
    ),
    r"^swap: leave (collector|finalizer) |^drop: leave (collector|finalizer)": (
        "that one chunk is collected before the next one is given"
    ),
    r"^swap: leave (llm\.\w+|decode of llm_stream)\S* / (done call llm_stream|answer llm\.stream|enter llm\.request)"
    r"|^swap: (next|answer) llm\.stream": (
        "when a stream's callbacks go on: MID-001 leaves streams out, and MID-018 is of plain calls"
    ),
    r"^(drop|double): (next|answer) llm\.stream": "how often a stream's intercept goes on: MID-018 is of plain calls",
    r"^(drop|double|swap): .*read read|^swap: done read": "how many chunks a reader that stops early is given",
    # -- calls in flight, and cancelled
    r"^swap: (done|wait|resume) [^/]* / (done|wait|resume)|^swap: done [^/]* / resume": (
        "which of two things comes first while the program goes on: the language's turns, which no statement speaks of"
    ),
    r"^drop: (leave|wait) ": "how far a callback had come that was cancelled or closed: FLT-010",
    # -- what the program's own callbacks do
    r"^leaf: (leave|refused) ": "what a callback replies or raises, where nothing shows it: it is the program's",
    r"^swap: done \S+ [^/]*in a callback / |^swap: .* / done \S+ [^/]*in a callback": (
        "the order of what a callback does: it is the program's"
    ),
    r"^swap: leave  of install|^swap: .* / (enter|leave)  of install": "when a plugin's own callback runs",
    # -- errors
    r"^leaf: done (?!call tool).*@error/message": (
        "the words of an error that no statement asks for: MID-008, MID-019, TOL-012, FLT-003, STR-009, STR-010"
    ),
    r"^leaf: done (call tool|helper (tool|llm\.cond)|\S+ \S+.* by its collector|register|install|end).*same_as": (
        "whose exception it is, where no LLM's intercept or provider raised it (OUT-012)"
    ),
    r"^leaf: answer .*@error/(message|same_as|type|code)": "the words of what `next` fails with, and whose it is",
    # -- answered
    r"^leaf: done helper .*@value/optimization_?[cC]ontributions": "a member of a helper's outcome that no chapter has",
}
"""Pattern of a class that the reference alone finds → what no statement says."""

LAWFUL: dict[str, str] = {
    r"^time: ": "a time that nothing ties to another: the order that statements ask for still holds",
    r"^uuid: event .*@event/uuid": "another uuid is as good, where no other record names it",
    r"^uuid: event .*@event/parent_uuid": "outside any scope the parent is some uuid, where no other record names it",
    r"error/(type|code|same_as)": "type and code of an error are the language's own, and nobody raised it",
    r"^leaf: event end .*/otel.status_description": "how a failure is described that nobody raised is free",
    r"^leaf: refused .*@error": "the words in which a constructor refuses are the language's own",
    r"chunk mark.*@event/data/|@given/(event|fields)/(data/provider|(data|metadata)/note)|"
    r"^surplus: enter .* of a chunk mark @given/(event|fields)/data$": (
        "a chunk's mark says more as the provider's format has it"
    ),
    r"^leaf: (event end|leave end).*metadata/note": "the end of a call that failed may have more metadata",
    r"^leaf: event end of guardrail.*@event/data/error": "the words of an error are the binding's own",
    r"^swap: event [^/]*mark .* / event [^/]*mark ": "two marks that say the same are one and the other",
    r"^(drop|double): (chunk|over|read) ": "how far a stream is read ahead is open",
    r"^leaf: done current.*@value/name": "the name of the root is the binding's own",
}
"""Pattern of a class that passes → why it is lawful."""


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def reason(name: str, table: dict[str, str]) -> str | None:
    """Return why a class is in a table, or None where it is not."""
    return next((why for pattern, why in table.items() if _compiled(pattern).search(name)), None)
