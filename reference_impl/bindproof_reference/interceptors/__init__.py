"""Reference of the suite `interceptors`: `predict(scenario, edition, dialect)` and `resolve(prediction, seed, …)`."""

from bindproof_reference.interceptors.predict import predict
from bindproof_reference.interceptors.resolve import resolve

__all__ = ["predict", "resolve"]
