"""How the framework is set up."""

from flexlbf.handlers.main import CONNECT_SECONDS, TRY_AGAIN_SECONDS

OUTAGE_SECONDS = 300


def test_the_framework_asks_again_soon_however_long_an_outage_lasts():
    """It is never more than a few seconds behind, and is not tired of it before some minutes are over."""
    assert max(TRY_AGAIN_SECONDS) + CONNECT_SECONDS < 10
    assert sum(TRY_AGAIN_SECONDS) >= OUTAGE_SECONDS
