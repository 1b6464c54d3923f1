"""The cluster's node, seen from outside of Kubernetes: its folders, and the file systems mounted there."""

import hashlib
import subprocess
from dataclasses import dataclass

AGENT = "65532:65532"


@dataclass(frozen=True)
class Node:
    """A node of kind, which is a container of this name."""

    name: str

    def run(self, *command: str, content: bytes | None = None) -> bytes:
        """Run a command on the node and return what it prints."""
        done = subprocess.run(
            ["docker", "exec", "--interactive", self.name, *command],
            check=False,
            input=content or b"",
            capture_output=True,
        )
        assert done.returncode == 0, f"{command}: {done.stderr.decode()}"
        return done.stdout

    def make_folder(self, path: str) -> str:
        """Make a folder that is the agent's."""
        self.run("sh", "-c", f"mkdir -p {path} && chown {AGENT} {path}")
        return path

    def write(self, path: str, content: bytes) -> None:
        """Write a file that everybody may read."""
        self.run("sh", "-c", f"mkdir -p $(dirname {path}) && cat > {path}", content=content)

    def files(self, folder: str) -> list[str]:
        """The names of all files in a folder, hidden ones too."""
        return sorted(self.run("ls", "-A", folder).decode().split())

    def sha256(self, path: str) -> str:
        """A file's checksum, reckoned here and not by the agent."""
        return hashlib.sha256(self.run("cat", path)).hexdigest()
