"""Kubeconfig files, written as JSON: YAML's subset that the standard library can write."""

import json
from pathlib import Path


def write(path: Path, *, server: str, certificate: Path, user: str, token: str) -> Path:
    """Write a kubeconfig with one context, readable by its owner only."""
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "local",
        "clusters": [
            {"name": "local", "cluster": {"server": server, "certificate-authority": str(certificate)}}
        ],
        "contexts": [{"name": "local", "context": {"cluster": "local", "user": user}}],
        "users": [{"name": user, "user": {"token": token}}],
    }
    # Who reads it meanwhile finds the old one or the new one.
    new = path.with_suffix(".new")
    new.touch(mode=0o600)
    new.write_text(json.dumps(document, indent=2))
    return new.replace(path)
