"""Reference of the suite `relay`: `predict(scenario, edition, dialect)` and `resolve(prediction, seed, dialect, …)`.

`reversions(edition)` names the edition with each of its changes taken back; `predict` takes such a name for an edition.
"""

from bindproof_reference.relay.editions import reversions
from bindproof_reference.relay.outcomes import UnpredictableError
from bindproof_reference.relay.predict import predict
from bindproof_reference.relay.resolve import resolve

__all__ = ["UnpredictableError", "predict", "resolve", "reversions"]
