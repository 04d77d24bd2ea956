"""What is left of a scenario when one of its values is taken away is a scenario, or refused as none; no third thing.

A campaign makes scenarios smaller in this way, and asks the suite which of them are legal.
"""

from __future__ import annotations

import pytest

from bindproof.core.paths import data_root
from bindproof.runner.campaign.reductions import applied, cuts, puts
from bindproof.spec import load
from bindproof.suites import load as load_suite
from bindproof.suites.choices import SeededChoices

SUITES = {name: load_suite(load(data_root(), name)) for name in ("relay", "interceptors", "cells", "interaction")}
SEEDS = {"relay": 20, "interceptors": 12, "cells": 12, "interaction": 12}


@pytest.mark.long
def test_every_smaller_document_is_a_scenario_or_refused() -> None:
    taken = refused = 0
    for name, suite in SUITES.items():
        for seed in range(SEEDS[name]):
            document = suite.brief(suite.generate(SeededChoices(seed), None))
            for reduction in (*cuts(document), *puts(document)):
                try:
                    suite.complete(applied(document, [reduction]))
                    taken += 1
                except ValueError:
                    refused += 1
    assert min(taken, refused) > 500
