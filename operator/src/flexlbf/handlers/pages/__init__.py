"""The pages that the operator serves read-only: made of what it holds in memory, drawn beside its work."""

from flexlbf.handlers.pages.application import pages_application

__all__ = ["pages_application"]
