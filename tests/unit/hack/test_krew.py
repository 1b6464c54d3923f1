"""What Krew is given: a manifest by its rules, and an archive that is the same each time."""

import io
import re
import tarfile
from pathlib import Path

import krew


def test_the_manifest_names_program_and_machine() -> None:
    """By Krew's rules: a version with a v, a line without a full stop, a digest, an absolute address."""
    plugin = krew.manifest("https://example.test/a.tar.gz", "https://example.test", "0" * 64)
    spec = plugin["spec"]
    assert plugin["metadata"]["name"] == "flexlbf"
    assert re.fullmatch(r"v\d+\.\d+\.\d+", spec["version"])
    assert len(spec["shortDescription"]) <= 50
    assert not spec["shortDescription"].endswith(".")
    (machine,) = spec["platforms"]
    assert machine["bin"] == "kubectl-flexlbf"
    assert machine["selector"]["matchLabels"].keys() == {"os", "arch"}
    assert machine["uri"].startswith("https://")


def test_an_archive_depends_on_its_files_alone(tmp_path: Path) -> None:
    """Not on when they were written, nor by whom; programs stay programs."""
    packed = []
    for name in ("one", "two"):
        folder = tmp_path / name
        (folder / "lib").mkdir(parents=True)
        (folder / "lib" / "module.py").write_text("x = 1\n")
        (folder / "program").write_text(krew.LAUNCHER)
        (folder / "program").chmod(0o700)
        packed.append(krew.archive(folder))
    assert packed[0] == packed[1]
    with tarfile.open(fileobj=io.BytesIO(packed[0])) as tar:
        assert {each.name: each.mode for each in tar} == {"lib/module.py": 0o644, "program": 0o755}
