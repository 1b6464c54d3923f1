"""Every status that the operator can write, judged by kstatus, by Flux and by Argo CD: they must agree."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path

import pytest
import yaml

from flexlbf.planning.findings import Finding, Reason
from flexlbf.planning.plan import Plan
from flexlbf.planning.pool import pool_status
from flexlbf.planning.sessionstatus import SessionProgress, SessionWaiting, session_status
from flexlbf.planning.status import ScheduleTimes, planned_status, unfinished_status
from support.charttools import ROOT, Raw, ToolRefusedError
from support.gitopstools import KUSTOMIZATION, NoVerdictError, Verdict, argo, flux, kstatus
from support.resources import Policy, a_policy, a_pool, a_set
from unit.planning.snapshots import NOW, Scene

pytestmark = pytest.mark.integration

POLICY = a_policy().setting(window="8h")
POOL = a_pool().with_drives()

# Reasons by what they are for, all of them together being all that there are.
UNFINISHED = {Reason.PLANNING, Reason.APPLYING, Reason.APPLY_FAILED, Reason.PLANNING_FAILED}
SESSION = {Reason.SESSION_RUNNING, Reason.SESSION_SUCCEEDED, Reason.SESSION_FAILED, Reason.WINDOW_ENDED}
OUTCOMES = {Reason.PLANNED, Reason.RECOMMENDED, Reason.SUSPENDED, Reason.NOTHING_TO_BACK_UP}
OF_OTHER_CONDITIONS = {
    Reason.UP_TO_DATE,
    Reason.FITS,
    Reason.OVERRUNS,
    Reason.NO_WINDOW,
    Reason.NOT_PLANNED,
    Reason.FORECAST_MISSED,
    Reason.AS_FORECAST,
    Reason.NO_SESSION_YET,
}
STALLED = set(Reason) - UNFINISHED - SESSION - OUTCOMES - OF_OTHER_CONDITIONS


@dataclass(frozen=True)
class Case:
    """A policy or a pool, and what the three are to take it for."""

    name: str
    resource: Raw
    kstatus: str
    argo: str


def status_of(policy: Policy, plan: Plan | None = None) -> Raw:
    """The status of a policy whose plan is carried out."""
    made = plan or Scene(policy=policy, sets=(a_set().with_objects(3),)).plan()
    return planned_status(policy.observed("backup"), made, ScheduleTimes(), cron_jobs=3, now=NOW)


def with_session(status: Raw, *, failed: int = 0, skipped: int = 0, ended: bool = True) -> Raw:
    """The status with that of a session in it."""
    left = failed + skipped
    progress = SessionProgress(
        name="weekly-1",
        started=NOW,
        objects=3,
        released=3 - skipped,
        running=0 if ended else 3,
        waiting=SessionWaiting(objects=0),
        done=3 - left if ended else 0,
        failed=[f"fs:/{index}" for index in range(failed)],
        skipped=[f"fs:/{index}" for index in range(skipped)],
        size=0,
        ended=NOW + timedelta(hours=1) if ended else None,
    )
    told = session_status(progress, 1, NOW, None, None)
    return {**status, **told, "conditions": [*status["conditions"], *told["conditions"]]}


def _policies() -> Iterator[Case]:
    def case(name: str, status: Raw, verdict: str, health: str, policy: Policy = POLICY) -> Case:
        return Case(name, {**policy.observed("backup"), "status": status}, verdict, health)

    yield case("nobody looked at it", {"observedGeneration": -1}, "InProgress", "Progressing")
    yield case("planned", status_of(POLICY), "Current", "Healthy")
    for setting, health in (
        ({"window": "5m"}, "Healthy"),
        ({"window": None}, "Healthy"),
        ({"mode": "Recommend"}, "Healthy"),
        ({"suspend": True}, "Suspended"),
    ):
        policy = POLICY.setting(**setting)
        yield case(f"planned with {setting}", status_of(policy), "Current", health, policy)
    empty = Scene(policy=POLICY, sets=(a_set().setting(objects=[]),)).plan()
    yield case("nothing to back up", status_of(POLICY, empty), "Current", "Healthy")
    for reason in sorted(UNFINISHED):
        status = unfinished_status(POLICY.observed("backup"), Finding(reason, "why"), now=NOW)
        yield case(reason, status, "InProgress", "Progressing")
    for reason in sorted(STALLED):
        stalled = status_of(POLICY, Plan.impossible(Finding(reason, "why")))
        yield case(reason, stalled, "Failed", "Degraded")
    off = POLICY.setting(suspend=True)
    stalled = status_of(off, Plan.impossible(Finding(Reason.NO_HISTORY, "why")))
    yield case("stalled and suspended", stalled, "Failed", "Degraded", off)
    for name, status, health in (
        ("session runs", with_session(status_of(POLICY), ended=False), "Healthy"),
        ("session succeeded", with_session(status_of(POLICY)), "Healthy"),
        ("session failed", with_session(status_of(POLICY), failed=1), "Degraded"),
        ("window ended", with_session(status_of(POLICY), skipped=1), "Degraded"),
    ):
        yield case(name, status, "Current", health)
    planning = unfinished_status(POLICY.observed("backup"), Finding(Reason.APPLYING, "why"), now=NOW)
    yield case("session runs, planning", with_session(planning, ended=False), "InProgress", "Progressing")


def _pools() -> Iterator[Case]:
    users = [
        {**a_policy(name).on(POOL.name).observed("backup"), "status": status_of(POLICY)} for name in "abc"
    ]
    unseen = {**POOL.observed(), "status": {"observedGeneration": -1}}
    yield Case("nobody looked at the pool", unseen, "InProgress", "Progressing")
    for name, given in (("enough", users[:1]), ("oversubscribed", users)):
        status = pool_status(POOL.observed(), given, NOW)
        held = {each["type"]: each["status"] for each in status["conditions"]}
        assert held["Oversubscribed"] == str(name == "oversubscribed")
        yield Case(f"pool: {name}", {**POOL.observed(), "status": status}, "Current", "Healthy")


def _edited(case: Case) -> Case:
    """The same after an edit that the operator has not seen yet: whatever was said is of another spec."""
    metadata = {**case.resource["metadata"], "generation": 2}
    return Case(
        f"{case.name}, then edited", {**case.resource, "metadata": metadata}, "InProgress", "Progressing"
    )


def _going(case: Case) -> Case:
    metadata = {**case.resource["metadata"], "deletionTimestamp": "2026-01-05T12:00:00Z"}
    return Case(f"{case.name}, going", {**case.resource, "metadata": metadata}, "Terminating", "Progressing")


WRITTEN = [*_policies(), *_pools()]
CASES = [*WRITTEN, *map(_edited, WRITTEN), *map(_going, WRITTEN)]


@cache
def verdicts() -> dict[str, tuple[str, str, str]]:
    """What the three say, all cases at once."""
    resources = [each.resource for each in CASES]
    judged = zip(CASES, kstatus(resources), flux(resources), argo(resources), strict=True)
    return {
        case.name: (first.status, second.status, third.health.status if third.health else "")
        for case, first, second, third in judged
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_three_take_it_for_what_it_is(case: Case):
    """Flux's expressions leave the deleted to Flux, which never waits for them."""
    by_kstatus, by_flux, by_argo = verdicts()[case.name]
    assert (by_kstatus, by_argo) == (case.kstatus, case.argo)
    if case.kstatus != "Terminating":
        assert by_flux == by_kstatus


