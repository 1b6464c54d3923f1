"""Pictures of a policy's session as one page of HTML: pure, for the command line and whoever serves it."""

from flexlbf.report.build import policy_report
from flexlbf.report.model import PolicyReport
from flexlbf.report.page import render

__all__ = ["PolicyReport", "policy_report", "render"]
