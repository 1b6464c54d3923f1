"""The pages that the operator serves: an overview, a policy, and what there is to say instead of one.

The part of a policy's page that takes simulations is drawn by itself, beside the event loop, and kept; how
the policy stands changes from look to look and is laid around it. Links are relative, so that the pages work
behind whatever path a proxy gives them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from flexlbf.planning.decide import examine
from flexlbf.planning.offline import PlannedPolicy
from flexlbf.planning.snapshot import PolicySnapshot
from flexlbf.report.build import policy_report
from flexlbf.report.engine import render_template
from flexlbf.report.lastsession import LastSession
from flexlbf.report.overview import Group
from flexlbf.report.page import SIDE_BY_SIDE
from flexlbf.report.standing import Standing


@dataclass(frozen=True, slots=True)
class Drawn:
    """The part of a policy's page that shows its plan.

    Attributes:
        html: safe to be put into a page.
        at: when it was drawn, in UTC.
    """

    html: str
    at: datetime


def draw(snapshot: PolicySnapshot, last: LastSession | None, now: datetime) -> Drawn:
    """Draw the plan of a policy, as `flexlbf report` does.

    Takes up to a minute for ten thousand objects and is run in a process of its own. What can't be planned
    is drawn as the words that say why.

    Args:
        snapshot: the policy and everything that it refers to.
        last: its last real session, if one is known.
        now: for the page to say when this was.
    """
    planned = PlannedPolicy(examine(snapshot), dict(snapshot.policy), ())
    report = policy_report(planned, 1, last)
    return Drawn(render_template("plan.html", report=report, side_by_side=SIDE_BY_SIDE), now)


def policy_page(standing: Standing, drawn: Drawn | None, *, current: bool, refresh: int | None) -> str:
    """The page of a policy.

    Args:
        standing: how it stands.
        drawn: its plan; None while that is being drawn for the first time.
        current: whether that is the plan of what is declared now; another is being drawn otherwise.
        refresh: seconds after which the page loads itself again, None for never.
    """
    return render_template("policy.html", standing=standing, drawn=drawn, current=current, refresh=refresh)


def overview_page(groups: Sequence[Group], namespace: str | None, *, refresh: int | None) -> str:
    """All policies, or those of one namespace.

    Args:
        groups: the policies by namespace.
        namespace: the one whose policies these are, None for all.
        refresh: seconds after which the page loads itself again, None for never.
    """
    return render_template("overview.html", groups=groups, namespace=namespace, refresh=refresh)


def message_page(title: str, words: str, home: str, refresh: int | None = None) -> str:
    """A page that says why there is no other.

    Args:
        title: what is the matter, in few words.
        words: what to do instead.
        home: the relative address of the overview.
        refresh: seconds after which the page is tried again, None for never.
    """
    return render_template("message.html", title=title, words=words, home=home, refresh=refresh)
