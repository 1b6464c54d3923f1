"""What one session measured is the forecast of the next, with the shipped agent in real pods."""

import random
import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest

from e2e.site import POLICY, Site
from flexlbf.api.durations import Duration
from localcluster.kubectl import wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("e2e"), pytest.mark.timeout(600, func_only=True)]

RATE = 100_000
"""Bytes a second that each backup is held to, so that it takes as long on any machine."""

SECONDS = {"mail": 45, "db": 40, "home": 33, "var": 30, "srv": 20, "etc": 15}
AGENT_STARTS_S = 15
"""So long an agent may take to start in its container, on a machine that runs all tests at once."""

TOLERANCE = 0.15


def test_the_second_session_goes_as_the_first_one_measured(make_site: Callable[..., Site]) -> None:
    """The first was planned with estimates that are far off, and says so."""
    site = make_site(drives=2, agents=2)
    site.offer(deadline="5m", args=("agent", "backup", f"--rate-limit={RATE}"))
    _apply_set(site)
    first = _run(site, "first")
    assert _condition(site, "Drifted")["status"] == "True"
    assert re.search(r"'etc' \([123]\ds instead of 4m\)", _condition(site, "Drifted")["message"])

    forecast = _planned_seconds(site)
    second = _run(site, "second")
    took = _seconds(second)
    (history,) = site.cluster.items("backuphistories", f"--namespace={site.namespace}")
    runs, longer = [], []
    for each in history["spec"]["objects"]:
        assert len(each["runs"]) == 2
        begun = datetime.fromisoformat(each["runs"][-1]["start"])
        measured = Duration.parse(each["runs"][-1]["duration"]).seconds
        assert -5 <= measured - SECONDS[each["name"]] <= AGENT_STARTS_S
        runs.append((begun, begun + timedelta(seconds=measured)))
        longer.append(max(measured - SECONDS[each["name"]], 0))
    # The forecast is of backups: how long a busy machine takes to start and end their pods is not in it. An
    # agent has two of the six objects at the most.
    pods = _for_pods(second, sorted(runs), agents=4) + sum(sorted(longer)[-2:])
    told = (
        f"the first took {_seconds(first):.0f} s, the second {took:.0f} s of {forecast:.0f} s forecast, "
        f"of which pods took up to {pods:.0f} s"
    )
    assert (1 - TOLERANCE) * forecast <= took <= (1 + TOLERANCE) * forecast + pods, told


def _apply_set(site: Site) -> None:
    chance = random.Random(8)
    objects = []
    for name, seconds in SECONDS.items():
        site.node.write(f"{site.folder}/sources/{name}/data.bin", chance.randbytes(seconds * RATE))
        source = {"hostPath": f"{site.folder}/sources/{name}"}
        estimate = {"duration": "4m", "throughput": "1M"}
        objects.append({"name": name, "source": source, "estimate": estimate})
    site.apply("BackupSet", "all", {"objects": objects})


def _run(site: Site, token: str) -> dict[str, Any]:
    """A session now; its part of the policy's status, once it has ended and the next plan is made."""
    spec = {
        "schedule": "0 3 1 1 *",
        "backupSets": {"names": ["all"]},
        "tapePool": site.namespace,
        "backupClass": site.namespace,
        "execution": "Adaptive",
        "runToken": token,
    }
    before = _last_session(site)
    site.apply("BackupPolicy", POLICY, spec)
    wait_until(lambda: site.policy().get("status", {}).get("runToken") == token, 300, f"the {token} session")
    session: dict[str, Any] = site.policy()["status"]["session"]
    assert (session["done"], session["failed"]) == (len(SECONDS), 0)
    wait_until(lambda: _last_session(site) != before, 60, "what the session measured")
    return session


def _for_pods(session: dict[str, Any], runs: Sequence[tuple[datetime, datetime]], agents: int) -> float:
    """Seconds that an agent may have waited for pods: before the first, between two and after the last."""
    began, ended = _times(session)
    first, later = runs[:agents], runs[agents:]
    assert first[-1][0] < min(end for _, end in first), "not all agents were at work at once"
    # The agent that is free first takes the next object: the first one after the first end, and so on.
    between = [begun - end for (begun, _), end in zip(later, sorted(end for _, end in runs), strict=False)]
    assert all(each >= timedelta(0) for each in between), "more agents at once than the drives have"
    waited = [first[-1][0] - began, max(between), ended - max(end for _, end in runs)]
    return sum(each.total_seconds() for each in waited)


def _last_session(site: Site) -> str | None:
    """The name of the session that was measured last."""
    found = site.cluster.items("backuppolicies", f"--namespace={site.namespace}")
    name: str | None = next(
        (each.get("status", {}).get("lastSession", {}).get("name") for each in found), None
    )
    return name


def _planned_seconds(site: Site) -> float:
    return Duration.parse(site.policy()["status"]["recommendation"]["duration"]).seconds


def _seconds(session: dict[str, Any]) -> float:
    began, ended = _times(session)
    return (ended - began).total_seconds()


def _times(session: dict[str, Any]) -> tuple[datetime, datetime]:
    began, ended = (datetime.fromisoformat(session[key]) for key in ("started", "ended"))
    return began, ended


def _condition(site: Site, kind: str) -> dict[str, Any]:
    found: dict[str, Any] = next(
        each for each in site.policy()["status"]["conditions"] if each["type"] == kind
    )
    return found
