"""A log in which every text that a stranger may choose tries to be more than text."""

from __future__ import annotations

from bindproof.core.model import Evidence
from bindproof.results import (
    FORMAT,
    AdapterLine,
    Broken,
    Fold,
    Line,
    RequirementFacts,
    RunLine,
    Speaks,
    StaleLine,
    SuiteFacts,
    VerdictLine,
)

SCRIPT = "<script>window.taken = 1</script>"
TRIES = (
    SCRIPT,
    '"><img src=x onerror="window.taken=2">',
    "</script><script>window.taken=3</script>",
    "]]><x/>",
    "\x1b]52;c;eA==\x07\x9b31m",
    "\u202egnitset\u202c\u200b",
    "a\x00b",
    "javascript:window.taken=4",
    "\n::error title=x::taken\r\n",
    "{{ 7*7 }} {% raw %}",
    "[link](javascript:taken) @somebody `tick` | cell \n# head\n```",
    "\ufffe\uffff &amp; &#60; --> <!--",
)
EVIL = " ".join(TRIES)


def hostile_log() -> list[Line]:
    """Return a whole log, in which everything that a report shows is as bad as it can be."""
    facts = RequirementFacts(f"EVIL-1{EVIL}", "MUST", EVIL, EVIL, EVIL, ("0.10",))
    failure = Evidence(f"s{EVIL}", EVIL, 0, {EVIL: [EVIL, 1]}, {EVIL: [EVIL, 2]})
    name = f"mine{EVIL}"
    scenario = {"steps": [{"step": EVIL, "as": EVIL}]}
    lines: list[Line] = [
        RunLine(
            format=FORMAT,
            bindproof=EVIL,
            python=EVIL,
            platform=EVIL,
            spec=EVIL,
            started=EVIL,
            suites=(SuiteFacts("relay", (facts,)),),
            adapters=(name,),
            expectations={"known#1": EVIL},
        ),
        AdapterLine(
            name,
            "ready",
            target=EVIL,
            version=EVIL,
            language=EVIL,
            runtime=EVIL,
            suites=(Speaks("relay", "0.10", EVIL, 5),),
            notes=(EVIL,),
        ),
        AdapterLine(f"gone{EVIL}", "unavailable", reason=EVIL, remedy=EVIL, required=True),
        VerdictLine(
            f"relay/{EVIL}",
            "relay",
            name,
            "diverges",
            title=EVIL,
            broken=(Broken(facts.id, (failure,)), Broken(f"OTHER{EVIL}", (failure,), "known#1")),
            reason=EVIL,
            reproduced=EVIL,
            scenario=scenario,
            observation=[
                {"fact": EVIL, "callback": EVIL, EVIL: EVIL},
                {"fact": "event", "subscriber": EVIL, "event": {}},
            ],
            prediction={"lanes": {EVIL: [{"fact": EVIL, "callback": EVIL}]}},
            cut=EVIL,
        ),
        VerdictLine(
            f"relay/2{EVIL}", "relay", name, "crash", reason=EVIL, evidence=EVIL, stderr=EVIL, scenario=scenario
        ),
        VerdictLine(f"relay/3{EVIL}", "relay", name, "crash", reason=EVIL, expected_by="known#1", stderr=EVIL),
        VerdictLine(f"relay/4{EVIL}", "relay", name, "not_run", reason=EVIL),
        VerdictLine(f"relay/5{EVIL}", "relay", name, "conforms", held=(facts.id,)),
        StaleLine(f"known#2{EVIL}", name, facts.id, (EVIL,), EVIL, EVIL),
    ]
    return [*lines, Fold.over(lines).summary()]
