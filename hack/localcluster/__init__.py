"""Clusters on this host for tests and the demo: a bare control plane in seconds, kind where pods must run.

Standard library only, so that it runs before any virtual environment exists.
"""
