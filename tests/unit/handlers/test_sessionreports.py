"""Of which policies sessions are told."""

import pytest

from flexlbf.cluster.resources import BACKUP_POLICIES
from flexlbf.cluster.state import ClusterState
from flexlbf.handlers.sessionreports import SessionReports
from support.resources import Raw, a_policy
from unit.handlers.runs import NIGHT, a_session


class Notebook:
    """Keeps the uids of those of which something was told, and writes nothing."""

    def __init__(self) -> None:
        self.told: list[str] = []

    async def tell(self, raw: Raw, *_: object) -> None:
        """Of a policy."""
        self.told.append(raw["metadata"]["uid"])

    async def write_status(self, _: object, raw: Raw, *__: object, manager: str) -> None:  # noqa: ARG002
        """Of a policy."""
        self.told.append(raw["metadata"]["uid"])


@pytest.mark.parametrize("renewed", [False, True])
async def test_nothing_is_told_of_a_policy_that_has_a_deleted_ones_name(*, renewed: bool):
    """What became of the old one's session is not the new one's."""
    state, notebook, session = ClusterState(), Notebook(), a_session("a")
    raw = a_policy().observed("backup")
    mine = raw["metadata"]["uid"]
    if renewed:
        raw["metadata"]["uid"] = "another"
    state.put(BACKUP_POLICIES, raw)
    reports = SessionReports(state, notebook, lambda: NIGHT)  # type: ignore[arg-type]
    progress = session.progress(session.standing([], NIGHT), NIGHT)
    await reports.report(session, progress)
    await reports.tell_end(session, progress)
    assert notebook.told == ([] if renewed else [mine, mine])
