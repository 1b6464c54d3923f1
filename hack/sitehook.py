"""MkDocs' hook: one set of files that reads well on a forge and as a site.

The repository's own pages outside of `docs/` become pages of the site, and links that leave `docs/` follow
them. A link to source code, for which the site has no page, becomes a plain name, unless `repo_url` says
where the repository is. A link to a file that is not there is left alone: the strict build refuses it.
"""

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
DOCS = "docs"
DECISIONS = "decisions/"
HOME = "index.md"

OUTSIDE = {
    "ARCHITECTURE.md": "project/architecture.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
    "charts/flexlbf-operator/README.md": "reference/chart.md",
}
"""Pages of the site by the files that they are made of; the others' README is the site's home."""

_FENCED = re.compile(r"(^```.*?^```[ \t]*$)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[(?P<text>[^\[\]]+)\]\((?P<target>[^()\s]+)\)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """List the decisions in the navigation, the newest first, each with its own heading."""
    config.nav = _expanded(config.nav)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Take in the pages that are outside of `docs/`."""
    for source, page in OUTSIDE.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links lead to where their files are on the site."""
    place = page.file.src_uri
    sources = {made: source for source, made in OUTSIDE.items()}
    folder = posixpath.dirname(sources.get(place, f"{DOCS}/{place}"))
    parts = _FENCED.split(markdown)
    return "".join(
        part if index % 2 else _LINK.sub(lambda link: _relinked(link, folder, place, config, files), part)
        for index, part in enumerate(parts)
    )


def _expanded(nav: Any) -> Any:
    if isinstance(nav, list):
        return [_expanded(each) for each in nav]
    if isinstance(nav, dict):
        return {title: _decisions() if to == DECISIONS else _expanded(to) for title, to in nav.items()}
    return nav


def _decisions() -> list[Any]:
    records = sorted((ROOT / DOCS / DECISIONS).glob("[0-9]*.md"), key=_newest_first)
    return [f"{DECISIONS}README.md", *({_heading(each): f"{DECISIONS}{each.name}"} for each in records)]


def _newest_first(record: Path) -> tuple[int, str]:
    return (-int(record.name[:10].replace("-", "")), record.name)


def _heading(record: Path) -> str:
    return record.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def _relinked(link: re.Match[str], folder: str, place: str, config: MkDocsConfig, files: Files) -> str:
    target, _, anchor = link["target"].partition("#")
    if not target or ":" in target:
        return link[0]
    found = posixpath.normpath(posixpath.join(folder, target))
    page = _page(found, files)
    if page is not None:
        there = posixpath.relpath(page, posixpath.dirname(place) or ".")
        return f"[{link['text']}]({there}{'#' + anchor if anchor else ''})"
    if found.startswith("..") or not (ROOT / found).exists():
        return link[0]
    if config.repo_url:
        return f"[{link['text']}]({config.repo_url.rstrip('/')}/blob/main/{found})"
    return link["text"] if "`" in link["text"] else f"`{link['text']}`"


def _page(found: str, files: Files) -> str | None:
    """The page, or other file of the site, that a file of the repository is."""
    if found == "README.md":
        return HOME
    if found in OUTSIDE:
        return OUTSIDE[found]
    if found == DOCS or not found.startswith(f"{DOCS}/"):
        return HOME if found == DOCS else None
    inside = found.removeprefix(f"{DOCS}/")
    candidates = (inside, f"{inside}/README.md", f"{inside}/index.md")
    return next((each for each in candidates if files.get_file_from_path(each)), None)
