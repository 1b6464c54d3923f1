"""Write what follows from the code (CRDs, chart, references, drawings, …), or check what is there."""

import argparse
import difflib
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from argofiles import SETTINGS, render_settings
from chartfiles import BY_HAND, DASHBOARD, GENERATED, chart_files
from clireference import render_cli_reference
from dashboard import dashboard
from docpictures import FOLDER, pictures
from flexlbf.api.crd import HEADER, file_name, render_crd
from flexlbf.api.reference import render_reference
from flexlbf.api.v1alpha1 import KINDS
from flexlbf.evaluation import Study, document
from flexlbf.handlers.metrics.reference import render_metrics
from flexlbf.samples.manifests import manifests
from flexlbf.scheduling.binding import AVAILABLE

ROOT = Path(__file__).resolve().parent.parent
CRDS = Path("crds")
REFERENCE = Path("docs/reference")
SAMPLES = Path("config/samples")
DOCS = Path("docs")
PROMETHEUS = Path("config/prometheus")
DRAWINGS = "evaluation"


def generate(root: Path, source: Path | None = None) -> list[Path]:
    """Write every generated file below a folder; the paths are relative to it.

    Args:
        root: the folder, mostly a checkout.
        source: the checkout with the files that others are made from, if it is another.
    """
    crds = {file_name(model): render_crd(model) for model in KINDS}
    contents = {CRDS / name: text for name, text in crds.items()}
    contents[CRDS / "Kustomization"] = _kustomization(crds)
    contents[PROMETHEUS / DASHBOARD] = dashboard()
    contents |= chart_files(source or root, crds, dashboard())
    contents[SETTINGS] = render_settings(source or root)
    contents[REFERENCE / "api.md"] = render_reference(KINDS)
    contents[REFERENCE / "cli.md"] = render_cli_reference()
    contents[REFERENCE / "metrics.md"] = render_metrics()
    contents |= {SAMPLES / name: text for name, text in manifests().items()}
    contents |= {DOCS / name: text for name, text in {**_evaluation(), **pictures()}.items()}
    for path, text in contents.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return sorted(contents)


def _kustomization(crds: Mapping[str, str]) -> str:
    """Lets kustomize take the CRDs from here: it reads no file outside of a folder, but other folders."""
    listed = "".join(f"  - {name}\n" for name in sorted(crds))
    return f"{HEADER}apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n{listed}"


@cache
def _evaluation() -> Mapping[str, str]:
    """Kept, since it takes some seconds and a check may generate more than once."""
    if not AVAILABLE:
        sys.exit("The evaluation needs the compiled kernel: install a C compiler, then `make setup` anew.")
    return document(Study(), drawings=DRAWINGS)


def findings(root: Path) -> list[str]:
    """What of a checkout differs from a fresh generation: stale, missing and extra files."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder)
        wanted = generate(fresh, root)
        found = [difference for path in wanted for difference in _compare(path, fresh, root)]
    present = [*(root / CRDS).glob("*.yaml"), *(root / DOCS / DRAWINGS).glob("*")]
    present += (root / DOCS / FOLDER).glob("*.svg")
    present += [path for folder in GENERATED for path in (root / folder).glob("*.yaml")]
    extra = sorted({path.relative_to(root) for path in present} - {*wanted, *BY_HAND})
    return found + [f"extra: {path} is no longer generated; delete it" for path in extra]


def _compare(path: Path, fresh: Path, root: Path) -> list[str]:
    if not (root / path).is_file():
        return [f"missing: {path}"]
    committed, wanted = ((base / path).read_text(encoding="utf-8").splitlines() for base in (root, fresh))
    if committed == wanted:
        return []
    difference = difflib.unified_diff(
        committed, wanted, f"committed/{path}", f"generated/{path}", lineterm=""
    )
    return [f"stale: {path}", *difference]


def main(arguments: list[str] | None = None) -> int:
    """Generate, or with --check report what is out of date."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="change nothing; fail if anything is out of date"
    )
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout (default: this one)")
    options = parser.parse_args(arguments)
    if not options.check:
        for path in generate(options.root):
            print(f"wrote {path}")
        return 0
    found = findings(options.root)
    if found:
        print(*found, "", "Generated files are out of date: run `make generate` and commit.", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
