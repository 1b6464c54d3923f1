"""The site is built without a warning, its links lead somewhere, and nothing is loaded from elsewhere."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urldefrag

import html5lib
import pytest

from sitehook import OUTSIDE
from support.docpages import DOCS
from support.docsite import build_site

pytestmark = pytest.mark.slow

XHTML = "{http://www.w3.org/1999/xhtml}"
LOADING = {"link": "href", "script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data"}
"""Elements that load something, by the attribute that says what; a `link` may only name something."""

Documents = dict[Path, list[tuple[str, dict[str, str]]]]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site; that it is built at all is half of the matter."""
    folder = tmp_path_factory.mktemp("docs") / "site"
    build_site(folder)
    return folder


@pytest.fixture(scope="module")
def documents(site: Path) -> Documents:
    """Every element of every page, by its name with its attributes."""
    return {path: list(_elements(path)) for path in sorted(site.rglob("*.html"))}


def _elements(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    for element in html5lib.parse(path.read_text(encoding="utf-8")).iter():
        if isinstance(element.tag, str):
            yield element.tag.removeprefix(XHTML), dict(element.attrib)


def test_every_page_is_there(site: Path):
    sources = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")} | set(OUTSIDE.values())
    pages = {re.sub(r"(README|index)\.md$", "index.md", each).replace(".md", ".html") for each in sources}
    built = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    assert built - {"404.html"} == pages


def test_nothing_is_loaded_from_elsewhere(site: Path, documents: Documents):
    loaded = {
        attributes[LOADING[tag]]
        for elements in documents.values()
        for tag, attributes in elements
        if LOADING.get(tag) in attributes and attributes.get("rel") != "canonical"
    }
    assert loaded
    assert [each for each in loaded if "//" in each] == []
    styles = [path.read_text(encoding="utf-8") for path in site.rglob("*.css")]
    assert [each for text in styles for each in re.findall(r"url\([\"']?(https?:[^)]+)", text)] == []
    assert [each for text in styles for each in re.findall(r"@import[^;]+", text)] == []


def test_every_link_and_anchor_leads_somewhere(site: Path, documents: Documents):
    """MkDocs looks at links of Markdown; this looks at all of the page."""
    names = {path: {each["id"] for _, each in found if "id" in each} for path, found in documents.items()}
    lost = set()
    for path, elements in documents.items():
        for tag, attributes in elements:
            target, anchor = urldefrag(attributes.get("href", "")) if tag == "a" else ("", "")
            if ":" in target or path.name == "404.html":
                continue
            there = (path.parent / unquote(target)).resolve() if target else path
            there = there / "index.html" if there.is_dir() else there
            if not there.exists() or (anchor and unquote(anchor) not in names[there]):
                lost.add((path.relative_to(site).as_posix(), attributes["href"]))
    assert lost == set()


def test_no_words_are_lost_on_the_way(site: Path):
    """What Markdown or HTML might take for its own: braces, angle brackets, underscores."""
    reference = (site / "reference/api.html").read_text(encoding="utf-8")
    assert "write {name: lto, count: 2, maxThroughput: 80M}" in reference
    assert "<code>&lt;name&gt;-0</code>" in reference
    commands = (site / "reference/cli.html").read_text(encoding="utf-8")
    assert "<code>--against OLD</code> | <code>cluster</code>" in commands
    assert "{bash|zsh|fish}" in commands


def test_links_out_of_the_documentation_lead_to_its_pages_or_to_none(site: Path):
    architecture = (site / "project/architecture.html").read_text(encoding="utf-8")
    assert 'href="../decisions/index.html"' in architecture
    assert "<code>scheduling/units.py</code>" in architecture
    assert "operator/src/flexlbf/scheduling/units.py" not in architecture
