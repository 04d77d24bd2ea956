"""Reference of the `relay` suite: `predict(scenario, edition, dialect)` and `resolve(prediction, seed, dialect)`."""

from bindproof_reference.relay.outcomes import UnpredictableError
from bindproof_reference.relay.predict import predict
from bindproof_reference.relay.resolve import resolve

__all__ = ["UnpredictableError", "predict", "resolve"]
