"""The pages that the operator serves read-only: made of what it holds in memory, drawn beside its work."""

from flexlbf.handlers.pages.application import PATH, pages_application

__all__ = ["PATH", "pages_application"]
