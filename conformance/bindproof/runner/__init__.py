"""The main job: scenarios through adapters to a result log.

Enters: a RunRequest. Leaves: the log's lines, in order, as they come. Joins spec, suites, adapters, drive and judge;
shows nothing. One loop does all of it (`loop`): it is given a source of scenarios (`vectors`, `campaign.generated`) and
a policy for what fails (`confirm`, `campaign.shrinking`).
"""

from bindproof.core.request import RunRequest
from bindproof.runner.earlier import Earlier, earlier
from bindproof.runner.execute import execute
from bindproof.runner.fault_trials import check_faults
from bindproof.runner.merging import merge

__all__ = ["Earlier", "RunRequest", "check_faults", "earlier", "execute", "merge"]
