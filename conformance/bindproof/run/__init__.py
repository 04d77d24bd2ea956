"""The main job: scenarios of the spec through adapters to a result log.

Enters: a RunRequest. Leaves: the log's lines, in order, as they come. Joins spec, suites, adapters, drive and judge;
shows nothing.
"""

from bindproof.run.earlier import Earlier, earlier
from bindproof.run.execute import execute
from bindproof.run.merging import merge
from bindproof.run.planting import check_faults
from bindproof.run.request import RunRequest

__all__ = ["Earlier", "RunRequest", "check_faults", "earlier", "execute", "merge"]
