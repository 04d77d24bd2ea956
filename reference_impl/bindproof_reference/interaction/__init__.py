"""Reference of the suite `interaction`: `predict(scenario, edition, dialect)` and `resolve(prediction, seed, …)`."""

from bindproof_reference.interaction.predict import predict
from bindproof_reference.interaction.resolve import resolve

__all__ = ["predict", "resolve"]
