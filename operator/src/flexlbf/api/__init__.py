"""The resources of `flexlbf.io`: what they mean, and the schemas that the API server checks them by.

Everything here is pure: models are read from and written to plain dictionaries, and whoever speaks to a
cluster or to a file does so elsewhere.
"""
