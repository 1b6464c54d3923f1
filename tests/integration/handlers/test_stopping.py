"""A policy can always be stopped, even one that can't be planned."""

import pytest

from integration.handlers.cluster import Cluster, eventually

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("operator")]


def stalled_with_cron_jobs(cluster: Cluster) -> None:
    """A policy whose set is gone, and whose CronJobs run on."""
    cluster.apply(cluster.with_a_plain_setup())
    cluster.ready()
    cluster.delete("BackupSet", "fleet")
    cluster.stalled("BackupSetNotFound")


def test_a_stalled_policy_can_be_suspended_and_goes_on_again(cluster: Cluster):
    """By hand there would be hundreds of CronJobs to suspend."""
    stalled_with_cron_jobs(cluster)
    uids = cluster.uids()
    for suspend in (True, False):
        cluster.apply(cluster.a_policy().setting(suspend=suspend))

        def as_wanted(wanted: bool = suspend) -> None:
            assert {each["spec"]["suspend"] for each in cluster.cron_jobs().values()} == {wanted}

        eventually(as_wanted)
        assert cluster.uids() == uids


def test_a_stalled_policy_gives_its_cron_jobs_up_when_it_only_recommends(cluster: Cluster):
    """As a good one does."""
    stalled_with_cron_jobs(cluster)
    cluster.apply(cluster.a_policy().setting(mode="Recommend"))

    def gone() -> None:
        assert cluster.cron_jobs() == {}

    eventually(gone)


def test_a_stalled_policy_still_tells_when_its_cron_jobs_run(cluster: Cluster):
    """They do, after all."""
    stalled_with_cron_jobs(cluster)
    assert eventually(lambda: cluster.policy()["status"]["schedule"]["nextScheduleTime"])
    assert cluster.policy()["status"]["schedule"]["cronJobs"] == 3
