"""A session of 10,000 objects; timed, so for a machine that does nothing else."""

from collections.abc import Callable

import pytest

from flexlbf.scheduling import longest_first
from integration.handlers.operatorprocess import OperatorProcess
from integration.sessions.figures import as_limits, chosen_drives, figures
from integration.sessions.memory import Watch
from integration.sessions.theatre import Theatre, conditions
from integration.sessions.workload import Library, of_a_kind
from support.streamcheck import most_left, release_delays

pytestmark = [pytest.mark.integration, pytest.mark.scale, pytest.mark.timeout(1800)]

OBJECTS = 10_000
LIBRARY = Library(count=32, mbps=80)
SECONDS = 600.0
RELEASE_SECONDS = 1.0
MEGABYTES = 300
KEPT = {"successfulJobsHistoryLimit": 2, "failedJobsHistoryLimit": 1}
SETTLED_SECONDS = 5.0
"""In which Kubernetes sees that a Job's pod has ended, and the operator records it and deletes the Job."""


def test_a_session_of_ten_thousand(theatre: Theatre, operator: OperatorProcess, say: Callable[[str], None]):
    """Releases follow completions within a second, Jobs do not pile up, and memory stays bounded."""
    work = of_a_kind(SECONDS, OBJECTS, LIBRARY).disturbed(0.3, seed=11)
    theatre.with_drives(LIBRARY)
    theatre.with_class(**KEPT)
    theatre.adaptive(work)
    session = theatre.begin()
    with Watch(operator) as memory:
        assert "Complete" in conditions(theatre.await_end(session, 4 * SECONDS))
    took = theatre.assert_played(session, work, LIBRARY)
    log = theatre.log()
    streams = log.of_session(theatre.namespace, session)
    drives = chosen_drives(theatre, LIBRARY)
    order = [each.name for each in longest_first(work.jobs)]
    began = log.session_began(theatre.namespace, session)
    late = sorted(release_delays(streams, order, as_limits(drives), began))
    say(f"{OBJECTS} objects on {len(drives)} drives: {took:.0f} s; at most {memory.peak:.0f} MB")
    say(f"  {figures(streams)}")
    left = most_left(streams, SETTLED_SECONDS)
    say(f"  at most {left} Jobs longer than {SETTLED_SECONDS:g} s after their end")
    say(f"  release after it was possible: median {late[len(late) // 2]:.3f} s, longest {late[-1]:.3f} s")
    assert late[-1] <= RELEASE_SECONDS
    assert left <= sum(KEPT.values())
    assert memory.peak <= MEGABYTES
