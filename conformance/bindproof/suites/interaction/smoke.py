"""The steps of `smoke` for adapters of `interaction`: from one answer to a run that is stopped.

Enters: nothing. Leaves: the steps in order. Each one adds one thing to act out.
"""

from __future__ import annotations

from bindproof.suite_api import SmokeStep

STEPS: tuple[SmokeStep, ...] = (
    SmokeStep(
        "a run with one answer",
        {"steps": [{}]},
        "write each event and checkpoint in the order in which they come, `called` in the model, `ended` in the end",
    ),
    SmokeStep(
        "a run with a tool",
        {"steps": [{"tool": True, "text": "first"}, {"text": "second"}]},
        "a step with `tool` answers with a call of the one tool; messages of tools are told without their text",
    ),
    SmokeStep(
        "a model that fails, and the next of the chain",
        {"fallbacks": ["m2"], "steps": [{"fails": ["m1"]}]},
        "a model that fails raises an error with the words `[m1 fails]`",
    ),
    SmokeStep(
        "people are asked",
        {"steps": [{"gate": "approval", "later": True}]},
        "write `asked` where people are asked; with `later` the answer is put off",
    ),
    SmokeStep(
        "a run is cancelled while a model is called",
        {"steps": [{"stop": "cancel"}]},
        "the model does not answer, and the run is cancelled then; a run that nothing wakes any more `hangs`",
    ),
)
