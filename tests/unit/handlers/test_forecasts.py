"""When a session will be over, with what other sessions stream to its drives."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from flexlbf.cluster.runindex import RunIndex
from flexlbf.cluster.state import Key
from flexlbf.handlers.forecasts import Forecaster
from flexlbf.handlers.livesession import SessionRun
from flexlbf.planning.plan import SessionPlan
from flexlbf.scheduling import Host
from unit.handlers.runs import NIGHT, a_session, object_job

MINUTE = timedelta(minutes=1)


class Here:
    """Plans in this process."""

    async def run(self, function: Callable[..., Any], *arguments: object) -> Any:
        """As a planner does."""
        return function(*arguments)


def a_night(
    plan: Callable[[Key], SessionPlan | None], host: Host | None = None
) -> tuple[SessionRun, SessionRun, RunIndex, Forecaster]:
    """A session whose one object waits for the drive, another that has it, and a forecaster."""
    mine = a_session("a", agents=1, host=host)
    other = a_session("x", name="other-1", seconds=600, agents=1, host=host)
    runs = RunIndex()
    live = {each.job.uid: each for each in (mine, other)}
    return mine, other, runs, Forecaster(runs, Here(), live, plan)  # type: ignore[arg-type]


async def expected_end(session: SessionRun, forecaster: Forecaster, after: timedelta) -> timedelta:
    """How long the session is expected to take, so long into it."""
    now = NIGHT + after
    session.forecast_at = None
    await forecaster.look_ahead(session, session.standing([], now), now)
    assert session.expected_end is not None
    return session.expected_end - NIGHT


async def test_the_stream_of_another_session_is_expected_to_take_as_long_as_that_plans():
    """And as much longer as that session finds its objects to take."""
    mine, other, runs, forecaster = a_night(lambda _: None)
    runs.put_job(object_job("x", session="other-1"))
    assert await expected_end(mine, forecaster, after=4 * MINUTE) == 11 * MINUTE
    other.planned, other.measured = 1, 2
    assert await expected_end(mine, forecaster, after=4 * MINUTE) == 21 * MINUTE


async def test_the_stream_of_a_planned_session_is_expected_to_take_as_long_as_its_policy_plans():
    """Kubernetes made its Job, and no session of ours has it."""
    mine, other, runs, forecaster = a_night(
        lambda key: other.plan if key == Key("backup", "weekly") else None
    )
    runs.put_job(object_job("x", session="nobody"))
    assert await expected_end(mine, forecaster, after=4 * MINUTE) == 11 * MINUTE


async def test_a_host_that_sends_all_it_may_to_another_pool_is_waited_for():
    """The drive is free, and its namesake in the other pool is not it."""
    mine, _, runs, forecaster = a_night(lambda _: None, Host("fs1", 1))
    runs.put_job(object_job("x", session="other-1", pool="vault", host="fs1"))
    assert await expected_end(mine, forecaster, after=4 * MINUTE) == 11 * MINUTE
    runs.put_job(object_job("y", session="other-1", pool="vault", host="fs2"))
    assert await expected_end(mine, forecaster, after=4 * MINUTE) == 11 * MINUTE
