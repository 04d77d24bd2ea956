"""Reference of the suite `cells`: `predict(scenario, edition, dialect)` and `resolve(prediction, seed, …)`."""

from bindproof_reference.cells.predict import predict
from bindproof_reference.cells.resolve import resolve

__all__ = ["predict", "resolve"]
