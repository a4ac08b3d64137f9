"""What holds for all tests."""

from hypothesis import HealthCheck, settings

# A machine that is busy with something else proves nothing about a strategy.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")
