"""Packs `kubectl flexlbf` for Krew: an archive for this kind of machine, and the manifest that names it.

The archive has the locked dependencies, some of which are compiled for one minor version of Python and one
kind of machine; a launcher starts that Python, and says so where it is missing.
"""

import argparse
import gzip
import hashlib
import io
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements/runtime.txt"
NAME, PROGRAM = "flexlbf", "kubectl-flexlbf"
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64", "arm64": "arm64"}
PYTHON = f"python{sys.version_info.major}.{sys.version_info.minor}"

LAUNCHER = f"""\
#!/bin/sh
# Krew runs this by a link; what it needs lies beside the file that the link leads to.
here=$(dirname -- "$(readlink -f -- "$0")")
python=${{FLEXLBF_PYTHON:-{PYTHON}}}
if ! command -v "$python" >/dev/null; then
  echo "kubectl flexlbf needs {PYTHON}: install it, or name it in FLEXLBF_PYTHON" >&2
  exit 1
fi
exec "$python" -c 'import sys; sys.path.insert(0, sys.argv.pop(1)); \
from flexlbf.cli.kubectl import main; main()' "$here/lib" "$@"
"""


def this_platform() -> dict[str, str]:
    """This kind of machine as Krew names it."""
    machine = platform.machine()
    return {"os": platform.system().lower(), "arch": ARCHITECTURES.get(machine, machine)}


def version() -> str:
    """The project's version, as Krew wants it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return f"v{project['version']}"


def manifest(url: str, homepage: str, sha256: str) -> dict[str, Any]:
    """The Krew manifest of an archive for this kind of machine."""
    return {
        "apiVersion": "krew.googlecontainertools.github.com/v1alpha2",
        "kind": "Plugin",
        "metadata": {"name": NAME},
        "spec": {
            "version": version(),
            "homepage": homepage,
            "shortDescription": "Plan backup sessions and follow them",
            "description": (
                "Shows what the FlexLBF operator plans for BackupPolicies and why, draws it, says what a\n"
                "change would do, follows sessions, and starts, suspends and resumes them.\n"
            ),
            "caveats": f"Needs {PYTHON} on the PATH, or its path in FLEXLBF_PYTHON.\n",
            "platforms": [
                {
                    "selector": {"matchLabels": this_platform()},
                    "uri": url,
                    "sha256": sha256,
                    "bin": PROGRAM,
                }
            ],
        },
    }


def archive(folder: Path) -> bytes:
    """A folder as a tar.gz that is the same to the byte whenever its files are."""
    packed = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w") as tar,
    ):
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                tar.add(path, str(path.relative_to(folder)), recursive=False, filter=_plain)
    return packed.getvalue()


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = 0, 0, 0, "", ""
    entry.mode = 0o755 if entry.mode & 0o100 else 0o644
    return entry


def fill(folder: Path) -> None:
    """Put the launcher, the licence and all that the program imports into a folder."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
    target = ["--target", str(folder / "lib")]
    subprocess.run([*pip, *target, "--require-hashes", "-r", str(LOCK)], check=True)
    subprocess.run([*pip, *target, "--no-deps", "--no-build-isolation", str(ROOT)], check=True)
    # Programs and notes with the paths of this machine, of no use on another.
    shutil.rmtree(folder / "lib" / "bin")
    for note in (folder / "lib").glob("*.dist-info/direct_url.json"):
        note.unlink()
    (folder / "LICENSE").write_bytes((ROOT / "LICENSE").read_bytes())
    launcher = folder / PROGRAM
    launcher.write_text(LAUNCHER, encoding="utf-8")
    launcher.chmod(0o755)


def main(arguments: list[str] | None = None) -> None:
    """Write archive and manifest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True, help="the folder on the web that the archive will be in")
    parser.add_argument("--homepage", required=True, help="the project's page")
    parser.add_argument("--output", type=Path, default=ROOT / "dist", help="the folder that is written")
    options = parser.parse_args(arguments)
    here = this_platform()
    name = f"{PROGRAM}_{version()}_{here['os']}_{here['arch']}.tar.gz"
    with tempfile.TemporaryDirectory() as work:
        fill(Path(work))
        packed = archive(Path(work))
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / name).write_bytes(packed)
    described = manifest(
        f"{options.url.rstrip('/')}/{name}", options.homepage, hashlib.sha256(packed).hexdigest()
    )
    text = yaml.safe_dump(described, sort_keys=False)
    (options.output / f"{NAME}.yaml").write_text(text, encoding="utf-8")
    print(f"wrote {options.output / name} and {options.output / f'{NAME}.yaml'}")


if __name__ == "__main__":
    main()
