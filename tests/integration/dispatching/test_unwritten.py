"""A session that could go on is known though no CronJob can be written, and so is why another could not."""

from collections.abc import AsyncIterator, Callable

import pytest

from flexlbf.cluster.gather import Gatherer
from flexlbf.cluster.state import Key
from flexlbf.cluster.writer import WriteFailed, Writer
from flexlbf.handlers.manualruns import ManualRuns
from flexlbf.handlers.planner import Planner, PlanningError
from flexlbf.handlers.policies import PolicyReconciler
from flexlbf.handlers.recorder import Recorder
from flexlbf.planning.findings import Reason
from integration.dispatching.stage import Stage, until

pytestmark = pytest.mark.integration


@pytest.fixture
async def policies(stage: Stage) -> AsyncIterator[Callable[[float | None], PolicyReconciler]]:
    """Makes what plans policies, as after a restart, with so many seconds for a plan."""
    planners: list[Planner] = []

    def make(seconds: float | None) -> PolicyReconciler:
        planners.append(Planner(seconds=seconds))
        state = stage.state
        return PolicyReconciler(
            state,
            Gatherer(stage.client, state),
            planners[-1],
            Writer(stage.client, state),
            Recorder(state, stage.histories, lambda *_: None, lambda _: None, lambda: stage.now),
            ManualRuns(state, stage.runs, stage.jobs),
            lambda: stage.now,
        )

    yield make
    for each in planners:
        each.close()


async def test_a_session_goes_on_though_a_quota_refuses_its_cron_job(
    stage: Stage, policies: Callable[[float | None], PolicyReconciler]
):
    """It needs none to go on."""
    stage.cluster.apply(stage.cluster.with_a_plain_setup(2).setting(execution="Adaptive"))
    await stage.look()
    quotas = f"/api/v1/namespaces/{stage.cluster.namespace}/resourcequotas"
    quota = {"metadata": {"name": "none"}, "spec": {"hard": {"count/cronjobs.batch": "0"}}}
    assert stage.cluster.request("POST", quotas, quota).status == 201

    def enforced() -> None:
        assert stage.cluster.request("GET", f"{quotas}/none").body["status"]["used"]

    await until(enforced)
    key = Key(stage.cluster.namespace, "weekly")
    reconciler = policies(None)
    with pytest.raises(WriteFailed, match="exceeded quota"):
        await reconciler.reconcile(key)
    plan = reconciler.session_of(key)
    assert plan is not None
    assert len(plan.jobs) == 2
    assert reconciler.why_no_session(key) is None


async def test_a_session_that_nobody_could_plan_yet_knows_why(
    stage: Stage, policies: Callable[[float | None], PolicyReconciler]
):
    """It says so, and does not seem to be planned for ever."""
    stage.cluster.apply(stage.cluster.with_a_plain_setup(2).setting(execution="Adaptive"))
    await stage.look()
    key = Key(stage.cluster.namespace, "weekly")
    reconciler = policies(0.001)
    with pytest.raises(PlanningError):
        await reconciler.reconcile(key)
    assert reconciler.session_of(key) is None
    why = reconciler.why_no_session(key)
    assert why is not None
    assert why.reason is Reason.PLANNING_FAILED
