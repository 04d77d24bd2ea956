"""The main job: scenarios of the spec through adapters to a result log.

Enters: a RunRequest. Leaves: the log's lines, in order, as they come. Joins spec, suites, adapters, drive and judge;
shows nothing.
"""

from bindproof.runner.earlier import Earlier, earlier
from bindproof.runner.execute import execute
from bindproof.runner.merging import merge
from bindproof.runner.planting import check_faults
from bindproof.runner.request import RunRequest

__all__ = ["Earlier", "RunRequest", "check_faults", "earlier", "execute", "merge"]
