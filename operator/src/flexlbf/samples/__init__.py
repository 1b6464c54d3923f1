"""Samples, pure: workloads like the paper's eight backup servers, as objects, CSV and manifests."""

from flexlbf.samples.generator import DEFAULT_SEED, SampleObject, Server, server, servers, workload

__all__ = ["DEFAULT_SEED", "SampleObject", "Server", "server", "servers", "workload"]
