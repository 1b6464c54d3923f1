"""Where pages are served is told before anything begins."""

from unit.cli.terminal import flexlbf


def test_pages_are_served_at_an_address():
    """A port alone is none."""
    assert "write HOST:PORT, as in 0.0.0.0:8081" in flexlbf("operator", "--pages", "8082").mistake()
