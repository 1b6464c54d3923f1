"""Manifests, pure: builders of the objects that the operator emits, one file a kind."""
