"""A session over time, in small figures."""

from flexlbf.evaluation.overtime import OverTime
from flexlbf.scheduling import LBF
from support.builders import a_session

MINUTE = 60


def test_rates_and_agents_follow_starts_and_ends():
    """30 MB/s for ten minutes, beside it 50 MB/s for five."""
    session = (
        a_session().with_object("a", 10 * MINUTE, 30).with_object("b", 5 * MINUTE, 50).on_drives(1, 80, 4)
    )
    seen = OverTime("FlexLBF", session.run())
    assert seen.minutes == 10
    assert seen.rates.runs == (((0, 80), (5, 30), (10, 0)),)
    assert seen.agents.runs == (((0, 2), (5, 1), (10, 0)),)
    assert seen.mean_mbps == 55
    assert seen.peak_mbps == 80
    assert seen.nearly_full == 0.5
    assert (seen.first_agents, seen.most_agents) == (2, 2)
    assert seen.rates.label == "FlexLBF"


def test_half_of_the_time_at_most_so_many_agents_run():
    session = (
        a_session().with_object("a", 10 * MINUTE, 1).with_objects("b c", 4 * MINUTE, 1).on_drives(1, 80, 4)
    )
    assert OverTime("FlexLBF", session.run()).usual_agents == 1


def test_streams_that_share_a_drive_write_no_more_than_it_takes():
    session = a_session().with_objects("a b", 5 * MINUTE, 80).on_drives(1, 80, 4).under(LBF())
    seen = OverTime("LBF", session.run())
    assert seen.minutes == 10
    assert seen.peak_mbps == seen.mean_mbps == 80
