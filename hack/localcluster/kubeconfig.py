"""Kubeconfig files, written as JSON: YAML's subset that the standard library can write."""

import json
import os
import tempfile
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
    # Who reads it meanwhile finds the old one or the new one, also where two write it at a time.
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    new = Path(name)
    try:
        with os.fdopen(descriptor, "w") as file:
            json.dump(document, file, indent=2)
        return new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