def test_every_reason_is_among_the_cases():
    """A new one is put where it belongs, or what is said of it here is wrong."""
    said = {
        condition["reason"]
        for case in WRITTEN
        if case.resource["kind"] == "BackupPolicy"
        for condition in case.resource["status"].get("conditions", ())
    }
    assert set(Reason) - {Reason.FORECAST_MISSED, Reason.AS_FORECAST} <= said


def test_kstatus_tells_why():
    """The message of Stalled is what Flux and `kubectl` show."""
    stalled = next(each.resource for each in WRITTEN if each.name == Reason.BACKUP_SET_NOT_FOUND)
    assert kstatus([stalled]) == [Verdict("Failed", "why")]


@pytest.mark.parametrize("status", [{}, {"observedGeneration": 1}], ids=["empty", "without-conditions"])
@pytest.mark.parametrize("kind", [POLICY, POOL], ids=["policy", "pool"])
def test_flux_waits_where_there_is_no_condition(kind: Policy, status: Raw):
    """Whoever wrote such a status: the expressions don't fail on what is missing."""
    assert flux([{**kind.observed("backup"), "status": status}]) == [Verdict("InProgress")]


def test_flux_refuses_what_is_no_kustomization(tmp_path: Path):
    """So that the sample is one: unknown fields, expressions that don't parse and kinds given twice."""
    sample = yaml.safe_load(KUSTOMIZATION.read_text())
    first = sample["spec"]["healthCheckExprs"][0]
    wrong: dict[str, Callable[[Raw], Raw]] = {
        "unknown field": lambda spec: {**spec, "healthExpressions": []},
        "failed to parse": lambda spec: {**spec, "healthCheckExprs": [{**first, "current": "has("}]},
        "duplicate": lambda spec: {**spec, "healthCheckExprs": [first, first]},
    }
    for words, change in wrong.items():
        path = tmp_path / "wrong.yaml"
        path.write_text(yaml.safe_dump({**sample, "spec": change(sample["spec"])}))
        with pytest.raises(ToolRefusedError, match=words):
            flux([], path)


def test_an_expression_that_fails_is_found(tmp_path: Path):
    """As one would without its guard."""
    path = tmp_path / "unguarded.yaml"
    path.write_text(
        KUSTOMIZATION.read_text()
        .replace("!has(status.conditions) ||", "")
        .replace("has(status.conditions) &&", "")
    )
    with pytest.raises(NoVerdictError, match="conditions"):
        flux([{**POLICY.observed("backup"), "status": {}}], path)


def test_kinds_without_a_status_are_done_when_they_are_there():
    """Nobody writes a status for them, so there is nothing to wait for."""
    samples = [
        each
        for path in sorted((ROOT / "config/samples").glob("*.yaml"))
        for each in yaml.safe_load_all(path.read_text())
    ]
    plain = [each for each in samples if each["kind"] in {"BackupSet", "BackupClass"}]
    assert {each.status for each in kstatus(plain)} == {"Current"} == {each.status for each in flux(plain)}
