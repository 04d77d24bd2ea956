"""What the contract allows to be seen of a scenario: lanes of records with matchers.

Enters: a complete scenario in the dialect's own spelling, an edition's name, the dialect as plain data. Leaves: a
prediction
`{"lanes": {lane: [record]}, "after": [[lane, position, lane, position]], "belongs": {lane: [[name]]}}`, or
`{"inexpressible": {path, reason}}`. `belongs` has the steps that each record belongs to, the outermost first, and its
part in the innermost. `in_some_order`, where it is there, has groups of lanes: in one run the records of each are those
of another of its group, of the same place among what may stand there.
The lane `program` holds steps and the callbacks that they run inline, the lane `publication` the callbacks that run
when events are published; each subscriber has the lane of its step's id.
"""

from __future__ import annotations

from bindproof_reference.relay import boundary, dialects, natives, storms, workers
from bindproof_reference.relay.callbacks import ScenarioError
from bindproof_reference.relay.editions import plain, rules
from bindproof_reference.relay.outcomes import UnpredictableError
from bindproof_reference.relay.program import Program
from bindproof_reference.relay.run import PROGRAM, Run
from bindproof_reference.relay.values import Json


def predict(scenario: Json, edition: str, dialect: Json, accepted: frozenset[str] = frozenset()) -> Json:
    """Return the prediction of one scenario; raises ScenarioError when the scenario breaks its language.

    accepted: what is let pass in it that must not be (see `Run.accepted`); raises UnpredictableError where nobody can
    say as what it is let pass.
    """
    for entry in dialect.get("inexpressible", ()):
        if dialects.asks_for(entry["path"], scenario):
            return {"inexpressible": entry}
    if boundary.is_raw(scenario):
        return _alone(boundary.predict_raw(scenario, rules(edition), accepted))
    if workers.is_of_worker(scenario):
        return _alone(workers.predict_worker(scenario, rules(edition)))
    if natives.is_of_plugin(scenario):
        return _alone(natives.predict_native(scenario, rules(edition)))
    if storms.is_storm(scenario):
        return storms.predict_storm(scenario, lambda alone: predict(alone, edition, dialect))
    cancels = {step["of"] for step in scenario["steps"] if step["step"] == "cancel"}
    named = frozenset(step["name"] for step in scenario["steps"] if step["as"] in cancels)
    run = Run(rules(edition), dialects.spoken_in(dialect, plain(edition)), cancels=named, accepted=accepted)
    run.apart = dialects.providers_apart(scenario)
    program = Program(run)
    try:
        for step in scenario["steps"]:
            program.act(step)
        program.end()
    except ScenarioError as error:
        if accepted:
            raise UnpredictableError(str(error)) from error
        raise
    finally:
        run.latches.drop_all()
    orders = {"in_some_order": run.in_some_order} if run.in_some_order else {}
    return {"lanes": run.lanes, "after": run.after, "belongs": run.belongs, **orders}


def _alone(steps: list[Json]) -> Json:
    """Return the prediction of a scenario whose steps write no records but that they are done, and what is measured."""
    records = [*steps, {"fact": "settled"}]
    return {"lanes": {PROGRAM: records}, "after": [], "belongs": {PROGRAM: [_of_step(record) for record in records]}}


def _of_step(record: Json) -> list[str]:
    """Return the step that a record is of: it is done, or something is measured of it."""
    return [record[key] for key in ("step", "name") if key in record]
