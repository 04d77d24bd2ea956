"""Evaluates one flag with the Python package openfeature-sdk, and says which hooks ran. It judges nothing."""

import platform

from openfeature import api
from openfeature.flag_evaluation import FlagEvaluationOptions, FlagResolutionDetails
from openfeature.hook import Hook
from openfeature.provider import AbstractProvider, Metadata

from bindproof_adapter import serve, version_of

DEFAULTS = {"boolean": False, "integer": 7}
VALUES = {"boolean": {"gives": True, "another type": "x"}, "integer": {"gives": 1, "another type": True}}


class Recording(Hook):
    """A hook of one level, which raises in some stages."""

    def __init__(self, level, raises, log):
        self._level, self._raises, self._log = level, raises, log

    def _ran(self, stage):
        self._log.append({"fact": "hook", "level": self._level, "stage": stage})
        if stage in self._raises:
            raise RuntimeError(f"{self._level} {stage}")

    def before(self, hook_context, hints):
        """Run before the evaluation."""
        self._ran("before")

    def after(self, hook_context, details, hints):
        """Run after it."""
        self._ran("after")

    def error(self, hook_context, exception, hints):
        """Run where something failed."""
        self._ran("error")

    def finally_after(self, hook_context, details, hints):
        """Run at the end."""
        self._ran("finally")


class Provider(AbstractProvider):
    """A provider that gives what the scenario says."""

    def __init__(self, scenario, hooks, log):
        super().__init__()
        self._scenario, self._hooks, self._log = scenario, hooks, log

    def get_metadata(self):
        """Return its name."""
        return Metadata("scripted")

    def get_provider_hooks(self):
        """Return its own hooks."""
        return self._hooks

    def _resolve(self, flag_key, default_value, evaluation_context=None):
        self._log.append({"fact": "asked"})
        if self._scenario["provider"] == "raises":
            raise RuntimeError("the provider")
        return FlagResolutionDetails(VALUES[self._scenario["flag"]][self._scenario["provider"]])

    resolve_boolean_details = resolve_integer_details = _resolve
    resolve_string_details = resolve_float_details = resolve_object_details = _resolve


class OpenFeature:
    """The SDK, with a clean slate for each scenario."""

    def describe(self):
        """Say which release is driven, and in which dialect."""
        runtime = f"{platform.python_implementation()} {platform.python_version()}"
        version = version_of(api, "openfeature-sdk")
        target = {"name": "openfeature-python", "version": version, "language": "python", "runtime": runtime}
        return {"target": target, "suites": {"openfeature": {"dialect": "wire"}}}

    def run(self, suite, scenario):
        """Evaluate one flag."""
        log = []
        hooks = {level: [Recording(level, raises, log)] for level, raises in scenario["hooks"].items()}
        api.clear_hooks()
        api.set_provider(Provider(scenario, hooks.get("provider", []), log))
        api.add_hooks(hooks.get("api", []))
        client = api.get_client()
        client.add_hooks(hooks.get("client", []))
        evaluate = {"boolean": client.get_boolean_details, "integer": client.get_integer_details}[scenario["flag"]]
        options = FlagEvaluationOptions(hooks=hooks.get("call", []))
        found = evaluate("flag", DEFAULTS[scenario["flag"]], None, options)
        return {"log": [*log, {"fact": "result", "value": found.value, "failed": found.error_code is not None}]}


serve("openfeature-python", "1", OpenFeature)
