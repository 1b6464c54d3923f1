"""How hypothesis works in all tests: how long an example takes is the affair of the busy machine."""

from hypothesis import HealthCheck, settings

from support.strategies import EVERYDAY, EVERYDAY_SHARE

settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(EVERYDAY, settings.get_profile("unhurried"), max_examples=int(100 * EVERYDAY_SHARE))
settings.load_profile("unhurried")
