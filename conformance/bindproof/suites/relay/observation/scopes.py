"""What stands at a place of a transcript: which scopes are open, which registrations are effective, who is told.

Enters: a Transcript. Leaves: acts and ids. It judges nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from operator import itemgetter

from bindproof.core.model import Json
from bindproof.suites.relay.observation.gates import is_shut
from bindproof.suites.relay.observation.transcript import FAR, Act, Transcript, kept


@kept
def _ends(transcript: Transcript) -> dict[str, list[Act]]:
    """Return the steps that end something, by the step that started it."""
    found: dict[str, list[Act]] = {}
    for act in transcript.of_kind("end"):
        found.setdefault(act.step["of"], []).append(act)
    return found


def ends_of(transcript: Transcript, act: Act) -> list[Act]:
    """Return the steps that end what a step started, in order; one that was refused is one of them."""
    return _ends(transcript).get(act.step["as"], [])


@kept
def _contexts(transcript: Transcript) -> list[tuple[int, str]]:
    """Return the places in the log behind which the program is in another context, each with the step that began it."""
    found, contexts = [(-1, MAIN)], [MAIN]
    for act in transcript.acts:
        if act.error is not None:
            continue
        if act.step["step"] == "context":
            contexts.append(act.step["as"])
        elif act.step["step"] == "back":
            contexts.pop()
        else:
            continue
        found.append((act.done or 0, contexts[-1]))
    return found


def context_at(transcript: Transcript, at: int) -> str:
    """Return the context that the program is in at a place in the log, by the step that began it."""
    found = _contexts(transcript)
    return found[bisect_left(found, at, key=itemgetter(0)) - 1][1] if len(found) > 1 else MAIN


def received_at(transcript: Transcript, at: int) -> Act | None:
    """Return the step that captured what the context at a place in the log is made of; None: it is made of nothing."""
    here = context_at(transcript, at)
    if here == MAIN:
        return None
    begun = next(act.step["from"] for act in transcript.of_kind("context") if act.step["as"] == here)
    return next((act for act in transcript.of_kind("capture") if act.step["as"] == begun), None)


def told_at(transcript: Transcript, at: int) -> Json:
    """Return what was captured that the context at a place in the log is made of; None: nothing, or no object."""
    act = received_at(transcript, at)
    return None if act is None or not isinstance(act.value, dict) else act.value


@kept
def _scopes(transcript: Transcript) -> list[tuple[Act, int]]:
    """Return the scopes that were opened, in order, each with where it was closed; one that never is, far off."""
    ended: dict[str, int] = {}
    for act in transcript.of_kind("end"):
        if act.error is None and act.done is not None:
            ended.setdefault(act.step["of"], act.done)
    return [
        (act, ended.get(act.step["as"], FAR))
        for act in transcript.of_kind("start")
        if act.error is None and act.done is not None and act.step["kind"] == "scope"
    ]


MAIN = ""
"""The context in which a program begins."""


def open_scopes(transcript: Transcript, at: int) -> list[Act]:
    """Return the steps whose scopes are open at a place in the log, in the context of that place, outermost first."""
    found = [act for act, ended in _scopes(transcript) if (act.done or 0) < at <= ended]
    if len(_contexts(transcript)) == 1:
        return found
    here = context_at(transcript, at)
    return [act for act in found if context_at(transcript, act.done or 0) == here]


def place_of(act: Act) -> int:
    """Return the place in the log at which a step begins what it starts or marks."""
    return act.began if act.step["step"] == "call" else act.done or 0


def scopes_around(transcript: Transcript, act: Act) -> list[Act]:
    """Return the scopes that were open when a step began what it starts or marks, outermost first."""
    return open_scopes(transcript, place_of(act))


@kept
def registrations(transcript: Transcript, family: str) -> list[tuple[Act, int]]:
    """Return what was registered of a family, in order, each with where it was taken back: far off where it never was.

    What is registered on a scope is there while the scope is open, too: see `effective`.
    """
    found: list[tuple[Act, int]] = []
    steps = {act.step["as"]: act.step for act in transcript.of_kind("register") if act.step["family"] == family}
    there: dict[tuple[tuple[str, int, str], str], int] = {}
    for act in transcript.acts:
        if act.error is not None or act.done is None:
            continue
        if act.step["step"] == "register" and act.step["family"] == family:
            there[act.registry, act.step["name"]] = len(found)
            found.append((act, FAR))
        elif act.step["step"] == "deregister" and act.step["of"] in steps:
            step = steps[act.step["of"]]
            at = there.pop(((act.plugin, act.nth, step["scope"]), step["name"]), None)
            if at is not None:
                found[at] = found[at][0], act.done
    return found


def effective(transcript: Transcript, family: str, at: int) -> list[Act]:
    """Return what is registered of a family at a place in the log: globally, or on a scope that is open there.

    Not what a gate gives a reason against.
    """
    found = [act for act, until in registrations(transcript, family) if (act.done or 0) < at <= until]
    if transcript.of_kind("gate"):
        found = [act for act in found if not is_shut(transcript, act.step, at)]
    if all(act.step["scope"] == "global" for act in found):
        return found
    levels = {"global", *(act.step["as"] for act in open_scopes(transcript, at))}
    return [act for act in found if act.step["scope"] in levels]


def listeners(transcript: Transcript, at: int) -> frozenset[str]:
    """Return the subscribers that are registered at a place in the log."""
    return frozenset([one.step["as"] for one in effective(transcript, "subscriber", at)])


@kept
def audience(transcript: Transcript, act: Act) -> frozenset[str]:
    """Return the subscribers that were there when a step started, or emitted its mark."""
    return listeners(transcript, act.started_at)


def subscribers(transcript: Transcript, act: Act) -> Iterator[tuple[str, bool]]:
    """Yield each subscriber of the program with whether it was there when a step started."""
    there = audience(transcript, act)
    for one, _ in registrations(transcript, "subscriber"):
        yield one.step["as"], one.step["as"] in there


def end_of(transcript: Transcript, act: Act) -> int | None:
    """Return where in the log the end of what a step started is emitted; None where it is not, and for a stream, whose
    end comes when it is over.
    """
    if act.step["step"] == "call":
        return None if act.step["kind"] == "llm_stream" else act.done
    return next((end.done for end in ends_of(transcript, act) if end.error is None), None)


def made_outside(transcript: Transcript, act: Act) -> bool:
    """Tell whether no scope was open when a step was begun, nor when what it does started, nor in what the context is
    made of.
    """
    there = open_scopes(transcript, act.began) or open_scopes(transcript, act.started_at)
    return not there and received_at(transcript, act.began) is None


def outermost_stays(transcript: Transcript, act: Act) -> bool:
    """Tell whether the outermost scope is the same where a step begins and where it starts.

    Which trace a call is of is open where that was opened or closed while the call waited before its start (FLT-005).
    """
    made, starts = open_scopes(transcript, act.began), open_scopes(transcript, act.started_at)
    return made[:1] == starts[:1]


def scopes_stay(transcript: Transcript, act: Act) -> bool:
    """Tell whether no scope is opened or closed by anybody else while a call goes on in the background."""
    until = FAR if act.done is None else act.done
    moments = [at for one, ended in _scopes(transcript) for at in (one.done or 0, ended)]
    return not act.step.get("background") or not any(act.began <= at < until for at in moments)


def is_outside(transcript: Transcript, act: Act) -> bool:
    """Tell whether no scope was open at any time while a step went on; one that never came back goes on for ever."""
    until = FAR if act.done is None else act.done
    return made_outside(transcript, act) and not any(
        act.began <= (one.done or 0) < until for one, _ in _scopes(transcript)
    )
